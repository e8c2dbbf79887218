import type { AgentEvent, AgentMessage } from "pi-agent-rx";

type Ended = Extract<AgentEvent, { type: "message_end" }>;

function unbalanced(events: readonly AgentEvent[]): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  let message = false;
  for (const event of events) {
    if (event.type === "message_start") {
      if (message) faults.push("a message starts in another");
      message = true;
    } else if (event.type === "message_update" && !message) faults.push("an update of no message");
    else if (event.type === "message_end") {
      if (!message) faults.push("a message ends that did not start");
      message = false;
    } else if (event.type === "tool_execution_start") open.push(event.toolCallId);
    else if (event.type === "tool_execution_update" && !open.includes(event.toolCallId))
      faults.push(`an update of ${event.toolCallId}, which is not running`);
    else if (event.type === "tool_execution_end") {
      const at = open.indexOf(event.toolCallId);
      if (at < 0) faults.push(`${event.toolCallId} ends but did not start`);
      else open.splice(at, 1);
    } else if (event.type === "agent_end" && message) faults.push("a message does not end");
  }
  return [...faults, ...open.map((id) => `${id} does not end`)];
}

function unanswered(messages: readonly AgentMessage[]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "toolResult") {
      const at = open.indexOf(message.toolCallId);
      if (at < 0) faults.push(`a result of ${message.toolCallId}, which is not open`);
      else open.splice(at, 1);
    } else if (message.role === "assistant") {
      faults.push(...open.map((id) => `no result of ${id}`));
      const dead = message.stopReason === "error" || message.stopReason === "aborted";
      open = dead ? [] : message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
    }
  }
  return [...faults, ...open.map((id) => `no result of ${id}`)];
}

/** What is wrong with the events of one run (I1, I2); nothing when it is lawful. */
export function faultsOf(events: readonly AgentEvent[]): string[] {
  const faults = unbalanced(events);
  const types = events.map(({ type }) => type);
  for (const type of ["agent_start", "agent_end"] as const) {
    const count = types.filter((other) => other === type).length;
    if (count !== 1) faults.push(`${count} ${type}`);
  }
  if (types[0] !== "agent_start") faults.push("it does not begin with agent_start");
  if (types.at(-1) !== "agent_end") faults.push("it does not end with agent_end");
  const told = events.filter((event): event is Ended => event.type === "message_end");
  return [...faults, ...unanswered(told.map(({ message }) => message))];
}
