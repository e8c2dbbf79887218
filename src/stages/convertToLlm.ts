import { normalizeContext, type Message, type TranscriptContext } from "@earendil-works/pi-ai";
import { arrayOf } from "../internal/arrayOf";
import { ask } from "../internal/ask";
import { stage, type ValueStage } from "../internal/stage";
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
}: ConvertToLlmDeps): ValueStage<AgentMessage[], TranscriptContext> {
  return stage<ValueStage<AgentMessage[], TranscriptContext>>(function* (messages) {
    let converted: Message[] | undefined;
    yield* ask(
      "convertToLlm",
      () => hook(messages),
      (output) => (converted = output),
    );
    return normalizeContext({ messages: arrayOf("convertToLlm", "messages", converted) });
  });
}
