import type {
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
} from "@earendil-works/pi-ai";

/** What a stream gave: its events without the live message, and the message it ended with. */
export interface Collected {
  events: object[];
  message: AssistantMessage;
}

/** Reads a stream to its end. */
export async function collect(stream: AssistantMessageEventStream): Promise<Collected> {
  const events: object[] = [];
  for await (const event of stream) events.push(bare(event));
  return { events, message: await stream.result() };
}

/** An event without what is live in it. */
export function bare(event: AssistantMessageEvent): object {
  if (event.type === "done") return { type: event.type, reason: event.reason };
  if (event.type === "error") return { type: event.type, reason: event.reason };
  const { partial: _partial, ...rest } = event;
  return structuredClone(rest);
}
