import { normalizeContext, type TranscriptContext } from "@earendil-works/pi-ai";
import { concatMap, map, type OperatorFunction } from "rxjs";
import { arrayOf } from "../internal/arrayOf";
import { fromHook } from "../internal/fromHook";
import type { ConvertToLlm } from "../types/hooks";
import type { AgentMessage } from "../types/messages";

/** What {@link convertToLlm} needs. */
export interface ConvertToLlmDeps {
  convertToLlm: ConvertToLlm;
}

/**
 * Turns messages into what a provider takes, by the `convertToLlm` hook.
 *
 * @remarks Between `transformContext` and `streamResponse`.
 */
export function convertToLlm({
  convertToLlm: hook,
}: ConvertToLlmDeps): OperatorFunction<AgentMessage[], TranscriptContext> {
  return (messages$) =>
    messages$.pipe(
      concatMap((messages) => fromHook("convertToLlm", () => hook(messages))),
      map((messages) => normalizeContext({ messages: arrayOf("convertToLlm", "messages", messages) })),
    );
}
