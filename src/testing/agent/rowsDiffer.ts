import type { Mark } from "./parseRow";

const lettersAt = (marks: readonly Mark[], frame: number) =>
  marks
    .filter((mark) => mark.frame === frame)
    .map(({ letter }) => letter)
    .join("");

function firstDifference(expected: string, actual: string): number {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at++;
  return at;
}

/** Two rows one above the other, a column a frame, and a `^` under the first difference; undefined when they are the same. */
export function rowsDiffer(expected: readonly Mark[], actual: readonly Mark[]): string | undefined {
  const frames = [...new Set([...expected, ...actual].map(({ frame }) => frame))].sort((a, b) => a - b);
  const columns = frames.map((frame) => {
    const wanted = lettersAt(expected, frame);
    const got = lettersAt(actual, frame);
    const width = Math.max(String(frame).length, wanted.length + 1, got.length + 1) + 1;
    return { frame, wanted, got, width };
  });
  const wrong = columns.findIndex(({ wanted, got }) => wanted !== got);
  if (wrong < 0) return undefined;
  const row = (title: string, cell: (column: (typeof columns)[number]) => string) =>
    (title.padEnd(10) + columns.map((column) => cell(column).padEnd(column.width)).join("")).trimEnd();
  const { frame, wanted, got } = columns[wrong]!;
  const offset = columns.slice(0, wrong).reduce((sum, { width }) => sum + width, 10);
  const at = firstDifference(wanted, got);
  return [
    `at frame ${frame}: expected ${wanted[at] ?? "nothing more"}, got ${got[at] ?? "nothing more"}`,
    row("frame", (column) => String(column.frame)),
    row("expected", (column) => column.wanted || "."),
    row("actual", (column) => column.got || "."),
    `${" ".repeat(offset + at)}^`,
  ].join("\n");
}
