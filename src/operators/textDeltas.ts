import { concatMap, EMPTY, of, type OperatorFunction } from "rxjs";
import type { AgentEvent } from "../types/event";

/**
 * The text of the answer, piece by piece as it comes.
 *
 * @remarks Only what streams: a provider that answers in one piece without deltas gives none.
 * @example
 * ```ts
 * agent.events$.pipe(textDeltas()).subscribe((text) => process.stdout.write(text));
 * await agent.prompt("Hello");
 * ```
 */
export function textDeltas(): OperatorFunction<AgentEvent, string> {
  return concatMap((event) =>
    event.type === "message_update" && event.assistantMessageEvent.type === "text_delta"
      ? of(event.assistantMessageEvent.delta)
      : EMPTY,
  );
}
