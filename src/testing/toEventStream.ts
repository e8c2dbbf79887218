import {
  createAssistantMessageEventStream,
  type AssistantMessageEvent,
  type AssistantMessageEventStream,
} from "@earendil-works/pi-ai";
import type { Observable } from "rxjs";

/** Provider events as pi-ai's event stream; `failed` gives the terminal event for a stream that errors. */
export function toEventStream(
  events$: Observable<AssistantMessageEvent>,
  failed: (error: unknown) => AssistantMessageEvent,
): AssistantMessageEventStream {
  const stream = createAssistantMessageEventStream();
  events$.subscribe({
    next: (event) => stream.push(event),
    error: (error: unknown) => {
      stream.push(failed(error));
      stream.end();
    },
    complete: () => stream.end(),
  });
  return stream;
}
