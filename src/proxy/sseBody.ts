import { filter, ignoreElements, interval, NEVER, Subject, Subscription, take, type Observable } from "rxjs";
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
  const reads$ = new Subject<void>();
  let waiting = false;
  let begun = false;
  const pace = { busy: () => (waiting ? undefined : reads$.pipe(take(1), ignoreElements())) };

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
      data(pace).subscribe({
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
        reads$.next();
        if (!begun) begin(controller);
        begun = true;
      },
      cancel: () => subscription.unsubscribe(),
    },
    { highWaterMark: 0 },
  );
}
