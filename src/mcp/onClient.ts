import { McpConnectionClosedError, type McpClient } from "@earendil-works/pi-mcp";
import {
  catchError,
  defer,
  filter,
  lastValueFrom,
  map,
  of,
  raceWith,
  retry,
  switchMap,
  take,
  throwError,
  type Observable,
} from "rxjs";
import { whenAborted } from "../internal/whenAborted";
import { isSessionLost } from "./isSessionLost";
import type { OnClient } from "./mcpTool";

// A transport over HTTP does not know that the server is away before somebody asks it something.
function isAway(error: unknown): boolean {
  return error instanceof TypeError || error instanceof McpConnectionClosedError || isSessionLost(error);
}

function abortOf(signal: AbortSignal | undefined): Observable<never> {
  return whenAborted(signal).pipe(
    map(() => {
      throw new Error("Operation aborted");
    }),
  );
}

/**
 * Runs calls on the current client, and leaves one that turns out to have lost its server; while there is none they wait
 * for the next one, until they are aborted.
 *
 * @remarks A call that the server refused because it has forgotten the session is made again, once, on a new one. A call
 * that was under way when the connection broke is not: nobody knows how far it got.
 */
export function onClient(
  current$: Observable<McpClient | undefined>,
  leave: (client: McpClient) => void,
): OnClient {
  return (call, signal) => {
    const client$ = current$.pipe(
      filter((client) => client !== undefined),
      take(1),
      raceWith(abortOf(signal)),
    );
    const result$ = client$.pipe(
      switchMap((client) =>
        defer(() => call(client)).pipe(
          catchError((error: unknown) => {
            if (isAway(error)) leave(client);
            throw error;
          }),
        ),
      ),
      retry({
        count: 1,
        delay: (error: unknown) => (isSessionLost(error) ? of(undefined) : throwError(() => error)),
      }),
    );
    return lastValueFrom(result$);
  };
}
