import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { AgentEvent } from "pi-agent-rx";
import { filter, map, scan, type OperatorFunction } from "rxjs";
import { plural } from "../tools/plural";
import { duration } from "./duration";
import { printable } from "./printable";
import type { Screen } from "./screen";

interface Tally {
  startedAt: number;
  turns: number;
  calls: number;
  failed: number;
  tokens: number;
  cost: number;
  ended?: Extract<AgentEvent, { type: "agent_end" }>;
}

const start = (): Tally => ({
  startedAt: performance.now(),
  turns: 0,
  calls: 0,
  failed: 0,
  tokens: 0,
  cost: 0,
});

const count = (tally: Tally, event: AgentEvent): Tally => {
  if (event.type === "agent_start") return start();
  if (event.type === "tool_execution_end") {
    return { ...tally, calls: tally.calls + 1, failed: tally.failed + (event.isError ? 1 : 0) };
  }
  if (event.type === "turn_end") {
    const usage = (event.message as Partial<AssistantMessage>).usage;
    const tokens = tally.tokens + (usage?.totalTokens ?? 0);
    return { ...tally, turns: tally.turns + 1, tokens, cost: tally.cost + (usage?.cost.total ?? 0) };
  }
  return event.type === "agent_end" ? { ...tally, ended: event } : tally;
};

const summary = ({ startedAt, turns, calls, failed, tokens, cost }: Tally) =>
  [
    plural(turns, "turn"),
    `${plural(calls, "tool call")}${failed > 0 ? ` (${failed} failed)` : ""}`,
    ...(tokens > 0 ? [plural(tokens, "token")] : []),
    ...(cost > 0 ? [`$${cost.toFixed(4)}`] : []),
    duration(performance.now() - startedAt),
  ].join(" · ");

/** The last line of a run: how it ended, and what it took. */
export const ending =
  ({ style }: Screen): OperatorFunction<AgentEvent, string> =>
  (events$) =>
    events$.pipe(
      scan(count, start()),
      filter((tally) => tally.ended !== undefined),
      map((tally) => {
        const { outcome = "completed", reason } = tally.ended!;
        const paint = outcome === "failed" ? style.red : style.yellow;
        const why = typeof reason === "string" ? ` (${printable(reason)})` : "";
        const how = outcome === "completed" ? "" : `${paint(`${outcome}${why}`)} · `;
        return `\n${how}${style.dim(summary(tally))}\n`;
      }),
    );
