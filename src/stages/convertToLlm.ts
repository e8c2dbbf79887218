import { normalizeContext, type Message, type TranscriptContext } from "@earendil-works/pi-ai";
import { arrayOf } from "../internal/arrayOf";
import { ask } from "../internal/ask";
import { stage, type ValueStage } from "../internal/stage";
import type { Steps } from "../internal/steps";
import type { ConvertToLlm } from "../types/hooks";
import type { AgentMessage } from "../types/messages";

/** What {@link convertToLlm} needs. */
export interface ConvertToLlmDeps {
  convertToLlm: ConvertToLlm;
}

function* converted(
  messages: AgentMessage[],
  { convertToLlm: hook }: ConvertToLlmDeps,
): Steps<never, TranscriptContext> {
  let output: Message[] | undefined;
  yield* ask(
    "convertToLlm",
    () => hook(messages),
    (taken) => (output = taken),
  );
  return normalizeContext({ messages: arrayOf("convertToLlm", "messages", output) });
}

/**
 * Turns messages into what a provider takes, by the `convertToLlm` hook.
 *
 * @remarks Between `transformContext` and `streamResponse`.
 */
export function convertToLlm(deps: ConvertToLlmDeps): ValueStage<AgentMessage[], TranscriptContext> {
  return stage<ValueStage<AgentMessage[], TranscriptContext>>((messages) => converted(messages, deps));
}
