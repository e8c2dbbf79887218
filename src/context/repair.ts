import type { AssistantMessage, ToolResultMessage } from "@earendil-works/pi-ai";
import type { AgentMessage, AgentToolCall } from "../types/messages";
import { outline, type Unit } from "./outline";
import { provenance } from "./provenance";

/** One change that {@link repair} made. */
export interface Repair {
  /**
   * - `"droppedResult"`: a result without a call, or a second one for its call
   * - `"droppedCalls"`: the calls of a response that failed or was aborted, with their results
   * - `"droppedMessage"`: a response with nothing in it
   * - `"addedResult"`: an error result for a call that had none
   * - `"movedResults"`: the results of a response follow it at once
   * - `"addedUser"`: a user message before a response that nothing led to
   */
  kind: "droppedResult" | "droppedCalls" | "droppedMessage" | "addedResult" | "movedResults" | "addedUser";
  /** The message it is about: the one added or dropped, or the response whose calls or results changed. */
  message: AgentMessage;
}

type Report = (kind: Repair["kind"], message: AgentMessage) => void;

const isCall = (block: AssistantMessage["content"][number]): block is AgentToolCall =>
  block.type === "toolCall";

function withoutCalls(message: AssistantMessage, report: Report): AgentMessage[] {
  const isOver = message.stopReason === "error" || message.stopReason === "aborted";
  const hasCalls = message.content.some(isCall);
  const content = isOver ? message.content.filter((block) => !isCall(block)) : message.content;
  const isEmpty = isOver ? !content.some(({ type }) => type === "text") : content.length === 0;
  if (isEmpty) {
    report("droppedMessage", message);
    return [];
  }
  if (!isOver || !hasCalls) return [message];
  report("droppedCalls", message);
  return [provenance.change(message, { content })];
}

function missingResult({ timestamp }: AssistantMessage, { id, name }: AgentToolCall): ToolResultMessage {
  const text = "No result: the run ended before this call did.";
  return {
    role: "toolResult",
    toolCallId: id,
    toolName: name,
    content: [{ type: "text", text }],
    isError: true,
    timestamp, // of the response, so that each repair gives the same
  };
}

function repairResponse(
  message: AssistantMessage,
  results: ToolResultMessage[],
  report: Report,
): AgentMessage[] {
  const [kept] = withoutCalls(message, report);
  if (kept !== message) return kept ? [kept] : [];
  const answered = results.map(({ toolCallId }) => toolCallId);
  const added = message.content.filter(isCall).flatMap((call) => {
    const at = answered.indexOf(call.id);
    if (at < 0) return [missingResult(message, call)];
    answered.splice(at, 1);
    return [];
  });
  for (const result of added) report("addedResult", result);
  return [message, ...results, ...added];
}

function repairUnit(messages: readonly AgentMessage[], { indexes }: Unit, report: Report): AgentMessage[] {
  const [message, ...results] = indexes.map((index) => messages[index]!);
  if (message?.role === "toolResult") {
    report("droppedResult", message);
    return [];
  }
  if (message?.role !== "assistant") return message ? [message] : [];
  const repaired = repairResponse(message, results as ToolResultMessage[], report);
  const isApart = indexes.at(-1)! - indexes[0]! >= indexes.length;
  if (isApart && repaired.length > 1) report("movedResults", message);
  return repaired;
}

/**
 * Makes any transcript one that a provider takes, also one that an abort or a crash cut off, and says what it changed.
 *
 * @remarks Every call gets exactly one result, right after its response, and nothing else does; responses that failed or
 * were aborted lose their calls. The transcript itself stays as it is. Repairing twice changes nothing more.
 *
 * @example
 * ```ts
 * const { messages, repairs } = repair(agent.state.messages);
 * if (repairs.length > 0) agent.state.messages = messages;
 * ```
 */
export function repair(transcript: readonly AgentMessage[]): { messages: AgentMessage[]; repairs: Repair[] } {
  const repairs: Repair[] = [];
  const report: Report = (kind, message) => repairs.push({ kind, message });
  const messages = outline(transcript).units.flatMap((unit) => repairUnit(transcript, unit, report));
  const first = messages.findIndex(({ role }) => role !== "system");
  if (messages[first]?.role === "assistant") {
    const { timestamp } = messages[first];
    const opening: AgentMessage = {
      role: "user",
      content: "(The conversation before is left out.)",
      timestamp,
    };
    report("addedUser", opening);
    messages.splice(first, 0, opening);
  }
  return { messages, repairs };
}
