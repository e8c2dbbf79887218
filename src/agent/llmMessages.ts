import type { Message } from "@earendil-works/pi-ai";
import type { AgentMessage } from "../types/messages";

function isLlmMessage({ role }: AgentMessage): boolean {
  return role === "user" || role === "assistant" || role === "toolResult" || role === "system";
}

/**
 * The default `convertToLlm` of an agent: leaves out what a model does not take.
 *
 * @remarks Looks only at the messages that come after those it gave last, so long as these are still the first ones.
 */
export function llmMessages(): (messages: AgentMessage[]) => Message[] {
  let given: AgentMessage[] = [];
  return (messages) => {
    const before = given;
    let at = 0;
    while (at < before.length && before[at] === messages[at]) at++;
    while (at < messages.length && isLlmMessage(messages[at]!)) at++;
    const rest = messages.slice(at).filter(isLlmMessage);
    given = messages.slice(0, at).concat(rest);
    return given;
  };
}
