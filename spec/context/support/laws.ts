import { getCurrentSystemMessage, type Message } from "@earendil-works/pi-ai";
import type { AgentMessage } from "pi-agent-rx";

/** A message's number in the transcript; what operators added, now or at time 0, has none. */
const idOf = ({ timestamp }: AgentMessage) => (timestamp > 0 && timestamp < 1000 ? [timestamp] : []);
const idsOf = (messages: AgentMessage[]) => messages.flatMap(idOf);

/** Each call with its result, by position: the newest open call of an id takes the result. */
function pairsOf(messages: AgentMessage[]): { pairs: [number, number][]; orphans: number[] } {
  const open: { id: string; caller: number }[] = [];
  const pairs: [number, number][] = [];
  const orphans: number[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const block of message.content) {
        if (block.type === "toolCall") open.push({ id: block.id, caller: message.timestamp });
      }
    }
    if (message.role !== "toolResult") continue;
    const at = open.findLastIndex(({ id }) => id === message.toolCallId);
    if (at < 0) orphans.push(message.timestamp);
    else pairs.push([open.splice(at, 1)[0]!.caller, message.timestamp]);
  }
  return { pairs, orphans };
}

/** What is wrong with the messages of a request, given the transcript they were made of. */
export function brokenLaws(before: AgentMessage[], after: AgentMessage[]): string[] {
  const left = new Set(idsOf(after));
  const { pairs, orphans } = pairsOf(before);
  const faults = pairs
    .filter(([caller, result]) => left.has(caller) !== left.has(result))
    .map(([caller, result]) => `call ${caller} is parted from its result ${result}`);
  for (const orphan of pairsOf(after).orphans) {
    if (!orphans.includes(orphan)) faults.push(`${orphan} is an orphan now`);
  }
  const replayed = [before, after].map((messages) =>
    JSON.stringify(getCurrentSystemMessage(messages as Message[])),
  );
  if (replayed[0] !== replayed[1]) faults.push(`the prompt is ${replayed[1]} instead of ${replayed[0]}`);
  const newest = before.findLast(({ role }) => role === "user");
  if (newest && !left.has(newest.timestamp))
    faults.push(`the newest user message ${newest.timestamp} is gone`);
  const kept = idsOf(before).filter((id) => left.has(id));
  if (JSON.stringify(kept) !== JSON.stringify(idsOf(after))) faults.push(`order: ${idsOf(after).join(" ")}`);
  return faults;
}

/** What a provider would refuse. */
export function refusals(messages: AgentMessage[]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "toolResult") {
      const at = open.indexOf(message.toolCallId);
      if (at < 0) faults.push(`a result of ${message.toolCallId} without a call`);
      else open.splice(at, 1);
      continue;
    }
    if (open.length > 0) faults.push(`${message.role} before the results of ${open.join(" ")}`);
    open = [];
    if (message.role !== "assistant") continue;
    if (message.content.length === 0) faults.push("an empty response");
    open = message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
    if (open.length > 0 && ["error", "aborted"].includes(message.stopReason)) faults.push("calls cut off");
  }
  if (open.length > 0) faults.push(`no results of ${open.join(" ")}`);
  if (messages.find(({ role }) => role !== "system")?.role === "assistant") faults.push("a response first");
  return faults;
}

/** Freezes a transcript through and through: who modifies it throws. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
