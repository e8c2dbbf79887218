import { asyncScheduler } from "rxjs";
import { expected } from "../internal/expected";
import type { AgentTurnContext, AgentTurnDecision } from "../types/hooks";
import type { AgentMessage } from "../types/messages";
import { callKey } from "./callKey";
import { usageOf } from "./usageOf";

/** How far a run may go. What is left out has no limit. */
export interface RunLimits {
  /** Requests with their tools. */
  turns?: number;
  /** Of all turns together, those that failed too. */
  toolCalls?: number;
  /** Of all responses, and of tools that report usage. */
  tokens?: number;
  /** Of all responses, and of tools that report usage, in the currency of the model's prices. */
  cost?: number;
  /** Since the first request of the run was made. */
  ms?: number;
  /** How often the same tool may be called with the same arguments and give the same result. */
  repeatedCalls?: number;
  /** How often the same tool may be called with the same arguments, whatever it gives. */
  sameCalls?: number;
}

interface Spent extends Required<RunLimits> {
  /** How many of the run's messages are counted. */
  read: number;
  startedAt?: number;
  calls: Map<string, string>;
  /** How often something was there. */
  times: Map<string, number>;
}

const nothing = (): Spent => ({
  turns: 0,
  toolCalls: 0,
  tokens: 0,
  cost: 0,
  ms: 0,
  repeatedCalls: 0,
  sameCalls: 0,
  read: 0,
  calls: new Map(),
  times: new Map(),
});

/** How often this was there, now included. */
function timesOf({ times }: Spent, what: string): number {
  const count = (times.get(what) ?? 0) + 1;
  times.set(what, count);
  return count;
}

function count(spent: Spent, message: AgentMessage): void {
  const usage = usageOf(message);
  spent.tokens += usage?.totalTokens ?? 0;
  spent.cost += usage?.cost.total ?? 0;
  if (message.role === "assistant") {
    spent.turns++;
    spent.startedAt ??= message.timestamp;
    for (const block of message.content) {
      if (block.type !== "toolCall") continue;
      spent.toolCalls++;
      const call = callKey(block.name, block.arguments);
      spent.calls.set(block.id, call);
      spent.sameCalls = Math.max(spent.sameCalls, timesOf(spent, call));
    }
  }
  if (message.role === "toolResult") {
    const repeat = callKey(spent.calls.get(message.toolCallId) ?? "", message.content);
    spent.repeatedCalls = Math.max(spent.repeatedCalls, timesOf(spent, `result of ${repeat}`));
  }
}

const NAMES = ["turns", "toolCalls", "tokens", "cost", "ms", "repeatedCalls", "sameCalls"] as const;

/**
 * Ends a run that goes too far: after the turn in which a limit is reached, with the limit's name as `agent_end.reason`.
 *
 * @remarks For `finishTurn`. The transcript stays valid, and nothing is thrown. Queued messages stay queued. It decides
 * nothing else, so `(turn, signal) => limit(turn) ?? own(turn, signal)` puts it before a hook of one's own. Each turn costs
 * what it added.
 * @example
 * ```ts
 * const finishTurn = limits({ turns: 20, cost: 0.5, ms: 300_000, repeatedCalls: 3 });
 * const frugal = new Agent({ initialState: { model }, streamFn, finishTurn });
 * frugal.events$.pipe(ofType("agent_end")).subscribe(({ outcome, reason }) => console.log(outcome, reason));
 * await frugal.prompt("Hello");
 * ```
 */
export function limits(most: RunLimits): (turn: AgentTurnContext) => AgentTurnDecision | undefined {
  for (const name of NAMES) {
    const limit = most[name];
    if (limit !== undefined && !(limit > 0)) throw expected(name, "a number > 0", limit);
  }
  const runs = new WeakMap<AgentMessage[], Spent>();
  return ({ newMessages }) => {
    const spent = runs.get(newMessages) ?? nothing();
    runs.set(newMessages, spent);
    while (spent.read < newMessages.length) count(spent, newMessages[spent.read++]!);
    spent.ms = asyncScheduler.now() - (spent.startedAt ?? asyncScheduler.now());
    const reason = NAMES.find((name) => spent[name] >= (most[name] ?? Infinity));
    return reason ? { action: "end", reason } : undefined;
  };
}
