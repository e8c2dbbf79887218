import type { Api, AssistantMessage, AssistantMessageEvent, Model } from "@earendil-works/pi-ai";
import {
  catchError,
  concat,
  defer,
  filter,
  from,
  isObservable,
  map,
  mergeMap,
  of,
  race,
  takeWhile,
  timer,
  type Observable,
} from "rxjs";
import { errorText } from "../internal/errorText";
import { expected } from "../internal/expected";
import { fromStream } from "../internal/fromStream";
import { isAsyncIterable } from "../internal/isAsyncIterable";
import { isThenable } from "../internal/isThenable";
import type { Gate } from "../types/gate";
import type { StreamOutput } from "../types/hooks";
import { emptyMessage } from "./emptyMessage";
import type { ProxyWireEvent } from "./ProxyAssistantMessageEvent";
import { toProxyEvent } from "./toProxyEvent";

type Pace = Pick<Gate, "busy">;

/**
 * Asks the provider: its events as they travel, each as JSON, up to the final one.
 *
 * @param pace - Says when the client is not reading; the provider is then not pulled. An observable cannot be paused.
 *
 * @remarks Always ends with one final event. A stream without one gives its `result()`, as in pi; what throws, rejects
 * or errors becomes an `error` event.
 */
export function proxyEvents(
  model: Model<Api>,
  ask: () => StreamOutput | PromiseLike<StreamOutput>,
  pace: Pace,
): Observable<string> {
  return defer(() => {
    const output = ask();
    return isThenable(output) ? from(output) : of(output);
  }).pipe(
    mergeMap((output) => concat(eventsOf(output, pace), resultOf(output))),
    map(toProxyEvent(model)),
    filter((event) => event !== undefined),
    takeWhile(({ type }) => type !== "done" && type !== "error", true),
    map((event) => JSON.stringify(event)),
    catchError((error: unknown) => of(JSON.stringify(failure(model, error)))),
  );
}

function eventsOf(output: StreamOutput, pace: Pace): Observable<AssistantMessageEvent> {
  if (isObservable(output)) return output;
  if (!isAsyncIterable(output)) throw expected("streamFn", "an event stream", output);
  return fromStream(output, { gate: pace });
}

/** What a stream that ended without a final event has to say, if it says it at once. */
function resultOf(output: StreamOutput): Observable<AssistantMessageEvent> {
  return defer(() => {
    const never = timer(0).pipe(map(fail));
    return "result" in output ? race(from(output.result()).pipe(map(finalEvent)), never) : never;
  });
}

function finalEvent(message: AssistantMessage): AssistantMessageEvent {
  const reason = message.stopReason;
  if (reason === "error" || reason === "aborted") return { type: "error", reason, error: message };
  return { type: "done", reason, message } as AssistantMessageEvent;
}

function fail(): never {
  throw new Error("streamFn: the stream ended without a final event");
}

function failure(model: Model<Api>, error: unknown): ProxyWireEvent {
  return { type: "error", reason: "error", errorMessage: errorText(error), usage: emptyMessage(model).usage };
}
