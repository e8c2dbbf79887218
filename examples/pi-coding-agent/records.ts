import type { Readable } from "node:stream";

/** One line that pi wrote: an event, or the response to a command. */
export interface PiRecord {
  type: string;
  [field: string]: unknown;
}

/** The records of a stream of JSON lines, each as soon as it is whole. */
export async function* records(stream: Readable): AsyncGenerator<PiRecord> {
  let rest = "";
  for await (const text of stream.setEncoding("utf8") as AsyncIterable<string>) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as PiRecord;
  }
}
