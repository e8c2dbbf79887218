import type { AgentToolResult } from "../types/tool";

/** What one call of a fake tool does. Times are ms from the start of the call, virtual in a virtual-time test. */
export interface FakeToolRun {
  /** What it reports meanwhile: text, or a whole result. */
  updates?: readonly { at: number; text?: string; result?: AgentToolResult<unknown> }[];
  /** When it ends. @defaultValue 0, or the time of its last update: with neither it ends synchronously */
  at?: number;
  /** The text of its result. @defaultValue "done" */
  text?: string;
  /** Its whole result, instead of a text. */
  result?: AgentToolResult<unknown>;
  /** It throws this, instead of a result. */
  fail?: string;
  /** It never ends by itself. */
  stall?: boolean;
  /** Goes on after an abort, like a tool that does not hear the signal. @defaultValue false: it throws "Operation aborted" */
  ignoreAbort?: boolean;
}

/** One step of a fake tool's script: a text, a run, or what makes it of the arguments. */
export type FakeToolStep = string | FakeToolRun | ((params: unknown) => string | FakeToolRun);
