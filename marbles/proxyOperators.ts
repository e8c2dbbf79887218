import { normalizeContext, type AssistantMessageEvent } from "@earendil-works/pi-ai";
import type { DiagramOperator } from "pi-agent-rx/testing";
import { concatMap, map, Observable, type OperatorFunction } from "rxjs";
import { proxyEvents } from "../src/proxy/proxyEvents";
import { proxyResponse } from "../src/proxy/proxyResponse";
import { sseBody } from "../src/proxy/sseBody";
import { toProxyEvent } from "../src/proxy/toProxyEvent";
import { virtualStreams } from "./virtualStreams";

const { settled, VirtualReader, VirtualStream, withGlobal } = virtualStreams;

type Events = AssistantMessageEvent;

/** A diagram's provider opens its blocks with their first piece; what travels has an event for that. */
function withStarts(): OperatorFunction<Events | Uint8Array, Events | Uint8Array> {
  const begun = new Set<number>();
  return concatMap((event) => {
    if (!("contentIndex" in event) || begun.has(event.contentIndex)) return [event];
    begun.add(event.contentIndex);
    return [{ ...event, type: event.type.replace(/_\w+$/, "_start") } as Events, event];
  });
}

function eventOf(text: string): unknown {
  return text.startsWith("data: ") ? JSON.parse(text.slice("data: ".length)) : "comment";
}

/**
 * The two ends of the proxy, without the door that is a promise in each: what the client makes of a response's body, what
 * the server writes into one.
 */
export const proxyOperators: Record<string, DiagramOperator> = {
  // The source is the body: events of a model as they travel, each a chunk, or `bytes`.
  streamProxy:
    ({ argument, control, options }) =>
    (source$: Observable<Events | Uint8Array>) =>
      new Observable<Events>((subscriber) => {
        const model = options.initialState!.model!;
        const encode = toProxyEvent(model);
        const encoder = new TextEncoder();
        const chunks$ = source$.pipe(
          withStarts(),
          map((event) =>
            event instanceof Uint8Array
              ? event
              : encoder.encode(`data: ${JSON.stringify(encode(event))}\n\n`),
          ),
        );
        const body = { getReader: () => new VirtualReader(chunks$) };
        const response = { ok: true, status: 200, statusText: "", body, ...argument<object>() };
        const proxy = { authToken: "token", proxyUrl: "", signal: control.signal };
        return withGlobal({ fetch: () => settled(response) }, () =>
          proxyResponse(model, normalizeContext({ messages: [] }), proxy).subscribe(subscriber),
        );
      }),
  // The source is the provider's response. `o` in `input reads:` asks for a chunk; its end is the client hanging up.
  proxyHandler:
    ({ argument, input, options }) =>
    (source$: Observable<Events>) => {
      const stream = { [Symbol.asyncIterator]: () => new VirtualReader(source$.pipe(withStarts())) };
      const body = withGlobal({ ReadableStream: VirtualStream }, () =>
        sseBody(
          (pace) =>
            proxyEvents(options.initialState!.model!, () => stream as unknown as AsyncIterable<Events>, pace),
          argument<number>() ?? 0,
        ),
      ) as unknown as InstanceType<typeof VirtualStream>;
      const decoder = new TextDecoder();
      return body.read(input("reads")).pipe(map((chunk) => eventOf(decoder.decode(chunk))));
    },
};
