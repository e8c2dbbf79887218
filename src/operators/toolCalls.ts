import { concatMap, defer, EMPTY, of, type OperatorFunction } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { AnyToolResult } from "../types/tool";

/** How a tool call stands. A new object per change. */
export interface ToolCallProgress {
  /** Counts the calls seen; tells calls with the same `toolCallId` apart. */
  readonly index: number;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: unknown;
  readonly state: "running" | "done" | "failed";
  /** The latest update. */
  readonly progress?: AnyToolResult;
  /** Set when it has ended. */
  readonly result?: AnyToolResult;
  readonly durationMs?: number;
}

type ToolEvent = Extract<AgentEvent, { toolCallId: string }>;

function changed(call: ToolCallProgress, event: ToolEvent): ToolCallProgress {
  switch (event.type) {
    case "tool_execution_start":
      return call;
    case "tool_execution_update":
      return { ...call, progress: event.partialResult as AnyToolResult };
    case "tool_execution_end": {
      const ended = { ...call, state: event.isError ? ("failed" as const) : ("done" as const) };
      const result = event.result as AnyToolResult;
      const { durationMs } = event;
      return durationMs === undefined ? { ...ended, result } : { ...ended, result, durationMs };
    }
  }
}

// Calls of one message may share an id: an update's arguments tell them apart, else the oldest is meant.
function openCalls() {
  const open = new Map<string, ToolCallProgress[]>();
  let seen = 0;
  const place = (calls: readonly ToolCallProgress[], event: ToolEvent): number => {
    if (event.type === "tool_execution_start") return calls.length;
    if (event.type === "tool_execution_end") return 0;
    return Math.max(
      calls.findIndex(({ args }) => args === event.args),
      0,
    );
  };
  return (event: ToolEvent): ToolCallProgress => {
    const { toolCallId, toolName } = event;
    const calls = open.get(toolCallId) ?? [];
    open.set(toolCallId, calls);
    const at = place(calls, event);
    const args: unknown = event.type === "tool_execution_end" ? undefined : event.args;
    const before = calls[at] ?? { index: seen++, toolCallId, toolName, args, state: "running" };
    const call = changed(before, event);
    calls[at] = call;
    if (event.type === "tool_execution_end") calls.splice(at, 1);
    if (calls.length === 0) open.delete(toolCallId);
    return call;
  };
}

/**
 * Each tool call's live state: one value when it starts, one per update, one when it ends.
 *
 * @remarks Values of concurrent calls are interleaved; `groupBy(({ index }) => index)` parts them. Subscribed in mid-call,
 * it shows the call from its next event on.
 * @example
 * ```ts
 * agent.events$
 *   .pipe(toolCalls())
 *   .subscribe(({ toolName, state, durationMs }) => console.log(toolName, state, durationMs));
 * await agent.prompt("What is in this folder?");
 * ```
 */
export function toolCalls(): OperatorFunction<AgentEvent, ToolCallProgress> {
  return (events$) =>
    defer(() => {
      const follow = openCalls();
      return events$.pipe(concatMap((event) => ("toolCallId" in event ? of(follow(event)) : EMPTY)));
    });
}
