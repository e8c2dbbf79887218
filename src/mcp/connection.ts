import { McpClient, type McpTransport } from "@earendil-works/pi-mcp";
import {
  catchError,
  concat,
  defer,
  finalize,
  from,
  NEVER,
  of,
  switchMap,
  takeUntil,
  type Observable,
} from "rxjs";
import { closedOf } from "./closedOf";
import { isSessionLost } from "./isSessionLost";
import type { McpServer } from "./McpServer";
import { serverError } from "./serverError";

const CLIENT = { name: "pi-agent-rx", version: "0.1.0" };

// What a program said before it ended tells more than that its pipe was closed.
function stderrOf(transport: McpTransport): string {
  const { stderr } = transport as { stderr?: unknown };
  return typeof stderr === "string" && stderr.trim() !== "" ? `\n${stderr.trim()}` : "";
}

/**
 * One connection to a server: emits the client when it stands, and completes when it is closed.
 *
 * @remarks Unsubscribing closes it. A server that does not start is an error that names it, with what it wrote to stderr.
 */
export function connection({ name, transport, client: options }: McpServer): Observable<McpClient> {
  return defer(() => {
    const client = new McpClient({ ...CLIENT, ...options });
    const close = () => void client.close().catch(() => {});
    const made = transport();
    client.onError((error) => isSessionLost(error) && close());
    return from(client.connect(made)).pipe(
      catchError((error: unknown) => {
        throw serverError(name, "did not start: ", `${String(error)}${stderrOf(made)}`);
      }),
      switchMap(() => concat(of(client), NEVER).pipe(takeUntil(closedOf(client)))),
      finalize(close),
    );
  });
}
