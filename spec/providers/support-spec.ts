import { describe, expect, it } from "@jest/globals";
import { answer, text } from "./support/answer";
import { stream, type StreamOptions } from "./support/reply";
import { useServers } from "./support/useServers";
import { wires } from "./support/wires";

describe.each(wires)("a scripted server for $name", (wire) => {
  const serve = useServers();

  async function chunksOf(options: StreamOptions): Promise<Uint8Array[]> {
    const server = await serve(stream(wire.frames(answer(text("東京 ", "🎉"))), options));
    const response = await fetch(server.url, { method: "POST", body: "{}" });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) chunks.push(chunk);
    return chunks;
  }

  const broken = (chunks: readonly Uint8Array[]) =>
    chunks.filter((chunk) => Buffer.from(chunk).toString().includes("\ufffd")).length;

  it("cuts every character apart in chunks by byte, and the client reads them apart", async () => {
    expect(broken(await chunksOf({ chunking: "byte" }))).toBe(10);
  });

  it("cuts nothing but characters apart in chunks by insideCharacters", async () => {
    const chunks = await chunksOf({ chunking: "insideCharacters" });
    expect(chunks.length).toBe(8);
    expect(broken(chunks)).toBe(8);
  });

  it("keeps characters whole in chunks by frame", async () => {
    const chunks = await chunksOf({ chunking: "frame" });
    expect(chunks.length).toBe(wire.frames(answer(text("東京 ", "🎉"))).length);
    expect(broken(chunks)).toBe(0);
  });

  it("sends the same bytes however they are cut", async () => {
    const whole = Buffer.concat(await chunksOf({ chunking: "whole" }));
    for (const chunking of ["frame", "byte", "insideCharacters"] as const) {
      expect(Buffer.concat(await chunksOf({ chunking })).equals(whole)).toBe(true);
    }
  });

  it("can end inside a character", async () => {
    const bytes = Buffer.concat(await chunksOf({ upTo: "🎉", inside: "🎉" }));
    expect(bytes.at(-1)).toBe(0xf0);
    expect(bytes.includes("東京")).toBe(true);
  });

  it("destroys the connection when it is to cut", async () => {
    await expect(chunksOf({ upTo: "東京", then: "cut" })).rejects.toThrow("terminated");
  });

  it("tells a client that hung up from one that read to the end", async () => {
    const frames = wire.frames(answer(text("Hi")));
    const server = await serve(stream(frames), stream(frames, { upTo: "Hi", then: "stall" }));
    await (await fetch(server.url, { method: "POST", body: "{}" })).text();
    const stalled = await fetch(server.url, { method: "POST", body: "{}" });
    await stalled.body?.cancel();
    expect(await Promise.all(server.exchanges.map(({ hungUp }) => hungUp))).toEqual([false, true]);
  });
});
