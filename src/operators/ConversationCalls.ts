import type { ToolResultMessage } from "@earendil-works/pi-ai";
import type { AgentEvent } from "../types/event";
import type { AnyToolResult } from "../types/tool";
import type { ConversationItem, ToolCallItem } from "./ConversationView";

type ToolEvent = Extract<AgentEvent, { toolCallId: string }>;

const isCall = (item: ConversationItem): item is ToolCallItem => item.kind === "toolCall";
const isRunning = ({ state }: ToolCallItem) => state === "running" || state === "approval";
const hasEnded = ({ state }: ToolCallItem) => state === "done" || state === "failed";

function ended(
  call: ToolCallItem,
  result: AnyToolResult,
  isError: boolean,
  durationMs?: number,
): ToolCallItem {
  const end = { ...call, state: isError ? ("failed" as const) : ("done" as const), result };
  return durationMs === undefined ? end : { ...end, durationMs };
}

/**
 * The tool calls of the open turn, found by id: calls that share one are taken in the order in which they were made.
 */
export class ConversationCalls {
  /** Places in the list of live items, of calls whose result message has not come. */
  #open = new Map<string, number[]>();

  /** Follows the calls of a new list. */
  follow(items: readonly ConversationItem[]): void {
    this.#open = new Map();
    items.forEach((item, index) => {
      if (isCall(item) && item.state === "waiting") this.#add(item.toolCallId, index);
    });
  }

  /** Which item an event of a running tool changes, and into what. A call that is not known is added at the end. */
  execute(items: readonly ConversationItem[], event: ToolEvent): [number, ToolCallItem] | undefined {
    const { toolCallId, toolName, type } = event;
    const wanted = this.#places(items, toolCallId, (call) => !hasEnded(call));
    const waiting = wanted.find(([, call]) => call.state === "waiting");
    const running = wanted.find(([, call]) => isRunning(call));
    if (type === "tool_execution_start" && !waiting && running) return undefined;
    const args: unknown = type === "tool_execution_end" ? undefined : event.args;
    const same = wanted.find(([, call]) => isRunning(call) && call.args === args);
    const fresh = (): [number, ToolCallItem] => {
      const id = `c${items.length}.${toolCallId}`;
      this.#add(toolCallId, items.length);
      return [items.length, { kind: "toolCall", id, toolCallId, toolName, args, state: "running" }];
    };
    if (type === "tool_execution_start") {
      const [at, call] = waiting ?? fresh();
      return [at, { ...call, state: "running" }];
    }
    const [at, call] = (type === "tool_execution_update" ? same : undefined) ?? running ?? waiting ?? fresh();
    if (type === "tool_execution_update") {
      return [at, { ...call, state: "running", progress: event.partialResult as AnyToolResult }];
    }
    return [at, ended(call, event.result as AnyToolResult, event.isError, event.durationMs)];
  }

  /** Which item a result message changes, and into what; nothing when the tool's end was seen. */
  answer(items: readonly ConversationItem[], message: ToolResultMessage): [number, ToolCallItem] | undefined {
    const { toolCallId, toolName, isError, durationMs } = message;
    const at = this.#open.get(toolCallId)?.shift();
    const known = at === undefined ? undefined : (items[at] as ToolCallItem);
    if (known && hasEnded(known)) return undefined;
    const { content, details, usage } = message;
    const result: AnyToolResult = usage ? { content, details, usage } : { content, details };
    const id = `c${items.length}.${toolCallId}`;
    const call = known ?? { kind: "toolCall", id, toolCallId, toolName, args: undefined, state: "waiting" };
    return [at ?? items.length, ended(call, result, isError, durationMs)];
  }

  #add(toolCallId: string, index: number): void {
    const places = this.#open.get(toolCallId);
    if (places) places.push(index);
    else this.#open.set(toolCallId, [index]);
  }

  #places(items: readonly ConversationItem[], toolCallId: string, wanted: (call: ToolCallItem) => boolean) {
    return (this.#open.get(toolCallId) ?? [])
      .map((at): [number, ToolCallItem] => [at, items[at] as ToolCallItem])
      .filter(([, call]) => wanted(call));
  }
}
