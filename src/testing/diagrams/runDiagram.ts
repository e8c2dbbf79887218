import { drawDiagram } from "./drawDiagram";
import { marbleRow } from "./marbleRow";
import { parseDiagram, type Diagram, type DiagramRow } from "./parseDiagram";
import { subscriptionRow } from "./subscriptionRow";
import type { DiagramOptions } from "./traceDiagram";

const OUTPUTS = ["listener", "events", "of", "settled", "result"];

// One spelling for each meaning, so that trailing dashes and pauses written out do not count.
function normal(row: DiagramRow): string {
  if (row.marbles.includes("‹")) return row.marbles;
  if (row.kind === "sub") return subscriptionRow.draw(subscriptionRow.parse(row.marbles));
  return OUTPUTS.includes(row.kind) ? marbleRow.draw(marbleRow.parse(row.marbles)) : row.marbles;
}

function firstDifference(expected: string, actual: string): number {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at++;
  return at;
}

function compared(label: string, expected: string, actual: string): string[] {
  if (expected === actual) return [];
  const at = firstDifference(expected, actual);
  const place = expected.slice(0, at).includes(" ") || /^\w+ /.test(expected) ? "here" : `column ${at}`;
  return [
    `  ${label}`,
    `    expected  ${expected}`,
    `    actual    ${actual}`,
    `              ${" ".repeat(at)}^ ${place}`,
    "",
  ];
}

const labelOf = (row: DiagramRow, input: string) =>
  row.kind === "sub" ? `sub, of ${input}` : [row.kind, row.name].join(" ").trim();

function differences(expected: Diagram, actual: Diagram): string[] {
  let input = "";
  const rows = expected.rows.flatMap((row, index) => {
    if (row.kind !== "sub") input = labelOf(row, "");
    // Where time is written out, columns are no frames, and rows need not be indented to them.
    const free = !OUTPUTS.includes(row.kind) && row.kind !== "sub" && / \d/.test(allMarbles(expected));
    return free ? [] : compared(labelOf(row, input), normal(row), normal(actual.rows[index]!));
  });
  const settings = Object.entries(expected.settings).flatMap(([name, value]) =>
    compared(name, value, actual.settings[name] ?? "none"),
  );
  return [...rows, ...settings];
}

const allMarbles = ({ rows }: Diagram) => rows.map(({ marbles }) => marbles.trim()).join("\n");

/**
 * Runs a diagram in virtual time, against an agent of yours, and compares all it draws with what happened.
 *
 * @throws Error that shows the rows as drawn and as they came out, one above the other, with the first difference pointed
 * at
 */
export function runDiagram(text: string, options: DiagramOptions): void {
  const expected = parseDiagram(text);
  const drawn = drawDiagram(text, options);
  const problems = drawn.split("\n").filter((line) => line.startsWith("‹"));
  const actual = parseDiagram(
    drawn
      .split("\n")
      .filter((line) => !line.startsWith("‹"))
      .join("\n"),
  );
  const crowded = expected.rows.filter(({ marbles }) => marbles.includes("‹"));
  const room = crowded.map(
    ({ line }) => `line ${line + 1} has no room for what happened: let the inputs wait longer`,
  );
  const found = [...problems, ...room, ...differences(expected, actual)];
  if (found.length > 0) {
    throw new Error(`"${expected.title}" did not run as it is drawn:\n\n${found.join("\n")}`);
  }
}
