import type { TextContent, ToolResultMessage } from "@earendil-works/pi-ai";
import { filter, map, toArray, type OperatorFunction } from "rxjs";
import {
  runControl,
  type AgentEvent,
  type AnyAgentTool,
  type ToolCallRequest,
  type ToolStageDeps,
} from "pi-agent-rx";
import { assistant, call, context, tool } from "./fixtures";
import { openGate } from "./gates";

/** Dependencies of the tool stage, with tools that the context holds. */
export const toolDeps = (tools: AnyAgentTool[], fields: Partial<ToolStageDeps> = {}): ToolStageDeps => ({
  gate: openGate,
  control: runControl(5),
  context: context([], tools),
  ...fields,
});

/** An allowed call of `execute`. */
export function callOf(
  execute: AnyAgentTool["execute"],
  fields: Partial<ToolCallRequest> = {},
): ToolCallRequest {
  const toolCall = call("1");
  return {
    toolCall,
    tool: tool("echo", execute),
    args: {},
    assistantMessage: assistant([toolCall]),
    context: { messages: [] },
    signal: new AbortController().signal,
    ...fields,
  };
}

/** One character per event of up to three calls, for marbles. */
export const toolWords = {
  a: "start 1",
  b: "start 2",
  c: "start 3",
  u: "update 1",
  v: "update 2",
  x: "end 1",
  y: "end 2",
  z: "end 3",
  r: "result 1",
  s: "result 2",
  t: "result 3",
};

/** The events of calls in short; a result message once, at its end. */
export const toolEvents: OperatorFunction<AgentEvent, string> = (events$) =>
  events$.pipe(
    filter((event) => event.type !== "message_start"),
    map((event) => {
      if (event.type === "message_end") return `result ${(event.message as ToolResultMessage).toolCallId}`;
      return "toolCallId" in event ? `${event.type.slice(15)} ${event.toolCallId}` : event.type;
    }),
  );

/** The text of each result message, by the order in which they are told. */
export const resultTexts: OperatorFunction<AgentEvent, string[]> = (events$) =>
  events$.pipe(
    filter((event) => event.type === "message_end"),
    map(({ message }) =>
      (message as ToolResultMessage).content.map((block) => (block as TextContent).text).join(),
    ),
    toArray(),
  );
