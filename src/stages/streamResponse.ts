import type {
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
} from "@earendil-works/pi-ai";
import {
  AsyncSubject,
  concat,
  concatMap,
  defaultIfEmpty,
  defer,
  EMPTY,
  from,
  isObservable,
  map,
  of,
  race,
  takeWhile,
  timer,
} from "rxjs";
import type { Observable, OperatorFunction } from "rxjs";
import { expected } from "../internal/expected";
import { fromHook } from "../internal/fromHook";
import { fromStream } from "../internal/fromStream";
import { isAsyncIterable } from "../internal/isAsyncIterable";
import { isThenable } from "../internal/isThenable";
import { unlessAborted } from "../internal/unlessAborted";
import { untilDeadline } from "../internal/untilDeadline";
import { withSignal } from "../internal/withSignal";
import type { ReactiveLoopConfig } from "../types/config";
import type { Gate, RunControl } from "../types/gate";
import type { ModelRequest, ReactiveStreamFn } from "../types/hooks";

/** What {@link streamResponse} needs. */
export interface StreamResponseDeps extends Pick<ReactiveLoopConfig, "getApiKey" | "operators"> {
  streamFn: ReactiveStreamFn;
  control: Pick<RunControl, "signal" | "deadline$">;
  /** The provider is read only while this gate is free. */
  gate?: Gate;
}

type TerminalEvent = Extract<AssistantMessageEvent, { type: "done" | "error" }>;

function isTerminal(event: AssistantMessageEvent): event is TerminalEvent {
  return event.type === "done" || event.type === "error";
}

function terminalFor(message: AssistantMessage): TerminalEvent {
  const { stopReason } = message;
  return stopReason === "error" || stopReason === "aborted"
    ? { type: "error", reason: stopReason, error: message }
    : ({ type: "done", reason: stopReason, message } as TerminalEvent);
}

// Asked for when the reading has ended: before, a stream may not know it.
function resultOf(stream: Partial<AssistantMessageEventStream>): Observable<AssistantMessage> {
  if (!stream.result) return EMPTY;
  const result$ = new AsyncSubject<AssistantMessage>();
  fromHook("result", () => stream.result!()).subscribe(result$);
  return result$;
}

// The stream's own result counts, as in pi; one that has not settled a tick later does not.
function answer(
  result$: Observable<AssistantMessage>,
  terminal: TerminalEvent | undefined,
): Observable<TerminalEvent> {
  const own = terminal && (terminal.type === "done" ? terminal.message : terminal.error);
  return race(result$.pipe(defaultIfEmpty(own)), timer(0).pipe(map(() => own))).pipe(
    concatMap((message) => (message ? of(message === own ? terminal! : terminalFor(message)) : EMPTY)),
  );
}

function eventsOf(output: unknown, deps: StreamResponseDeps): Observable<AssistantMessageEvent> {
  if (isThenable(output)) return from(output).pipe(concatMap((stream) => eventsOf(stream, deps)));
  if (isObservable(output)) {
    return (output as Observable<AssistantMessageEvent>).pipe(takeWhile((event) => !isTerminal(event), true));
  }
  if (!isAsyncIterable(output))
    throw expected("streamFn", "an event stream, an async iterable or an observable", output);
  const stream = output as AsyncIterable<AssistantMessageEvent>;
  let terminal: TerminalEvent | undefined;
  // A listener may keep us from reading for longer than the grace: a stream that has ended by then has its answer.
  const before$ = fromStream(stream, deps.gate).pipe(
    untilDeadline(deps.control),
    takeWhile((event) => {
      if (isTerminal(event)) terminal = event;
      return terminal === undefined;
    }),
  );
  return concat(
    before$,
    defer(() => answer(resultOf(stream as Partial<AssistantMessageEventStream>), terminal)),
  );
}

function respond(
  request: ModelRequest,
  signal: AbortSignal,
  deps: StreamResponseDeps,
): Observable<AssistantMessageEvent> {
  const { streamFn, getApiKey } = deps;
  const { model, context, options } = request;
  return of(model.provider).pipe(
    unlessAborted({ signal }),
    concatMap((provider) => (getApiKey ? fromHook("getApiKey", () => getApiKey(provider)) : of(undefined))),
    unlessAborted({ signal }),
    concatMap((key) =>
      eventsOf(streamFn(model, context, { ...options, signal, apiKey: key || options.apiKey }), deps),
    ),
  );
}

/**
 * Asks the model: resolves the API key, calls `streamFn`, passes the provider's events on up to the terminal one.
 *
 * @remarks Between `convertToLlm` and `assistantEvents`. `operators.response` wraps it; subscribing again makes the request
 * again, with a fresh key. After an abort no request is made: the stream completes empty.
 */
export function streamResponse(
  deps: StreamResponseDeps,
): OperatorFunction<ModelRequest, AssistantMessageEvent> {
  const operator = deps.operators?.response;
  const { signal } = deps.control;
  return concatMap((request) => {
    if (!operator) return respond(request, signal, deps);
    // An operator may let go of a request that the run still waits for, so each has a signal of its own.
    const response$ = withSignal((own) => respond(request, own.signal, deps), { signal, isLast: isTerminal });
    return response$.pipe(operator(request));
  });
}
