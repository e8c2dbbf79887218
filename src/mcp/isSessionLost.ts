import { McpHttpError, McpSessionExpiredError } from "@earendil-works/pi-mcp";

/** Whether a server says that it does not know the session: it has restarted, and has not done what was asked. */
export function isSessionLost(error: unknown): boolean {
  if (error instanceof McpSessionExpiredError) return true;
  return error instanceof McpHttpError && [400, 404].includes(error.status) && /session/i.test(error.body);
}
