import type { CodemodeTool } from "@earendil-works/pi-codemode";
import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { AgentToolCall } from "../types/messages";
import type { AnyAgentTool } from "../types/tool";
import type { CodemodeAgent } from "./CodemodeAgent";
import { declared } from "./declared";
import type { NestedCallRecorder } from "./NestedCallRecorder";
import { valueOf } from "./valueOf";

/** What the calls of one script belong to. */
export interface NestedCallsOptions {
  agent: CodemodeAgent;
  tools: readonly AnyAgentTool[];
  /** The call of the tool that runs the script. */
  toolCallId: string;
  recorder: NestedCallRecorder;
  /** Called when a call has started or ended. */
  changed: () => void;
}

function callerOf({ state }: CodemodeAgent, toolCallId: string): AssistantMessage {
  const isCaller = (message: CodemodeAgent["state"]["messages"][number]): message is AssistantMessage =>
    message.role === "assistant" &&
    message.content.some((block) => block.type === "toolCall" && block.id === toolCallId);
  const caller = state.messages.findLast(isCaller);
  if (!caller) throw new Error(`codemodeTool: no message of the agent holds the call "${toolCallId}"`);
  return caller;
}

/**
 * The agent's tools as a script calls them: each call goes the way of the model's own, hooks included, and is recorded.
 *
 * @remarks Calls run together as far as the agent lets them: a sequential tool waits for those that are sequential, too.
 */
export function nestedCalls({
  agent,
  tools,
  toolCallId,
  recorder,
  changed,
}: NestedCallsOptions): CodemodeTool[] {
  const { beforeToolCall, afterToolCall, operators, abortGraceMs, toolExecution } = agent;
  const assistantMessage = callerOf(agent, toolCallId);
  const context = { messages: [...agent.state.messages], tools: [...agent.state.tools] };
  let calls = 0;
  let lane: Promise<unknown> = Promise.resolve();
  const hooks = { beforeToolCall, afterToolCall, operators, abortGraceMs };
  const run = async (toolCall: AgentToolCall, signal: AbortSignal) => {
    // Loaded with the first call: who only declares the tool needs no runtime.
    const { runToolCall } = await import("pi-agent-rx");
    return runToolCall(toolCall, { ...hooks, tools, assistantMessage, context, signal });
  };
  return tools.map((tool) => ({
    ...declared(tool),
    execute: async (args, { signal }) => {
      const id = `${toolCallId}/${++calls}`;
      const toolCall: AgentToolCall = {
        type: "toolCall",
        id,
        name: tool.name,
        arguments: (args ?? {}) as AgentToolCall["arguments"],
      };
      const ended = recorder.start(toolCall);
      changed();
      const isAlone = tool.executionMode === "sequential" || toolExecution === "sequential";
      const outcome$ = isAlone ? lane.then(() => run(toolCall, signal)) : run(toolCall, signal);
      if (isAlone) lane = outcome$.catch(() => {});
      const outcome = await outcome$;
      ended(outcome, signal.aborted);
      changed();
      return valueOf(tool, outcome);
    },
  }));
}
