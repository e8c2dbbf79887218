import { concatMap, EMPTY, of, type OperatorFunction } from "rxjs";
import type { AgentEvent } from "../types/event";

/**
 * What the model thinks, piece by piece as it comes.
 *
 * @remarks Only what streams: a provider that hides its thinking gives none.
 * @example
 * ```ts
 * agent.events$.pipe(thinkingDeltas()).subscribe((text) => process.stdout.write(text));
 * await agent.prompt("Hello");
 * ```
 */
export function thinkingDeltas(): OperatorFunction<AgentEvent, string> {
  return concatMap((event) =>
    event.type === "message_update" && event.assistantMessageEvent.type === "thinking_delta"
      ? of(event.assistantMessageEvent.delta)
      : EMPTY,
  );
}
