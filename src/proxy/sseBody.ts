import { filter, interval, NEVER, noop, Subscription, type Observable } from "rxjs";
import type { Gate } from "../types/gate";

/** Makes the data of a body's events, at the client's pace. */
export type PacedData = (pace: Pick<Gate, "busy">) => Observable<string>;

/**
 * A response body that sends each text as the data of a server-sent event, and a comment every `heartbeatMs` of waiting.
 *
 * @remarks The data is subscribed when the client reads first, paused (as far as it heeds its pace) while it does
 * not read, and unsubscribed when it hangs up.
 */
export function sseBody(data: PacedData, heartbeatMs: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const subscription = new Subscription();
  let waiting = false;
  let begun = false;
  let onRead = noop;
  const busy = (onFree: () => void) => {
    if (!waiting) onRead = onFree;
    return !waiting;
  };

  const begin = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const send = (text: string) => {
      // Before the text is handed over: a client that has asked for more already says so from inside.
      waiting = false;
      controller.enqueue(encoder.encode(text));
    };
    const close = () => {
      subscription.unsubscribe();
      controller.close();
    };
    const beats$ = heartbeatMs > 0 ? interval(heartbeatMs) : NEVER;
    subscription.add(beats$.pipe(filter(() => waiting)).subscribe(() => send(":\n\n")));
    subscription.add(
      data({ busy }).subscribe({
        next: (text) => send(`data: ${text}\n\n`),
        error: (error) => controller.error(error),
        complete: close,
      }),
    );
  };

  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        waiting = true;
        // Taken first: what it sends may be read at once, from inside.
        const read = onRead;
        onRead = noop;
        read();
        if (!begun) begin(controller);
        begun = true;
      },
      cancel: () => subscription.unsubscribe(),
    },
    { highWaterMark: 0 },
  );
}
