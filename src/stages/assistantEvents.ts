import type { Api, AssistantMessage, AssistantMessageEvent, Model } from "@earendil-works/pi-ai";
import { Observable, Subscriber, type OperatorFunction } from "rxjs";
import { blankMessage } from "../internal/blankMessage";
import { errorText } from "../internal/errorText";
import { finalMessage } from "../internal/finalMessage";
import { steps, type Emit, type Step, type Steps } from "../internal/steps";
import { teller, type Tell } from "../internal/teller";
import type { AgentEvent } from "../types/event";
import type { Gate, RunControl } from "../types/gate";
import type { ThinkingLevel } from "../types/messages";

/** What {@link assistantEvents} needs. */
export interface AssistantEventsDeps {
  gate: Gate;
  control: Pick<RunControl, "signal" | "onDeadline">;
  /** Whom a response is attributed to that never came. */
  model: Model<Api>;
  /** Recorded on the message as what was asked for. */
  thinkingLevel: ThinkingLevel;
}

/** {@link assistantEvents}: an operator, and its steps for a response, which the loop runs in place. */
export type ResponseStage = OperatorFunction<AssistantMessageEvent, AgentEvent> & {
  run: (events$: Observable<AssistantMessageEvent>, emit: Emit<AgentEvent>) => Steps<AgentEvent>;
};

type StreamedEvent = Exclude<AssistantMessageEvent, { type: "done" | "error" }>;

interface OpenMessage {
  partial?: AssistantMessage;
  final?: AssistantMessage;
  /** What the source threw after an abort. */
  thrown?: string;
}

// A second `start` (a retried response) goes on with the same message.
function toEvent(open: OpenMessage, event: StreamedEvent): AgentEvent | undefined {
  const started = open.partial !== undefined;
  if (event.type === "start") {
    open.partial = event.partial;
    return started ? undefined : { type: "message_start", message: { ...event.partial } };
  }
  if (!started) return undefined;
  open.partial = event.partial;
  return { type: "message_update", assistantMessageEvent: event, message: { ...event.partial } };
}

function lastMessage({ partial, final, thrown }: OpenMessage, deps: AssistantEventsDeps): AssistantMessage {
  const { control, model, thinkingLevel } = deps;
  const aborted = control.signal.aborted;
  const message =
    final ??
    blankMessage({
      model,
      stopReason: aborted ? "aborted" : "error",
      errorMessage: aborted
        ? (thrown ?? "Request was aborted")
        : "The provider's stream ended without a done or error event",
      partial,
    });
  return Object.assign(message, { thinkingLevel });
}

function* endMessage(open: OpenMessage, deps: AssistantEventsDeps, tell: Tell): Steps {
  const message = lastMessage(open, deps);
  if (!open.partial) yield tell({ type: "message_start", message: { ...message } });
  yield tell({ type: "message_end", message });
}

// One operator: each of RxJS's own (catchError, takeUntil, takeWhile, map, filter) would cost every delta a hop. So would the
// gate; the events pass it one by one if it can tell them, and go on to `emit`.
function streamed(
  events$: Observable<AssistantMessageEvent>,
  open: OpenMessage,
  { control, gate }: AssistantEventsDeps,
  emit: Emit<AgentEvent>,
): Observable<AgentEvent> {
  return new Observable((subscriber) => {
    let last: Step;
    let telling = false;
    let ended = false;
    const fail = (error: unknown) => subscriber.error(error);
    // They pass in order: when the last one has, all have. Its failure may abort the run, and bring the end on.
    const complete = () => {
      ended = true;
      source.unsubscribe();
      if (telling) return;
      if (last) last.subscribe(subscriber);
      else subscriber.complete();
    };
    const source = new Subscriber<AssistantMessageEvent>({
      next: (event: AssistantMessageEvent) => {
        open.final = finalMessage(event);
        if (open.final) return complete();
        const told = toEvent(open, event as StreamedEvent);
        if (!told) return;
        telling = true;
        last = gate.tell ? gate.tell(told, emit, fail) : void subscriber.next(told);
        telling = false;
        if (ended) complete();
      },
      error: (error: unknown) => {
        if (!control.signal.aborted) return fail(error);
        open.thrown = errorText(error);
        complete();
      },
      complete,
    });
    subscriber.add(source);
    events$.subscribe(source);
    if (!subscriber.closed) subscriber.add(control.onDeadline(complete));
  });
}

function* told(
  events$: Observable<AssistantMessageEvent>,
  deps: AssistantEventsDeps,
  emit: Emit<AgentEvent>,
): Steps<AgentEvent> {
  const open: OpenMessage = {};
  const { gate } = deps;
  const streamed$ = streamed(events$, open, deps, emit);
  yield gate.tell ? streamed$ : streamed$.pipe(gate);
  yield* endMessage(open, deps, teller(gate, emit));
}

/**
 * Turns a provider's events into one assistant message: start, updates, end.
 *
 * @remarks Between `streamResponse` and `toolStage`. The message always ends: by the provider's terminal event, as
 * `aborted` when the grace after an abort is over (with a deep copy of what had streamed) or when no request was made, as
 * `error` when the source completes without a terminal event. An error of the source passes.
 */
export function assistantEvents(deps: AssistantEventsDeps): ResponseStage {
  const run: ResponseStage["run"] = (events$, emit) => told(events$, deps, emit);
  return Object.assign(
    (events$: Observable<AssistantMessageEvent>) => steps<AgentEvent>((emit) => run(events$, emit)),
    { run },
  );
}
