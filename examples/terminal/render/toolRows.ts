import type { AgentEvent } from "pi-agent-rx";

/** One tool call on the screen. */
export interface ToolRow {
  id: string;
  /** Tool and arguments. */
  title: string;
  state: "running" | "progress" | "done" | "failed";
  /** How far it is, or what it failed of. */
  note: string;
  startedAt: number;
  durationMs?: number;
}

/** What goes on: the rows that still run, and those that changed or ended with the last event. */
export interface ToolRows {
  running: readonly ToolRow[];
  changed: readonly ToolRow[];
  /** Since when the model has been silent, while it is its turn. */
  waitingSince?: number;
}

type ToolEvent = Extract<AgentEvent, { type: `tool_execution_${string}` }>;

const titleOf = (name: string, args: unknown) => {
  const fields = typeof args === "object" && args !== null ? Object.entries(args) : [];
  const values = fields.map(([key, value]) => {
    const text = typeof value === "string" && key !== "query" ? value : JSON.stringify(value);
    return key === "path" || fields.length === 1 || key === "query" ? text : `${key}=${text}`;
  });
  return [name, ...values].join(" ");
};

const firstLine = (result: unknown) => {
  const { content } = (result ?? {}) as { content?: readonly { type: string; text?: string }[] };
  const text = content?.find((block) => block.type === "text")?.text ?? "";
  return text.slice(0, 500).split("\n", 1)[0]!;
};

const start = (
  { running }: ToolRows,
  event: Extract<ToolEvent, { type: "tool_execution_start" }>,
): ToolRows => {
  const title = titleOf(event.toolName, event.args);
  const row: ToolRow = {
    id: event.toolCallId,
    title,
    state: "running",
    note: "",
    startedAt: performance.now(),
  };
  return { running: [...running, row], changed: [row] };
};

/** Two calls may have one id: the older one ends first. */
const change = ({ running }: ToolRows, id: string, update: Partial<ToolRow>): ToolRows => {
  const before = running.find((row) => row.id === id);
  if (!before) return { running, changed: [] };
  const row = { ...before, ...update };
  const rest = hasEnded(row) ? [] : [row];
  return { running: running.flatMap((other) => (other === before ? rest : [other])), changed: [row] };
};

/** Whether a tool call is over. */
export const hasEnded = ({ state }: ToolRow) => state === "done" || state === "failed";

const endWaiting = (rows: ToolRows): ToolRows =>
  rows.waitingSince === undefined ? rows : { running: rows.running, changed: [] };

/** Keeps the book of what goes on. The same rows come back when an event changes nothing of it. */
export function reduceToolRows(rows: ToolRows, event: AgentEvent): ToolRows {
  switch (event.type) {
    case "turn_start":
      return { ...rows, changed: [], waitingSince: performance.now() };
    case "message_update":
      return event.assistantMessageEvent.type.startsWith("toolcall") ? rows : endWaiting(rows);
    case "message_end":
      return event.message.role === "assistant" ? endWaiting(rows) : rows;
    case "agent_end":
      return endWaiting(rows);
    case "tool_execution_start":
      return start(rows, event);
    case "tool_execution_update":
      return change(rows, event.toolCallId, { state: "progress", note: firstLine(event.partialResult) });
    case "tool_execution_end": {
      const { durationMs, isError, result } = event;
      const state = isError ? "failed" : "done";
      return change(rows, event.toolCallId, {
        state,
        note: firstLine(result),
        ...(durationMs !== undefined && { durationMs }),
      });
    }
    default:
      return rows;
  }
}
