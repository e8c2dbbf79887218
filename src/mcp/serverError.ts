import { errorText } from "../internal/errorText";

/** An error that names the server it came from. */
export function serverError(name: string, what: string, cause: unknown): Error {
  return new Error(`MCP server ${JSON.stringify(name)}: ${what}${errorText(cause)}`, { cause });
}
