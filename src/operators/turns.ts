import type { ToolResultMessage } from "@earendil-works/pi-ai";
import { asyncScheduler, concatMap, defer, EMPTY, of, type OperatorFunction } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { AgentMessage } from "../types/messages";

/** A turn that has ended. */
export interface Turn {
  /** Counts from 1 in each run. */
  readonly number: number;
  /** What was said before the answer: prompts and queued messages. */
  readonly input: readonly AgentMessage[];
  /** The answer. */
  readonly message: AgentMessage;
  readonly toolResults: readonly ToolResultMessage[];
  /** From `turn_start` to `turn_end`, in ms. */
  readonly durationMs: number;
}

function collector() {
  let number = 0;
  let input: AgentMessage[] = [];
  let startedAt = asyncScheduler.now();
  const begin = () => {
    number++;
    input = [];
    startedAt = asyncScheduler.now();
  };
  return (event: AgentEvent): Turn | undefined => {
    if (event.type === "agent_start") number = 0;
    if (event.type === "turn_start") begin();
    if (event.type === "message_end" && !["assistant", "toolResult"].includes(event.message.role)) {
      input.push(event.message);
    }
    if (event.type !== "turn_end") return undefined;
    const { message, toolResults } = event;
    const durationMs = asyncScheduler.now() - startedAt;
    return { number: Math.max(number, 1), input, message, toolResults, durationMs };
  };
}

/**
 * Each turn when it has ended: what was asked, the answer, the results of its tools, how long it took.
 *
 * @example
 * ```ts
 * agent.events$
 *   .pipe(turns())
 *   .subscribe(({ number, toolResults }) => console.log(`turn ${number}: ${toolResults.length} tool results`));
 * await agent.prompt("Hello");
 * ```
 */
export function turns(): OperatorFunction<AgentEvent, Turn> {
  return (events$) =>
    defer(() => {
      const collect = collector();
      return events$.pipe(
        concatMap((event) => {
          const turn = collect(event);
          return turn ? of(turn) : EMPTY;
        }),
      );
    });
}
