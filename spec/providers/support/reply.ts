import type { Chunking } from "./chunking";

/** What the server does with one request. */
export type Reply =
  | { readonly type: "stream"; readonly frames: readonly Buffer[]; readonly options: StreamOptions }
  | {
      readonly type: "status";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly type: "silence" };

export interface StreamOptions {
  /** @defaultValue "whole" */
  readonly chunking?: Chunking;
  /** Milliseconds before every chunk. @defaultValue 0 */
  readonly pauseMs?: number;
  /** The last frame that is sent is the first that holds this text. @defaultValue all frames are sent */
  readonly upTo?: string;
  /** Of that last frame, send only what comes before this text and the text's first byte. */
  readonly inside?: string;
  /** What happens then: end the body, destroy the connection, or keep it open. @defaultValue "end" */
  readonly then?: "end" | "cut" | "stall";
}

export function stream(frames: readonly string[], options: StreamOptions = {}): Reply {
  const sent = framesUpTo(frames, options.upTo).map((frame) => Buffer.from(frame));
  const last = sent.pop() ?? Buffer.alloc(0);
  return { type: "stream", frames: [...sent, beginning(last, options.inside)], options };
}

export function status(code: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { type: "status", status: code, headers, body };
}

/** Takes the request and never answers. */
export function silence(): Reply {
  return { type: "silence" };
}

function framesUpTo(frames: readonly string[], text: string | undefined): readonly string[] {
  if (text === undefined) return frames;
  const last = frames.findIndex((frame) => frame.includes(text));
  if (last < 0) throw new Error(`no frame holds ${JSON.stringify(text)}`);
  return frames.slice(0, last + 1);
}

function beginning(frame: Buffer, text: string | undefined): Buffer {
  if (text === undefined) return frame;
  const position = frame.indexOf(text);
  if (position < 0) throw new Error(`the last frame does not hold ${JSON.stringify(text)}`);
  return frame.subarray(0, position + 1);
}
