import type { Api, Model, SimpleStreamOptions } from "@earendil-works/pi-ai";
import {
  asyncScheduler,
  catchError,
  concatMap,
  defaultIfEmpty,
  map,
  of,
  takeUntil,
  type MonoTypeOperatorFunction,
  type Observable,
} from "rxjs";
import { check } from "../internal/check";
import { expected } from "../internal/expected";
import { whenAborted } from "../internal/whenAborted";
import type { ReactiveStreamFn } from "../types/hooks";
import type { AgentMessage } from "../types/messages";
import { askSummary } from "./askSummary";
import { budgetOf } from "./budgetOf";
import { dropOldest } from "./dropOldest";
import { outline, type Unit } from "./outline";
import { provenance } from "./provenance";
import { renderTranscript } from "./renderTranscript";
import { summaryMemory, type Summary } from "./summaryMemory";
import { tokenCounter } from "./tokenCounter";

/** How {@link summarize} summarizes. */
export interface SummarizeOptions {
  /** Asks the model that writes the summary. `models.streamSimple` of pi-ai fits. */
  streamFn: ReactiveStreamFn;
  /** The model that writes the summary; a function is asked each time. */
  model: Model<Api> | (() => Model<Api>);
  /**
   * More tokens than this are summarized.
   *
   * @defaultValue what the model's `contextWindow` leaves beside its `maxTokens`, and half of it at least
   */
  threshold?: number;
  /**
   * The share of the threshold that a summary frees, above 0 and below 1. The larger, the rarer a summary.
   *
   * @defaultValue 0.5
   */
  step?: number;
  /** Counts a message's tokens; asked once per message. @defaultValue pi-ai's estimate */
  estimate?: (message: AgentMessage) => number;
  /** Tells the model how to summarize. */
  instructions?: string;
  /** Options of the summary's request: `apiKey`, `maxTokens`, `reasoning`, … */
  options?: SimpleStreamOptions;
  /**
   * Gives the signal whose abort ends a summary at once: `() => agent.signal`.
   *
   * @defaultValue none: an abort of the run ends it when the grace is over
   */
  signal?: () => AbortSignal | undefined;
  /** Told why a summary failed; the request goes on without what it was to cover. */
  onError?: (error: unknown) => void;
}

const INSTRUCTIONS = `You summarize the beginning of a conversation between a user and an assistant that uses tools, so that
the assistant can go on without it. Keep what the user wants and has decided, what was done and found out, names, paths and
values that will be needed again, and what is still to do. Leave out what no longer matters. Write the summary and nothing
else.`;

const HEADING = "Summary of the conversation so far, in place of its beginning:";

// What the next summary stands for beside the last one, and nothing when that would free nothing.
function nextCovered(
  messages: AgentMessage[],
  limits: { threshold: number; step: number; left?: number; count: (message: AgentMessage) => number },
): AgentMessage[] {
  const { threshold, step, left: leftBefore = 0, count } = limits;
  const sum = (unit: Unit) => unit.indexes.reduce((tokens, index) => tokens + count(messages[index]!), 0);
  const { units } = outline(messages);
  const total = (list: Unit[]) => list.reduce((tokens, unit) => tokens + sum(unit), 0);
  const tokens = total(units);
  const room = threshold - total(units.filter(({ isPinned }) => isPinned));
  // A summary that left the request above the threshold is not followed by another at once.
  if (room <= 0 || tokens <= Math.max(threshold, leftBefore + (step * threshold) / 2)) return [];
  const left = new Set(dropOldest({ units, tokens }, threshold - step * room, sum).units);
  const gone = units.filter((unit) => !left.has(unit)).flatMap(({ indexes }) => indexes);
  return gone.sort((a, b) => a - b).map((index) => provenance.originOf(messages[index]!));
}

type Written = Omit<Summary, "left">;

function summaryMessage(text: string): AgentMessage {
  const content = `${HEADING}\n\n${text}`;
  return provenance.add({ role: "user" as const, content, timestamp: asyncScheduler.now() });
}

/**
 * Replaces the oldest part of a long transcript by a summary that a model writes.
 *
 * @remarks When a request is above the threshold, the request waits for the summary; those that follow use it, up to the
 * next time they are above. Each summary builds on the one before. Unsubscribing from the request aborts the summary, and so
 * does an abort of the run, see {@link SummarizeOptions.signal}. One that fails is not tried again before the next crossing:
 * what it was to cover is left out, and tried with that one. System messages, the newest user message, and the newest message
 * or call with its results stay as they are. Put it first, before operators that drop or rewrite, and {@link fitBudget} last:
 * a summary promises no size.
 *
 * @example
 * ```ts
 * const context = summarize({ streamFn, model, threshold: 50_000, signal: () => pruned.signal });
 * const pruned: Agent = new Agent({ initialState: { model }, streamFn, operators: { context } });
 * ```
 */
export function summarize(settings: SummarizeOptions): MonoTypeOperatorFunction<AgentMessage[]> {
  const { streamFn, model, threshold, step = 0.5, instructions = INSTRUCTIONS, options } = settings;
  const { onError, signal } = settings;
  check.function("summarize: streamFn", streamFn);
  check.functions("summarize: ", { onError, signal }, ["onError", "signal"]);
  if (!model) throw expected("summarize: model", "a model", model);
  if (!(step > 0 && step < 1)) throw expected("summarize: step", "a share above 0 and below 1", step);
  const thresholdNow = budgetOf("summarize: threshold", { budget: threshold, model });
  const count = tokenCounter(settings.estimate);
  const memory = summaryMemory();

  const write = (covered: AgentMessage[], last?: Summary): Observable<Written> => {
    const told = new Set(last?.told);
    const news = covered.filter((message) => !told.has(message));
    const text = renderTranscript(last?.message ? [last.message, ...news] : news);
    const writer = typeof model === "function" ? model() : model;
    return askSummary({ streamFn, model: writer, instructions, text, options }).pipe(
      takeUntil(whenAborted(signal?.())),
      map((summary) => ({ covered, told: covered, message: summaryMessage(summary) })),
      catchError((error: unknown) => {
        onError?.(error);
        return of({ ...last, covered, told: last?.told ?? [] });
      }),
    );
  };

  return concatMap((messages) => {
    const last = memory.find(messages);
    const current = last ? memory.apply(messages, last) : messages;
    const added = nextCovered(current, { threshold: thresholdNow(), step, left: last?.left, count });
    if (added.length === 0) return of(current);
    const known = new Set([...(last?.covered ?? []), ...added]);
    const covered = messages.map(provenance.originOf).filter((message) => known.has(message));
    return write(covered, last).pipe(
      map((summary) => {
        const request = memory.apply(messages, summary);
        memory.keep({ ...summary, left: request.reduce((tokens, message) => tokens + count(message), 0) });
        return request;
      }),
      defaultIfEmpty(current), // aborted: nobody asks with it
    );
  });
}
