import type { McpClient } from "@earendil-works/pi-mcp";
import { Observable } from "rxjs";

/** Emits when the connection of a client is closed, from whichever side. */
export function closedOf(client: McpClient): Observable<void> {
  return new Observable((subscriber) => client.onClose(() => subscriber.next()));
}
