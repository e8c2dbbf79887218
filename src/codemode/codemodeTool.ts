import type { JsonValue, NestedToolCalls, TextContent } from "@earendil-works/pi-ai";
import type {
  CodemodeError,
  CodemodeResult,
  CodemodeSandboxBase,
  CodemodeSandboxBaseOptions,
} from "@earendil-works/pi-codemode";
import { renderDeclarations } from "@earendil-works/pi-codemode/declarations";
import { parseCodemodeSource } from "@earendil-works/pi-codemode/source";
import { obj, str } from "@earendil-works/pi-schema";
import { check } from "../internal/check";
import type { AgentTool, AgentToolResult, AgentToolUpdateCallback, AnyAgentTool } from "../types/tool";
import type { CodemodeAgent } from "./CodemodeAgent";
import { declared } from "./declared";
import { nestedCalls } from "./nestedCalls";
import { NestedCallRecorder } from "./NestedCallRecorder";
import { recordOnMessage } from "./recordOnMessage";
import { scriptContent } from "./scriptContent";

/** How scripts run. */
export interface CodemodeToolOptions {
  /** Whose tools and hooks the calls of a script go through. */
  agent: CodemodeAgent;
  /** @defaultValue `"codemode"` */
  name?: string;
  /** Which of the agent's tools scripts may call. @defaultValue all but this one */
  filter?: (tool: AnyAgentTool) => boolean;
  /** How long a script may take, its calls included, in ms. @defaultValue the sandbox's, 300000 */
  timeoutMs?: number;
  /** How much the model reads of a script, in tokens, when the script does not say. @defaultValue 10000 */
  maxOutputTokens?: number;
  /** What scripts keep with `store()` and read with `load()`. @defaultValue an object of this tool's own */
  store?: Record<string, unknown>;
  /** Makes the sandbox of one script. @defaultValue pi-codemode's `CodemodeSandbox`, a worker thread of Node or Bun */
  sandbox?: (options: CodemodeSandboxBaseOptions) => CodemodeSandboxBase;
}

/** What is known of a script beside what the model reads. */
export interface CodemodeDetails {
  /** What it called, as far as it has come. */
  nestedCalls?: NestedToolCalls;
  /** Why it ended, when it failed. */
  error?: CodemodeError;
}

const parameters = obj({ code: str({ description: "The script." }) });

const INTRODUCTION = [
  "Runs JavaScript that calls tools as `await tools.name(args)`; use it to make many calls at once and to filter what they",
  "give. It is the body of an async function, without modules, files, network or timers. You read what it passes to",
  "`text(value)` or `image(block)` and what it returns, nothing else. A call that fails rejects with the tool's error.",
  "`store(key, value)` and `load(key)` keep values for later scripts.",
].join("\n");

async function nodeSandbox(options: CodemodeSandboxBaseOptions): Promise<CodemodeSandboxBase> {
  const { CodemodeSandbox } = await import("@earendil-works/pi-codemode");
  return new CodemodeSandbox(options);
}

function progressOf(recorder: NestedCallRecorder): TextContent {
  const { calls = [] } = recorder.snapshot() ?? {};
  const ended = calls.filter(({ status }) => status !== "unfinished");
  return { type: "text", text: `${ended.length} of ${calls.length} calls have ended` };
}

function keep(store: Record<string, unknown>, result: CodemodeResult): void {
  if (!result.ok) return;
  for (const key of result.storeWrites.delete) delete store[key];
  Object.assign(store, result.storeWrites.set);
}

function checkOptions(options: CodemodeToolOptions): void {
  check.object("codemodeTool", options);
  check.object("codemodeTool: agent", options.agent);
  check.object("codemodeTool: agent.state", options.agent.state);
  check.functions("codemodeTool: ", { ...options }, ["filter", "sandbox"]);
  check.ms("codemodeTool: timeoutMs", options.timeoutMs);
  check.limit("codemodeTool: maxOutputTokens", options.maxOutputTokens);
}

/**
 * A tool that runs scripts of the model, which call the agent's other tools.
 *
 * @remarks Each nested call goes through `runToolCall`: lookup, validation, `beforeToolCall`, `operators.toolCall`, the tool,
 * `afterToolCall`, as if the model had made it; its result reaches the script alone. What was called stands in the
 * `nestedCalls` of the result message and of `details`, and in updates while the script runs. An abort ends script and calls.
 * The description declares the tools that the agent has when it is read, so a list that changes is declared anew.
 * @example
 * ```ts
 * import { codemodeTool } from "pi-agent-rx/codemode";
 * import { fakeTool } from "pi-agent-rx/testing";
 *
 * const weather = fakeTool("weather", (args) => `${(args as { city: string }).city}: 21 °C`);
 * agent.state.tools = [weather, codemodeTool({ agent })];
 * console.log(agent.state.tools[1]?.description.includes("weather(")); // true
 * ```
 */
export function codemodeTool(options: CodemodeToolOptions): AgentTool<typeof parameters, CodemodeDetails> {
  checkOptions(options);
  const { agent, name = "codemode", filter = () => true, store = {}, sandbox = nodeSandbox } = options;
  const callable = () => agent.state.tools.filter((tool) => tool.name !== name && filter(tool));

  async function execute(
    toolCallId: string,
    { code }: { code: string },
    signal?: AbortSignal,
    onUpdate?: AgentToolUpdateCallback<CodemodeDetails>,
  ): Promise<AgentToolResult<CodemodeDetails>> {
    const { code: script, options: own } = parseCodemodeSource(code);
    const recorder = new NestedCallRecorder();
    const details = (): CodemodeDetails => {
      const record = recorder.snapshot();
      return record ? { nestedCalls: record } : {};
    };
    const changed = () => onUpdate?.({ content: [progressOf(recorder)], details: details() });
    const tools = nestedCalls({ agent, tools: callable(), toolCallId, recorder, changed });
    recordOnMessage(agent, toolCallId, () => recorder.snapshot());
    const made = await sandbox({ tools });
    try {
      const timeoutMs = own.timeoutMs ?? options.timeoutMs;
      const result = await made.execute(script, {
        signal,
        store,
        ...(timeoutMs !== undefined && { timeoutMs }),
      });
      keep(store, result);
      const { usage } = recorder;
      return {
        content: scriptContent(result, own.maxOutputTokens ?? options.maxOutputTokens ?? 10_000),
        details: { ...details(), ...(!result.ok && { error: result.error }) },
        ...(result.ok && result.value !== undefined && { structuredContent: result.value as JsonValue }),
        ...(usage && { usage }),
        ...(!result.ok && { isError: true }),
      };
    } finally {
      await made.close();
    }
  }

  return {
    name,
    label: "Script",
    get description() {
      return `${INTRODUCTION}\n\n${renderDeclarations({ tools: callable().map((tool) => ({ ...declared(tool), execute: () => {} })) })}`;
    },
    parameters,
    execute,
  };
}
