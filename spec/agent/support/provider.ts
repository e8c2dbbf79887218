import type {
  AssistantMessage,
  AssistantMessageEvent,
  Message,
  SimpleStreamOptions,
} from "@earendil-works/pi-ai";
import { concatMap, delay, from, isObservable, of, type Observable } from "rxjs";
import type { ReactiveStreamFn } from "pi-agent-rx";
import { answer, inShort, terminal } from "./messages";

/** What the provider was asked. */
export interface Request {
  model: string;
  /** The messages as they were at the time. */
  messages: Message[];
  options: SimpleStreamOptions;
}

type Output = ReturnType<ReactiveStreamFn>;
/** A whole answer, its events, or what makes them. */
export type Response = AssistantMessage | Observable<AssistantMessageEvent> | ((request: Request) => Output);

/** All events of an answer. */
export function eventsOf(message: AssistantMessage): AssistantMessageEvent[] {
  const content: AssistantMessage["content"] = [];
  const partial = (): AssistantMessage => ({ ...message, stopReason: "stop", content: [...content] });
  const events: AssistantMessageEvent[] = [{ type: "start", partial: partial() }];
  message.content.forEach((block, contentIndex) => {
    content.push(block);
    if (block.type === "toolCall")
      events.push({ type: "toolcall_end", contentIndex, toolCall: block, partial: partial() });
    if (block.type === "text")
      events.push({ type: "text_delta", contentIndex, delta: block.text, partial: partial() });
  });
  return [...events, terminal(message)];
}

/** An answer as a stream, at once or one event every `ms`. */
export function reply(message: AssistantMessage, ms = 0): Observable<AssistantMessageEvent> {
  const events$ = from(eventsOf(message));
  return ms > 0 ? events$.pipe(concatMap((event) => of(event).pipe(delay(ms)))) : events$;
}

/** A provider that follows a script, and after its end has nothing more to say. */
export function scripted(responses: readonly Response[]) {
  const requests: Request[] = [];
  const streamFn: ReactiveStreamFn = (model, { messages }, options = {}) => {
    const request = { model: model.id, messages: [...messages], options };
    const response = responses[requests.length] ?? answer("nothing more");
    requests.push(request);
    if (typeof response === "function") return response(request);
    return isObservable(response) ? response : reply(response);
  };
  return { streamFn, requests };
}

/** What the model was shown, as lines, without system messages. */
export function shown(request: Request | undefined): string[] {
  if (!request) throw new Error("there was no such request");
  return request.messages.filter(({ role }) => role !== "system").map(inShort);
}
