import type { McpClient, Tool } from "@earendil-works/pi-mcp";
import { catchError, merge, Observable, of, switchMap } from "rxjs";
import { serverError } from "./serverError";

/** The tools that a server has, at once and whenever it says that they changed. */
export function toolList(name: string, client: McpClient): Observable<Tool[]> {
  const changed$ = new Observable<void>((subscriber) =>
    client.onNotification("notifications/tools/list_changed", () => subscriber.next()),
  );
  return merge(of(undefined), changed$).pipe(
    switchMap(() => client.listTools()),
    catchError((error: unknown) => {
      throw serverError(name, "tools/list: ", error);
    }),
  );
}
