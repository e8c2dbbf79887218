import type {
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
} from "@earendil-works/pi-ai";
import {
  asapScheduler,
  asyncScheduler,
  from,
  ignoreElements,
  isObservable,
  Observable,
  of,
  takeWhile,
  tap,
} from "rxjs";
import { ask } from "../internal/ask";
import { awaited } from "../internal/awaited";
import { expected } from "../internal/expected";
import { finalMessage } from "../internal/finalMessage";
import { fromStream } from "../internal/fromStream";
import { isAsyncIterable } from "../internal/isAsyncIterable";
import { isThenable } from "../internal/isThenable";
import { stage, type EventStage } from "../internal/stage";
import { steps, type Emit, type Steps } from "../internal/steps";
import { withSignal } from "../internal/withSignal";
import type { ReactiveLoopConfig } from "../types/config";
import type { Gate, RunControl } from "../types/gate";
import type { HookOutput, ModelRequest, ReactiveStreamFn, StreamOutput } from "../types/hooks";

/** What {@link streamResponse} needs. */
export interface StreamResponseDeps extends Pick<ReactiveLoopConfig, "getApiKey" | "operators"> {
  streamFn: ReactiveStreamFn;
  control: Pick<RunControl, "signal" | "onDeadline">;
  /** The provider is read only while this gate is free. */
  gate?: Gate;
}

type TerminalEvent = Extract<AssistantMessageEvent, { type: "done" | "error" }>;

const isTerminal = (event: AssistantMessageEvent): event is TerminalEvent =>
  finalMessage(event) !== undefined;

function terminalFor(message: AssistantMessage): TerminalEvent {
  const { stopReason } = message;
  return stopReason === "error" || stopReason === "aborted"
    ? { type: "error", reason: stopReason, error: message }
    : ({ type: "done", reason: stopReason, message } as TerminalEvent);
}

// Completes when the result has settled, or a tick later; no timer is made for one that settles at once.
function settled(
  result: HookOutput<AssistantMessage>,
  take: (result: AssistantMessage) => void,
): Observable<never> {
  return new Observable((subscriber) => {
    const complete = () => subscriber.complete();
    subscriber.add(
      (awaited("result", result) ?? of(result as AssistantMessage)).subscribe({
        next: take,
        error: (error) => subscriber.error(error),
        complete,
      }),
    );
    subscriber.add(asapScheduler.schedule(() => subscriber.add(asyncScheduler.schedule(complete))));
  });
}

// The stream's own result counts, as in pi; one that has not settled a tick later does not. Asked for when the reading has
// ended: before, a stream may not know it.
function* answer(
  stream: Partial<AssistantMessageEventStream>,
  terminal: TerminalEvent | undefined,
  emit: Emit<AssistantMessageEvent>,
): Steps {
  const own = terminal && finalMessage(terminal);
  let message = own;
  if (stream.result) yield settled(stream.result(), (result) => (message = result));
  if (message) emit(message === own ? terminal! : terminalFor(message));
}

function* eventsOf(
  output: StreamOutput | PromiseLike<StreamOutput>,
  deps: StreamResponseDeps,
  emit: Emit<AssistantMessageEvent>,
): Steps<AssistantMessageEvent> {
  let opened = output as StreamOutput;
  if (isThenable(output))
    yield from(output).pipe(
      tap((stream) => (opened = stream)),
      ignoreElements(),
    );
  if (isObservable(opened)) return void (yield opened.pipe(takeWhile((event) => !isTerminal(event), true)));
  if (!isAsyncIterable(opened))
    throw expected("streamFn", "an event stream, an async iterable or an observable", opened);
  let terminal: TerminalEvent | undefined;
  const { gate, control } = deps;
  const isEnd = (event: AssistantMessageEvent) => {
    if (isTerminal(event)) terminal = event;
    return terminal !== undefined;
  };
  // A listener may keep us from reading for longer than the grace: a stream that has ended by then has its answer.
  yield fromStream(opened, { gate, control, isEnd });
  yield* answer(opened as Partial<AssistantMessageEventStream>, terminal, emit);
}

function* respond(
  { model, context, options }: ModelRequest,
  signal: AbortSignal,
  deps: StreamResponseDeps,
  emit: Emit<AssistantMessageEvent>,
): Steps<AssistantMessageEvent> {
  const { streamFn, getApiKey } = deps;
  if (signal.aborted) return;
  let { apiKey } = options;
  if (getApiKey) {
    const onKey = (key: string | undefined) => (apiKey = key || apiKey);
    yield* ask("getApiKey", () => getApiKey(model.provider), onKey);
  }
  if (!signal.aborted) yield* eventsOf(streamFn(model, context, { ...options, signal, apiKey }), deps, emit);
}

// An operator may let go of a response that the run still waits for, so each has a signal of its own.
function* operated(
  request: ModelRequest,
  operator: NonNullable<NonNullable<StreamResponseDeps["operators"]>["response"]>,
  deps: StreamResponseDeps,
): Steps<AssistantMessageEvent> {
  yield withSignal((own) => steps((emit) => respond(request, own.signal, deps, emit)), {
    signal: deps.control.signal,
    isLast: isTerminal,
  }).pipe(operator(request));
}

/**
 * Asks the model: resolves the API key, calls `streamFn`, passes the provider's events on up to the terminal one.
 *
 * @remarks Between `convertToLlm` and `assistantEvents`. `operators.response` wraps it; subscribing again makes the request
 * again, with a fresh key. After an abort no request is made: the stream completes empty.
 */
export function streamResponse(
  deps: StreamResponseDeps,
): EventStage<ModelRequest, AssistantMessageEvent, AssistantMessageEvent> {
  const operator = deps.operators?.response;
  const { signal } = deps.control;
  return stage<EventStage<ModelRequest, AssistantMessageEvent, AssistantMessageEvent>>((request, emit) =>
    operator ? operated(request, operator, deps) : respond(request, signal, deps, emit),
  );
}
