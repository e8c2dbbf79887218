import type { AssistantMessage, AssistantMessageEvent, ToolCall } from "@earendil-works/pi-ai";
import { fromEvent, interval, map, merge, NEVER, of, takeWhile, type Observable } from "rxjs";
import type { Reply } from "./respond";

/** The events of a whole reply. The message they share grows as they are pulled. */
function* eventsOf({ text, calls }: Reply, partial: AssistantMessage): Generator<AssistantMessageEvent> {
  yield { type: "start", partial };
  let contentIndex = 0;
  if (text !== "") {
    const block = { type: "text" as const, text: "" };
    partial.content.push(block);
    yield { type: "text_start", contentIndex, partial };
    for (const delta of text.match(/\s*\S+|\s+$/g) ?? []) {
      block.text += delta;
      yield { type: "text_delta", contentIndex, delta, partial };
    }
    yield { type: "text_end", contentIndex, content: text, partial };
    contentIndex++;
  }
  for (const call of calls) {
    const toolCall: ToolCall = { type: "toolCall", id: crypto.randomUUID(), name: call.name, arguments: {} };
    partial.content.push(toolCall);
    yield { type: "toolcall_start", contentIndex, partial };
    toolCall.arguments = call.arguments;
    yield { type: "toolcall_delta", contentIndex, delta: JSON.stringify(call.arguments), partial };
    yield { type: "toolcall_end", contentIndex, toolCall, partial };
    contentIndex++;
  }
  const reason = calls.length > 0 ? "toolUse" : "stop";
  partial.stopReason = reason;
  yield { type: "done", reason, message: partial };
}

const abortOf = (signal: AbortSignal | undefined): Observable<unknown> =>
  !signal ? NEVER : signal.aborted ? of(undefined) : fromEvent(signal, "abort");

/** Speaks a reply word by word, one event every `paceMs`; an abort ends it where it is. */
export function speak(
  reply: Reply,
  partial: AssistantMessage,
  paceMs: number,
  signal?: AbortSignal,
): Observable<AssistantMessageEvent> {
  const events = eventsOf(reply, partial);
  const aborted$ = abortOf(signal).pipe(
    map((): AssistantMessageEvent => {
      const error: AssistantMessage = {
        ...partial,
        stopReason: "aborted",
        errorMessage: "Request was aborted",
      };
      return { type: "error", reason: "aborted", error };
    }),
  );
  // A generator on a timer: each event is made when its time has come, so the message never runs ahead of it.
  const spoken$ = interval(paceMs).pipe(map(() => events.next().value as AssistantMessageEvent));
  return merge(aborted$, spoken$).pipe(takeWhile(({ type }) => type !== "done" && type !== "error", true));
}
