import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { chunk } from "./chunking";
import type { Reply } from "./reply";

/** One request as the server saw it. */
export interface Exchange {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Resolves when the connection is closed: true if the client hung up before the response had ended. */
  readonly hungUp: Promise<boolean>;
}

export interface SseServer {
  readonly url: string;
  /** Requests in the order they came. */
  readonly exchanges: readonly Exchange[];
  /** Resolves once `count` requests have been taken. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Answers the n-th request with the n-th reply of the script; a request too many gets a 418. */
export async function startSseServer(script: readonly Reply[]): Promise<SseServer> {
  const exchanges: Exchange[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    void take(request, response).then((exchange) => {
      const reply = script[exchanges.push(exchange) - 1];
      waiting.filter(({ count }) => count <= exchanges.length).forEach(({ resolve }) => resolve());
      return perform(reply, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    exchanges,
    received: (count) =>
      new Promise((resolve) => {
        if (exchanges.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function take(request: IncomingMessage, response: ServerResponse): Promise<Exchange> {
  const hungUp = once(response, "close").then(() => !response.writableFinished);
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const body: unknown = JSON.parse(Buffer.concat(pieces).toString());
  return { path: request.url ?? "", headers: request.headers, body, hungUp };
}

async function perform(reply: Reply | undefined, response: ServerResponse): Promise<void> {
  if (reply === undefined) {
    response.writeHead(418, { "x-should-retry": "false" }).end("no reply is scripted for this request");
  } else if (reply.type === "status") {
    response
      .writeHead(reply.status, { "content-type": "application/json", ...reply.headers })
      .end(reply.body);
  } else if (reply.type === "stream") {
    await performStream(reply, response);
  }
}

async function performStream(
  { frames, options }: Extract<Reply, { type: "stream" }>,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.flushHeaders();
  for (const piece of chunk(frames, options.chunking ?? "whole")) {
    // One turn of the event loop at least, so that the client reads each chunk by itself.
    await (options.pauseMs ? sleep(options.pauseMs) : nextTurn());
    if (response.destroyed) return;
    await new Promise<void>((resolve) => response.write(piece, () => resolve()));
  }
  if (options.then === "cut") response.destroy();
  else if (options.then !== "stall") response.end();
}
