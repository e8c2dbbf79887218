import { filter, map, pairwise, type Observable } from "rxjs";
import type { RecordingEntry } from "../Recording";
import type { QueueingAgent } from "./QueueWatch";

type Rest = Omit<Extract<RecordingEntry, { kind: "rest" }>, "after">;

/** Tells when an agent has come to rest, and in which state. */
export function restsOf({ state$ }: QueueingAgent): Observable<Rest> {
  return state$.pipe(
    pairwise(),
    filter(([before, now]) => before.isStreaming && !now.isStreaming),
    map(([, { pendingToolCalls, streamingMessage }]) => ({
      kind: "rest",
      pendingToolCalls: pendingToolCalls.size,
      streaming: streamingMessage !== undefined,
    })),
  );
}
