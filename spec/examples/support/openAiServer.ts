import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A request as the server got it. */
export interface Seen {
  path: string;
  authorization: string | undefined;
  body: { model?: string; messages?: { role: string; content?: unknown }[]; tools?: unknown[] };
}

/** Answers one request, of which it is told how many were before. */
export type Answer = (response: ServerResponse, count: number) => void;

/** A server on 127.0.0.1 that answers with `answer` and keeps what it was asked. */
export async function openAiServer(answer: Answer) {
  const seen: Seen[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = request.method === "POST" ? ((await json(request)) as Seen["body"]) : {};
    const { authorization } = request.headers;
    seen.push({ path: request.url ?? "", authorization, body });
    answer(response, seen.length - 1);
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends server-sent events and ends. */
export function sendEvents(response: ServerResponse, events: object[]) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    const name = "type" in event ? `event: ${String(event.type)}\n` : "";
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end("data: [DONE]\n\n");
}

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: "chat",
  object: "chat.completion.chunk",
  created: 0,
  model: "spec",
  choices: [{ index: 0, delta, finish_reason }],
});

/** A text, word by word. */
export const textChunks = (text: string) => [
  chunk({ role: "assistant", content: "" }),
  ...text.split(/(?= )/).map((content) => chunk({ content })),
  chunk({}, "stop"),
];

/** Tool calls, their arguments in two pieces. */
export const callChunks = (calls: { name: string; args: object }[], id = "call") => [
  ...calls.flatMap(({ name, args }, index) => {
    const text = JSON.stringify(args);
    const piece = (part: object) => chunk({ tool_calls: [{ index, ...part }] });
    return [
      piece({ id: `${id}_${index}`, type: "function", function: { name, arguments: text.slice(0, 5) } }),
      piece({ function: { arguments: text.slice(5) } }),
    ];
  }),
  chunk({}, "tool_calls"),
];
