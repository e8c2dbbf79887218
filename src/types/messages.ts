import type { AssistantMessage, Message } from "@earendil-works/pi-ai";

/**
 * Message types of an app, added by declaration merging: each property's type joins {@link AgentMessage}.
 *
 * @remarks They live in the transcript like any other message; `convertToLlm` decides what the model sees of them.
 *
 * @example
 * ```ts
 * declare module "pi-agent-rx" {
 *   interface CustomAgentMessages {
 *     notice: { role: "notice"; text: string; timestamp: number };
 *   }
 * }
 * ```
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled by the apps that merge into it
export interface CustomAgentMessages {}

/** Any message of a transcript: those of the LLM (system, user, assistant, toolResult) and the app's own. */
export type AgentMessage = Message | CustomAgentMessages[keyof CustomAgentMessages];

/** One tool call block of an assistant message. */
export type AgentToolCall = Extract<AssistantMessage["content"][number], { type: "toolCall" }>;

/** How much reasoning is asked of the model; `"off"` asks for none. Models may support only some of them. */
export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/**
 * How many queued messages one drain point takes: the oldest, or every one.
 *
 * @defaultValue `"one-at-a-time"`
 */
export type QueueMode = "all" | "one-at-a-time";
