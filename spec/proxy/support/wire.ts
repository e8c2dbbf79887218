import { usage } from "./usage";

/** One event as servers write it. */
export const frame = (event: object) => `data: ${JSON.stringify(event)}\n\n`;

/** A short answer, event by event, as it travels. */
export const hello: readonly object[] = [
  { type: "start" },
  { type: "text_start", contentIndex: 0 },
  { type: "text_delta", contentIndex: 0, delta: "Grüße " },
  { type: "text_delta", contentIndex: 0, delta: "☕" },
  { type: "text_end", contentIndex: 0, contentSignature: "sig" },
  { type: "done", reason: "stop", usage },
];

/** The content that `hello` adds up to. */
export const helloContent = [{ type: "text", text: "Grüße ☕", textSignature: "sig" }];
