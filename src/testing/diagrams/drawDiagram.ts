import { marbleRow } from "./marbleRow";
import { parseDiagram, type Diagram, type DiagramRow } from "./parseDiagram";
import { subscriptionRow } from "./subscriptionRow";
import { traceDiagram, type DiagramOptions, type Trace } from "./traceDiagram";

/** Kinds of rows that go in, from the frame in which they are subscribed. */
const INPUTS = ["model", "tool", "stream", "hook"];

/** Rows that are subscribed later than that are where their writer put them: time is written out then. */
const LONGEST = 1000;

/** Kinds of rows that go in at the frames in which they are drawn. */
const GIVEN = ["user", "source", "input"];

function drawn(row: DiagramRow, input: DiagramRow | undefined, { marks, sources }: Trace): string {
  if (row.kind === "sub") return subscriptionRow.draw(input && sources.span(input));
  if (INPUTS.includes(row.kind)) {
    const { subscribedFrame: from = 0 } = sources.span(row) ?? {};
    return from > LONGEST ? row.marbles : " ".repeat(from) + row.marbles.trim();
  }
  if (GIVEN.includes(row.kind)) return row.marbles.trimStart();
  return marbleRow.draw(marks[[row.kind, row.name].join(" ").trim()] ?? []);
}

/** The rows of a diagram as they really come out, by the index of their line. */
function actualLines(diagram: Diagram, trace: Trace): Map<number, string> {
  const lines = new Map<number, string>();
  let input: DiagramRow | undefined;
  for (const row of diagram.rows) {
    lines.set(row.line, drawn(row, input, trace));
    if (row.kind !== "sub") input = row;
  }
  return lines;
}

/**
 * Draws a diagram: runs what goes in, and gives the text back with the rows as they came out.
 *
 * @remarks Write the inputs, an empty row for each output you want to see (`events: -`), and let it fill them in. Check what
 * it drew: from then on it is what the run is held to.
 */
export function drawDiagram(text: string, options: DiagramOptions): string {
  const diagram = parseDiagram(text);
  const trace = traceDiagram(diagram, options);
  const actual = actualLines(diagram, trace);
  const lines = text.replace(/\s+$/, "").split(/\r?\n/);
  const labels = diagram.rows.map(({ line }) => lines[line]!.indexOf(":") + 3);
  const column = Math.max(...labels);
  const result = lines.map((line, index) => {
    const marbles = actual.get(index);
    if (marbles !== undefined) {
      return (line.slice(0, line.indexOf(":") + 1).padEnd(column) + marbles).trimEnd();
    }
    const setting = /^(outcome|transcript|(?:request|result) \d+):/.exec(line)?.[1];
    return setting ? `${setting}: ${trace.settings[setting] ?? "none"}` : line;
  });
  const problems = trace.sources.problems.map((problem) => `‹${problem}›`);
  return [...result, ...problems].join("\n") + "\n";
}
