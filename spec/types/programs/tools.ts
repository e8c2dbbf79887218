// A program for pi: tools of every kind.
import type {
  AgentTool,
  AgentToolCall,
  AgentToolCallOutcome,
  AgentToolParams,
  AgentToolResult,
  AgentToolUpdateCallback,
} from "@earendil-works/pi-agent-core";
import type { Usage } from "@earendil-works/pi-ai";
import { arr, num, obj, opt, str } from "@earendil-works/pi-schema";

const readParameters = obj({ path: str({ description: "File" }), lines: opt(arr(num())) });

interface ReadDetails {
  path: string;
  size: number;
}

declare const usage: Usage;

/** Its schema types the arguments, its details the result and the updates. */
export const read: AgentTool<typeof readParameters, ReadDetails> = {
  name: "read",
  label: "Read",
  description: "Reads a file",
  parameters: readParameters,
  executionMode: "sequential",
  replay: "safe",
  outputSchema: { type: "object" },
  prepareArguments: (args) => ({ path: typeof args === "string" ? args : "." }),
  execute: async (toolCallId, params, signal, onUpdate) => {
    const path: string = params.path;
    const lines: number[] = params.lines ?? [];
    signal?.throwIfAborted();
    onUpdate?.({ content: [{ type: "text", text: toolCallId }], details: { path, size: 0 } });
    // @ts-expect-error -- no such argument
    void params.encoding;
    // @ts-expect-error -- updates carry the same details
    onUpdate?.({ content: [], details: "done" });
    return {
      content: [{ type: "text", text: "…" }],
      details: { path, size: lines.length },
      structuredContent: { path },
      usage,
      isError: false,
      terminate: true,
    };
  },
};

/** A schema of its own: the arguments are unknown. */
export const search: AgentTool<{ type: "object"; properties: object }> = {
  name: "search",
  label: "Search",
  description: "Searches",
  parameters: { type: "object", properties: { query: { type: "string" } } },
  execute: async (_toolCallId, params) => {
    // @ts-expect-error -- unknown
    void params.query;
    return { content: [], details: undefined };
  },
};

/** Anything goes. */
export const echo: AgentTool<any> = {
  name: "echo",
  label: "Echo",
  description: "Echoes",
  parameters: obj({ text: str() }),
  execute: async (_toolCallId, params) => ({
    content: [{ type: "text", text: params.text.trim() }],
    details: {},
  }),
};

/** No parameters named: any JSON Schema. */
export const plain: AgentTool = { ...echo, execute: () => Promise.resolve({ content: [], details: null }) };

export const all: AgentTool<any>[] = [read, search, echo, plain];
export const byName = new Map<string, AgentTool<any>>(all.map((tool) => [tool.name, tool]));

/** A tool round a tool. */
export function timed<TParameters extends object, TDetails>(
  tool: AgentTool<TParameters, TDetails>,
): AgentTool<TParameters, TDetails> {
  return {
    ...tool,
    execute: async (toolCallId, params, signal, onUpdate) => {
      const result: AgentToolResult<TDetails> = await tool.execute(toolCallId, params, signal, onUpdate);
      return { ...result, terminate: result.terminate ?? false };
    },
  };
}

export const reads: AgentToolParams<typeof readParameters> = { path: "a", lines: [1] };
// @ts-expect-error -- the path is missing
export const misreads: AgentToolParams<typeof readParameters> = { lines: [1] };
export const update: AgentToolUpdateCallback<ReadDetails> = ({ details }) => void details.size;
export const call: AgentToolCall = { type: "toolCall", id: "call", name: "read", arguments: { path: "a" } };
export const outcome: AgentToolCallOutcome = {
  toolCall: call,
  result: { content: [], details: { size: 1 } },
  isError: false,
  durationMs: 3,
};
export const plainResult: AgentToolResult = { content: [], details: { json: [1, "a", null] } };

// @ts-expect-error -- a tool has a label
export const nameless: AgentTool<any> = { name: "a", description: "", parameters: {}, execute: echo.execute };
// @ts-expect-error -- content is a list
export const stringResult: AgentToolResult<string> = { content: "text", details: "" };
