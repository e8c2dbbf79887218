import type { AssistantMessage, StopReason, ToolCall } from "@earendil-works/pi-ai";

/** What the end of a response tells besides its reason; sent where the message holds it. */
type ResponseDetails = Partial<
  Pick<
    AssistantMessage,
    "providerThinkingLevel" | "responseId" | "responseModel" | "rawStopReason" | "endTurn" | "deferred"
  >
> & {
  /** The whole content, sent only where the events before do not add up to it. */
  content?: AssistantMessage["content"];
};

/**
 * One event of a proxied response as it travels: a provider event without `partial`, which the client rebuilds.
 *
 * @remarks The events of pi-agent-core's proxy. What is optional here and absent there is sent by `proxyHandler` where
 * pi's fields alone would lose something; pi's client skips it.
 */
export type ProxyAssistantMessageEvent =
  | { type: "start" }
  | { type: "text_start"; contentIndex: number }
  | { type: "text_delta"; contentIndex: number; delta: string }
  | { type: "text_end"; contentIndex: number; contentSignature?: string; content?: string }
  | { type: "thinking_start"; contentIndex: number }
  | { type: "thinking_delta"; contentIndex: number; delta: string }
  | {
      type: "thinking_end";
      contentIndex: number;
      contentSignature?: string;
      content?: string;
      redacted?: boolean;
    }
  | { type: "toolcall_start"; contentIndex: number; id: string; toolName: string }
  | { type: "toolcall_delta"; contentIndex: number; delta: string }
  | { type: "toolcall_end"; contentIndex: number; toolCall: ToolCall }
  | ({
      type: "done";
      reason: Extract<StopReason, "stop" | "length" | "toolUse">;
      usage: AssistantMessage["usage"];
    } & ResponseDetails)
  | ({
      type: "error";
      reason: Extract<StopReason, "aborted" | "error">;
      errorMessage?: string;
      usage: AssistantMessage["usage"];
    } & ResponseDetails);

/** A {@link ProxyAssistantMessageEvent}, or the end of a deferred response, which pi's type has no word for. */
export type ProxyWireEvent =
  | ProxyAssistantMessageEvent
  | (Omit<Extract<ProxyAssistantMessageEvent, { type: "done" }>, "reason"> & { reason: "deferred" });
