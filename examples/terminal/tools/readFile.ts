import { StringDecoder } from "node:string_decoder";
import type { FileHandle } from "node:fs/promises";
import { int, obj, opt, str } from "@earendil-works/pi-schema";
import type { ReactiveTool } from "pi-agent-rx";
import { checkAbort } from "./checkAbort";
import { plural } from "./plural";
import { textResult } from "./textResult";
import type { Workspace } from "./workspace";

const LINES = 400;
const LINE_LENGTH = 1_000;
const CHARACTERS = 60_000;
const SCANNED_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

const parameters = obj({
  path: str({ description: "File, relative to the current folder", minLength: 1 }),
  offset: opt(int({ minimum: 1, description: "First line wanted. Default: 1" })),
  limit: opt(int({ minimum: 1, maximum: LINES, description: `Lines wanted. Default and most: ${LINES}` })),
});

interface Excerpt {
  lines: string[];
  /** How many lines were counted, and whether that is the whole file. */
  counted: number;
  whole: boolean;
}

/** The bytes of a file, in chunks, as far as lines are counted. */
async function* chunksOf(file: FileHandle, signal?: AbortSignal): AsyncGenerator<Buffer> {
  for (let position = 0; position < SCANNED_BYTES; position += CHUNK_BYTES) {
    checkAbort(signal);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function excerpt(
  file: FileHandle,
  first: number,
  limit: number,
  signal?: AbortSignal,
): Promise<Excerpt> {
  const decoder = new StringDecoder("utf8");
  const lines: string[] = [];
  let room = CHARACTERS;
  let counted = 0;
  let bytes = 0;
  let line = "";
  const end = () => {
    counted++;
    if (counted >= first && lines.length < limit && room > 0) {
      const kept = line.endsWith("\r") ? line.slice(0, -1) : line;
      lines.push(kept.length > LINE_LENGTH ? `${kept.slice(0, LINE_LENGTH)}… [line cut]` : kept);
      room -= Math.min(kept.length, LINE_LENGTH) + 1;
    }
    line = "";
  };
  for await (const chunk of chunksOf(file, signal)) {
    if (bytes === 0 && chunk.includes(0)) throw new Error("binary file, not shown");
    bytes += chunk.length;
    const parts = decoder.write(chunk).split("\n");
    parts.forEach((part, index) => {
      if (index > 0) end();
      if (line.length <= LINE_LENGTH) line += part;
    });
  }
  if (line !== "") end();
  return { lines, counted, whole: bytes === (await file.stat()).size };
}

/** The tool that reads a text file, or a part of it. */
export const readFile = (workspace: Workspace): ReactiveTool<typeof parameters> => ({
  name: "read_file",
  label: "Read a file",
  description: `Reads a text file, at most ${LINES} lines at once; offset and limit choose which.`,
  parameters,
  execute: async (_id, { path, offset = 1, limit = LINES }, signal) => {
    const file = await workspace.open(path);
    try {
      const { lines, counted, whole } = await excerpt(file, offset, limit, signal);
      const { size } = await file.stat();
      if (offset > Math.max(counted, 1)) throw new Error(`${path} has only ${plural(counted, "line")}`);
      const last = offset + lines.length - 1;
      const range =
        lines.length === 0 ? "empty" : `lines ${offset}–${last} of ${counted}${whole ? "" : " or more"}`;
      const note = last < counted ? [`[read on with offset ${last + 1}]`] : [];
      return textResult([`${range}, ${plural(size, "byte")}`, "", ...lines, ...note].join("\n"));
    } finally {
      await file.close();
    }
  },
});
