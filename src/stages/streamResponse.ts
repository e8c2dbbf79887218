import type { AssistantMessage, AssistantMessageEvent } from "@earendil-works/pi-ai";
import {
  concat,
  concatMap,
  defer,
  EMPTY,
  from,
  fromEvent,
  isObservable,
  map,
  of,
  race,
  takeUntil,
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
import { withSignal } from "../internal/withSignal";
import type { ReactiveLoopConfig } from "../types/config";
import type { Gate, RunControl } from "../types/gate";
import type { ModelRequest, ReactiveStreamFn, StreamOutput } from "../types/hooks";

/** What {@link streamResponse} needs. */
export interface StreamResponseDeps extends Pick<ReactiveLoopConfig, "getApiKey" | "operators"> {
  streamFn: ReactiveStreamFn;
  control: Pick<RunControl, "signal">;
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

// The stream's own result counts, as in pi; one that has not settled a tick later does not.
function answer(stream: StreamOutput, terminal: TerminalEvent | undefined): Observable<TerminalEvent> {
  const own$ = terminal ? of(terminal) : EMPTY;
  if (!("result" in stream) || typeof stream.result !== "function") return own$;
  const result$ = from(stream.result()).pipe(map((message) => ({ message })));
  return race(result$, timer(0).pipe(map(() => undefined))).pipe(
    concatMap((result) => {
      const same =
        terminal && result?.message === (terminal.type === "done" ? terminal.message : terminal.error);
      return result && !same ? of(terminalFor(result.message)) : own$;
    }),
  );
}

function eventsOf(output: unknown, gate: Pick<Gate, "busy">): Observable<AssistantMessageEvent> {
  if (isThenable(output)) return from(output).pipe(concatMap((stream) => eventsOf(stream, gate)));
  if (isObservable(output)) {
    return (output as Observable<AssistantMessageEvent>).pipe(takeWhile((event) => !isTerminal(event), true));
  }
  if (!isAsyncIterable(output))
    throw expected("streamFn", "an event stream, an async iterable or an observable", output);
  const stream = output as AsyncIterable<AssistantMessageEvent>;
  let terminal: TerminalEvent | undefined;
  const before$ = fromStream(stream, gate).pipe(
    takeWhile((event) => {
      if (isTerminal(event)) terminal = event;
      return terminal === undefined;
    }),
  );
  return concat(
    before$,
    defer(() => answer(stream, terminal)),
  );
}

// A slow listener pauses the reading, but not after an abort: the provider's own end has to come within the grace.
function pausedBy(gate: Gate | undefined, signal: AbortSignal): Pick<Gate, "busy"> {
  return {
    busy: () => (signal.aborted ? undefined : gate?.busy?.()?.pipe(takeUntil(fromEvent(signal, "abort")))),
  };
}

function respond(
  request: ModelRequest,
  signal: AbortSignal,
  deps: StreamResponseDeps,
): Observable<AssistantMessageEvent> {
  const { streamFn, getApiKey, gate } = deps;
  const { model, context, options } = request;
  return of(model.provider).pipe(
    unlessAborted({ signal }),
    concatMap((provider) => (getApiKey ? fromHook("getApiKey", () => getApiKey(provider)) : of(undefined))),
    unlessAborted({ signal }),
    concatMap((key) =>
      eventsOf(
        streamFn(model, context, { ...options, signal, apiKey: key || options.apiKey }),
        pausedBy(gate, signal),
      ),
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
