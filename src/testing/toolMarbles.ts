import type { AgentToolResult } from "../types/tool";
import { parseRow } from "./agent/parseRow";
import type { FakeToolRun } from "./FakeToolRun";

/**
 * A run of a fake tool as marbles: its last letter is the result, which comes at `|`; those before are updates at their
 * frames; `#` is a failure, neither a stall.
 *
 * @param row - RxJS marble syntax; a frame is a millisecond.
 * @param values - What the letters stand for, texts or results. @defaultValue a letter is a text
 * @param error - What `#` throws. @defaultValue "The tool failed"
 *
 * @example
 * ```ts
 * const build = fakeTool("build", toolMarbles("-a-b-r|", { a: "half", b: "almost", r: "built" }));
 * const fake = fakeModel([call("build"), "Done."]);
 * const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model, tools: [build] } });
 * await agent.prompt("Build it");
 * ```
 */
export function toolMarbles(
  row: string,
  values: Record<string, string | AgentToolResult<unknown>> = {},
  error = "The tool failed",
): FakeToolRun {
  const marks = parseRow(row);
  const end = marks.find(({ letter }) => letter === "|" || letter === "#");
  const shown = marks
    .filter((mark) => mark !== end)
    .map(({ frame, letter }) => {
      const value = values[letter] ?? letter;
      return typeof value === "string" ? { at: frame, text: value } : { at: frame, result: value };
    });
  if (!end) return { updates: shown, stall: true };
  if (end.letter === "#") return { updates: shown, at: end.frame, fail: error };
  const { text, result } = shown.at(-1) ?? {};
  return { updates: shown.slice(0, -1), at: end.frame, text, result };
}
