import type { AssistantMessage, AssistantMessageEvent } from "@earendil-works/pi-ai";
import type { ModelRequest, ToolCallRequest } from "pi-agent-rx";
import { assistant, call, context, model, tool } from "../../support/fixtures";
import { delta, start, terminal } from "../../support/providerEvents";

/** A request to make of a model. */
export const request = (options: ModelRequest["options"] = {}): ModelRequest => ({
  model,
  context: { messages: [] } as unknown as ModelRequest["context"],
  options,
});

/** A response that failed. */
export const failed = (errorMessage: string, content: AssistantMessage["content"] = []): AssistantMessage =>
  assistant(content, { stopReason: "error", errorMessage });

/** Provider events by letter. */
export const provider: Record<string, AssistantMessageEvent> = {
  s: start(assistant([])),
  a: delta("a"),
  b: delta("ab"),
  d: terminal(assistant("ab")),
  e: terminal(failed("503 overloaded")),
  f: terminal(failed("401 bad key")),
  x: terminal(assistant("", { stopReason: "aborted" })),
};

/** An allowed tool call. */
export function callRequest(id = "1", fields: Partial<ToolCallRequest> = {}): ToolCallRequest {
  const toolCall = call(id, "echo", { path: "a" });
  return {
    toolCall,
    tool: tool(),
    args: { path: "a" },
    assistantMessage: assistant([toolCall]),
    context: context() as ToolCallRequest["context"],
    signal: new AbortController().signal,
    ...fields,
  };
}
