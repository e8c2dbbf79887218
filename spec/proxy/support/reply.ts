import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

interface ReplyOptions {
  status?: number;
  headers?: Record<string, string>;
  /** What happens after the last piece. */
  then?: "end" | "destroy" | "stall";
}

/** One request as it came, body read. */
export interface Received {
  request: IncomingMessage;
  response: ServerResponse;
  body: string;
}

/** A listener that reads the request, tells it, and writes the pieces one by one. */
export function reply(
  pieces: readonly (string | Uint8Array)[],
  { status = 200, headers = { "content-type": "text/event-stream" }, then = "end" }: ReplyOptions = {},
  told: (received: Received) => void = () => {},
): RequestListener {
  return (request, response) => {
    void (async () => {
      let body = "";
      for await (const piece of request.setEncoding("utf8")) body += piece as string;
      told({ request, response, body });
      response.writeHead(status, headers);
      response.flushHeaders();
      for (const piece of pieces) await new Promise((done) => response.write(piece, done));
      if (then === "end") response.end();
      if (then === "destroy") response.destroy();
      if (then === "stall") await once(response, "close");
    })();
  };
}
