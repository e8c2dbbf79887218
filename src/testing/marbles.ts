import { parseRow } from "./agent/parseRow";
import { fail } from "./fail";
import type { FakePart } from "./FakeResponse";
import { pause } from "./pause";
import { say } from "./say";
import { stall } from "./stall";

/**
 * A response of a fake model as marbles: each letter a part at its frame, `|` its end, `#` an error, neither a stall.
 *
 * @param row - RxJS marble syntax; a frame is a millisecond.
 * @param parts - What the letters stand for. @defaultValue a letter is said as it is
 * @param error - What `#` fails with. @defaultValue "The model failed"
 *
 * @example
 * ```ts
 * const read = fakeTool("read");
 * const fake = fakeModel([marbles("-a--b|", { a: say("I look."), b: call("read") }), marbles("--a|")]);
 * const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model, tools: [read] } });
 * await agent.prompt("Hi");
 * ```
 */
export function marbles(
  row: string,
  parts: Record<string, FakePart> = {},
  error = "The model failed",
): FakePart[] {
  let now = 0;
  const marks = parseRow(row);
  const ends = marks.some(({ letter }) => letter === "|" || letter === "#");
  const said = marks.flatMap(({ frame, letter }): FakePart[] => {
    const wait = pause(frame - now);
    now = frame;
    if (letter === "|") return [wait];
    return [wait, letter === "#" ? fail(error) : (parts[letter] ?? say(letter))];
  });
  return ends ? said : [...said, stall()];
}
