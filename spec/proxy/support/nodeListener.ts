import type { RequestListener } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

/** Mounts a Web-standard handler on `node:http`. */
export function nodeListener(handle: (request: Request) => Promise<Response>): RequestListener {
  return (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
    const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
      method: incoming.method,
      headers: incoming.headers as Record<string, string>,
      signal: gone.signal,
      ...(hasBody && { body: Readable.toWeb(incoming), duplex: "half" }),
    } as RequestInit);
    void handle(request).then(async ({ status, headers, body }) => {
      outgoing.writeHead(status, Object.fromEntries(headers));
      if (!body) return outgoing.end();
      // A client that hangs up ends the pipeline, which cancels the body.
      await pipeline(Readable.fromWeb(body as ReadableStream), outgoing).catch(() => {});
    });
  };
}
