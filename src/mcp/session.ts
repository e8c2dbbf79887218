import type { McpClient, Tool } from "@earendil-works/pi-mcp";
import { map, switchMap, takeUntil, throwIfEmpty, type Observable } from "rxjs";
import { closedOf } from "./closedOf";
import { serverError } from "./serverError";
import { toolList } from "./toolList";

/** A client, and the tools that its server has now. */
export interface Session {
  client: McpClient;
  tools: Tool[];
}

/**
 * Follows the tools of one connection until it is closed.
 *
 * @remarks A connection that is closed before it has told its tools is an error.
 */
export function session(name: string, client$: Observable<McpClient>): Observable<Session> {
  return client$.pipe(
    switchMap((client) =>
      toolList(name, client).pipe(
        map((tools) => ({ client, tools })),
        takeUntil(closedOf(client)),
      ),
    ),
    throwIfEmpty(() => serverError(name, "", "closed the connection before it told its tools")),
  );
}
