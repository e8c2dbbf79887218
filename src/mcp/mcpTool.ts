import {
  limitMcpContent,
  normalizeMcpInputSchema,
  toLlmContent,
  type CallToolResult,
  type McpClient,
  type ProgressNotification,
  type Tool,
} from "@earendil-works/pi-mcp";
import type { JsonValue } from "@earendil-works/pi-ai";
import type { AgentTool, AgentToolResult } from "../types/tool";
import type { McpToolsOptions } from "./McpServer";
import { serverError } from "./serverError";

/** What is known of a call beside what the model reads. */
export interface McpToolDetails {
  /** The name of the server. */
  server: string;
  /** What the server calls the tool. */
  tool: string;
  /** In an update: how far it is. */
  progress?: Omit<ProgressNotification, "progressToken">;
  /** Where the whole text is, when the model's was cut. */
  fullOutputPath?: string;
}

/** Runs a call on the client that is there, or that comes back. */
export type OnClient = <T>(call: (client: McpClient) => Promise<T>, signal?: AbortSignal) => Promise<T>;

function progressText({ progress, total, message }: ProgressNotification): string {
  const share = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message === undefined ? share : `${message} (${share})`;
}

/** A tool of a server as a tool of the agent, under a name of its own. */
export function mcpTool(
  tool: Tool,
  name: string,
  server: string,
  onClient: OnClient,
  { timeoutMs, saveOutput }: McpToolsOptions,
): AgentTool<object, McpToolDetails> {
  const about = { server, tool: tool.name };
  const resultOf = async (result: CallToolResult): Promise<AgentToolResult<McpToolDetails>> => {
    const { content, fullOutputPath } = await limitMcpContent(toLlmContent(result), saveOutput);
    return {
      content,
      details: fullOutputPath === undefined ? about : { ...about, fullOutputPath },
      ...(result.structuredContent !== undefined && {
        structuredContent: result.structuredContent as JsonValue,
      }),
      ...(result.isError === true && { isError: true }),
    };
  };
  return {
    name,
    label: tool.title ?? tool.annotations?.title ?? tool.name,
    description: tool.description ?? tool.title ?? tool.name,
    parameters: normalizeMcpInputSchema(tool.inputSchema),
    ...(tool.outputSchema && { outputSchema: tool.outputSchema }),
    execute: async (_id, params, signal, onUpdate) => {
      const onProgress = (progress: ProgressNotification) => {
        const { progressToken: _token, ...rest } = progress;
        const content = [{ type: "text" as const, text: progressText(progress) }];
        onUpdate?.({ content, details: { ...about, progress: rest } });
      };
      const call = (client: McpClient) =>
        client.callTool(tool.name, params as Record<string, unknown>, { signal, timeoutMs, onProgress });
      try {
        return await resultOf(await onClient(call, signal));
      } catch (error) {
        throw serverError(server, "", error);
      }
    },
  };
}
