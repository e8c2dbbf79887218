import type { Api, AssistantMessage, AssistantMessageEvent, Model } from "@earendil-works/pi-ai";
import { concatMap, defer, from, isObservable, takeWhile, type Observable } from "rxjs";
import { fromStream } from "../internal/fromStream";
import { isThenable } from "../internal/isThenable";
import { withSignal } from "../internal/withSignal";
import type { ModelRequest, ReactiveStreamFn, StreamOutput } from "../types/hooks";
import { onResponseFailure } from "./onResponseFailure";
import type { ResponsePolicy } from "./ResponsePolicy";

/** When {@link fallbackTo} takes over. */
export interface FallbackOptions {
  /** Which failures count. @defaultValue every one */
  when?: (failure: AssistantMessage) => boolean;
  /** Also when something of the response was visible already; the new response replaces it. @defaultValue false */
  afterOutput?: boolean;
}

type Events = Observable<AssistantMessageEvent>;

const isTerminal = ({ type }: AssistantMessageEvent) => type === "done" || type === "error";

function eventsOf(output: StreamOutput | PromiseLike<StreamOutput>): Events {
  if (isThenable(output)) return from(output).pipe(concatMap(eventsOf));
  const stream = output;
  return isObservable(stream) ? stream : fromStream(stream);
}

function ask(streamFn: ReactiveStreamFn, { model, context, options }: ModelRequest): Events {
  return withSignal(
    ({ signal }) =>
      defer(() => eventsOf(streamFn(model, context, { ...options, signal }))).pipe(
        takeWhile((event) => !isTerminal(event), true),
      ),
    { signal: options.signal, isLast: isTerminal },
  );
}

/**
 * Asks another model, or another stream function, when a response failed.
 *
 * @param other - A model is asked through the agent's own `streamFn`, with its own key from `getApiKey`.
 * @remarks For `operators.response`, outside of a retry. Several, one outside of the other, are tried in turn.
 * @example
 * ```ts
 * const careful = new Agent({ initialState: { model }, streamFn, operators: { response: fallbackTo(streamFn) } });
 * await careful.prompt("Hello");
 * ```
 */
export function fallbackTo(
  other: Model<Api> | ReactiveStreamFn,
  { when = () => true, afterOutput = false }: FallbackOptions = {},
): ResponsePolicy {
  return (request) => (events$) =>
    events$.pipe(
      onResponseFailure(request, (failure, visible) => {
        if ((visible && !afterOutput) || !when(failure)) return undefined;
        if (typeof other === "function") return ask(other, request);
        // Subscribing again asks as the request then says.
        return defer(() => {
          request.model = other;
          return events$;
        });
      }),
    );
}
