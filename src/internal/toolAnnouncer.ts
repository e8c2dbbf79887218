import type { Message, SystemMessage, Tool } from "@earendil-works/pi-ai";
import { getCurrentTools, getToolStateChanges, toToolDeclaration } from "@earendil-works/pi-ai";
import { asyncScheduler } from "rxjs";
import type { AgentContextInit } from "../types/context";
import type { AgentMessage } from "../types/messages";

type ToolChanges = ReturnType<typeof getToolStateChanges>;

function withChanges(message: SystemMessage, { toolsAdded, toolsRemoved }: ToolChanges): SystemMessage {
  const changed = { ...message };
  delete changed.toolsAdded;
  delete changed.toolsRemoved;
  if (toolsAdded.length > 0) changed.toolsAdded = toolsAdded;
  if (toolsRemoved.length > 0) changed.toolsRemoved = toolsRemoved;
  return changed;
}

const NONE: ToolChanges = { toolsAdded: [], toolsRemoved: [] };

function isSystem(message: AgentMessage): message is SystemMessage {
  return message.role === "system";
}

function replay(declared: Tool[], messages: Message[]): Tool[] {
  const head: SystemMessage = { role: "system", content: "", toolsAdded: declared, timestamp: 0 };
  return getCurrentTools([head, ...messages]);
}

// Keeps the tools that a growing transcript declares, reading only what was added since the last look.
function declaredTools(): (messages: AgentMessage[]) => Tool[] {
  let seen: AgentMessage[] | undefined;
  let length = 0;
  let last: AgentMessage | undefined;
  let declared: Tool[] = [];
  return (messages) => {
    if (messages !== seen || messages.length < length || messages[length - 1] !== last) {
      [seen, length, declared] = [messages, 0, []];
    }
    const added: SystemMessage[] = [];
    for (; length < messages.length; length++) {
      last = messages[length]!;
      if (last.role === "system") added.push(last);
    }
    if (added.length > 0) declared = replay(declared, added);
    return declared;
  };
}

function announce(pending: AgentMessage[], declared: Tool[], tools: Tool[]): AgentMessage[] {
  const at = pending.findLastIndex(isSystem);
  const own = pending[at] as SystemMessage | undefined;
  // What the caller's message says of tools is replaced, so it does not count.
  const systems = (own ? pending.with(at, withChanges(own, NONE)) : pending).filter(isSystem);
  const changes = getToolStateChanges(replay(declared, systems), tools.map(toToolDeclaration));
  const same = ![changes, own].some(
    (message) => message?.toolsAdded?.length || message?.toolsRemoved?.length,
  );
  if (same) return pending;
  if (own) return pending.with(at, withChanges(own, changes));
  return [withChanges({ role: "system", content: "", timestamp: asyncScheduler.now() }, changes), ...pending];
}

// What the model would be told of the tools, for comparing without writing it out.
function partsOf(tools: Tool[]): unknown[] {
  return tools.flatMap((tool) => [tool.name, tool.description, tool.parameters, tool.constrainedSampling]);
}

/**
 * Announces the tools of a run: puts what changed between the tools that the transcript declares and those that can be
 * executed into the last pending system message, or into a new one before everything pending.
 *
 * @remarks Remembers what it compared last, so a turn costs what was added since, not the transcript.
 */
export function toolAnnouncer(context: () => AgentContextInit): (pending: AgentMessage[]) => AgentMessage[] {
  const declaredBy = declaredTools();
  let known: { declared: Tool[]; parts: unknown[] } | undefined;
  return (pending) => {
    const { messages, tools = [] } = context();
    const declared = declaredBy(messages);
    const parts = partsOf(tools);
    const unchanged =
      known?.declared === declared &&
      known.parts.length === parts.length &&
      parts.every((part, index) => part === known?.parts[index]);
    if (unchanged && !pending.some(isSystem)) return pending;
    const announced = announce(pending, declared, tools);
    if (announced === pending) known = { declared, parts };
    return announced;
  };
}
