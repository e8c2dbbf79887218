/** Where the bytes of a response body are cut into HTTP chunks. */
export type Chunking = "whole" | "frame" | "byte" | "insideCharacters";

/** Cuts the frames of an SSE body into the pieces that are written one by one. */
export function chunk(frames: readonly Buffer[], chunking: Chunking): readonly Buffer[] {
  if (chunking === "frame") return frames;
  const body = Buffer.concat(frames);
  if (chunking === "whole") return [body];
  return cut(body, chunking === "byte" ? () => true : isContinuation);
}

function cut(bytes: Buffer, cutsBefore: (byte: number) => boolean): Buffer[] {
  const pieces: Buffer[] = [];
  let start = 0;
  for (let index = 1; index < bytes.length; index++) {
    if (!cutsBefore(bytes[index] ?? 0)) continue;
    pieces.push(bytes.subarray(start, index));
    start = index;
  }
  pieces.push(bytes.subarray(start));
  return pieces;
}

/** True for the second and later bytes of a character in UTF-8. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
