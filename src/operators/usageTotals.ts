import { concat, concatMap, defer, EMPTY, of, type OperatorFunction } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { AgentMessage } from "../types/messages";
import { usageOf } from "./usageOf";

/** Tokens and cost so far. */
export interface UsageTotals {
  /** Responses of the model. */
  readonly responses: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly totalTokens: number;
  /** In the currency of the model's prices. */
  readonly cost: number;
}

const NOTHING: UsageTotals = {
  responses: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: 0,
};

function added(totals: UsageTotals, message: AgentMessage): UsageTotals {
  const usage = usageOf(message);
  if (!usage) return totals;
  return {
    responses: totals.responses + (message.role === "assistant" ? 1 : 0),
    input: totals.input + usage.input,
    output: totals.output + usage.output,
    cacheRead: totals.cacheRead + usage.cacheRead,
    cacheWrite: totals.cacheWrite + usage.cacheWrite,
    totalTokens: totals.totalTokens + usage.totalTokens,
    cost: totals.cost + usage.cost.total,
  };
}

/**
 * Tokens and cost, added up: the totals at once, then after every response and every tool that reports usage.
 *
 * @param transcript - What was said before; its usage counts.
 * @remarks Responses that failed count, as far as the provider reported them.
 * @example
 * ```ts
 * agent.events$
 *   .pipe(usageTotals(agent.state.messages))
 *   .subscribe(({ totalTokens, cost }) => console.log(`${totalTokens} tokens, $${cost.toFixed(4)}`));
 * await agent.prompt("Hello");
 * ```
 */
export function usageTotals(
  transcript: readonly AgentMessage[] = [],
): OperatorFunction<AgentEvent, UsageTotals> {
  return (events$) =>
    defer(() => {
      let totals = transcript.reduce(added, NOTHING);
      const changes$ = events$.pipe(
        concatMap((event) => {
          if (event.type !== "message_end") return EMPTY;
          const before = totals;
          totals = added(totals, event.message);
          return totals === before ? EMPTY : of(totals);
        }),
      );
      return concat(of(totals), changes$);
    });
}
