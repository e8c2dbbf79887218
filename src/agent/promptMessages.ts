import type { ImageContent } from "@earendil-works/pi-ai";
import { asyncScheduler } from "rxjs";
import { arrayOf } from "../internal/arrayOf";
import { check } from "../internal/check";
import { expected } from "../internal/expected";
import { isObject } from "../internal/isObject";
import type { AgentMessage } from "../types/messages";

/** What `prompt()` takes. */
export type PromptInput = string | AgentMessage | AgentMessage[];

/** The messages of a prompt: text (with images) becomes a user message. */
export function promptMessages(input: PromptInput, images: ImageContent[] = []): AgentMessage[] {
  arrayOf("images", "images", images);
  if (typeof input === "string") {
    return [
      { role: "user", content: [{ type: "text", text: input }, ...images], timestamp: asyncScheduler.now() },
    ];
  }
  if (!isObject(input)) throw expected("prompt", "text, a message or an array of messages", input);
  const messages = Array.isArray(input) ? input : [input];
  check.messages("prompt", messages);
  return messages;
}
