import { parseMeaning, type Meaning } from "./parseMeaning";

/** One aligned row of a diagram. */
export interface DiagramRow {
  /** `user`, `model`, `tool`, `stream`, `hook`, `input`, `source`, `sub`, `listener`, `events`, `of`, `settled` or `result`. */
  kind: string;
  /** What follows the kind: the tool, the hook, the input, the subject. */
  name: string;
  /** The row as it is written, its indentation included: one column is one frame. */
  marbles: string;
  /** Index of its line in the text. */
  line: number;
}

/** A diagram as it is written. */
export interface Diagram {
  title: string;
  notes: string[];
  /** Options, and what is checked that is no row, by name. */
  settings: Record<string, string>;
  /** What the letters stand for that are not of the fixed alphabets. */
  legend: Record<string, Meaning>;
  rows: DiagramRow[];
  /** The lines of settings and legend, for who draws the diagram. */
  explained: string[];
  /** Column of frame 0. */
  column: number;
}

const ROW =
  /^\s*(?:(user|model|source|sub|listener|events|settled|result)|(tool|stream|hook|input|of) ([^:]+)):(?=\s|$)/;
const SETTING = new RegExp(
  "^(toolExecution|toolConcurrency|steeringMode|followUpMode|abortGraceMs|sequential|hold|fail|does|heeds|response" +
    "|toolCall|finishTurn|context|operator|outcome|transcript|(?:request|result) \\d+|given \\S): *(.*)$",
);
const LEGEND = /^\s*\S = \w/;

function rowOf(text: string, line: number): DiagramRow | undefined {
  const found = ROW.exec(text);
  if (!found) return undefined;
  const [label, plain, kind, name = ""] = found;
  return { kind: plain ?? kind!, name, marbles: " ".repeat(label.length) + text.slice(label.length), line };
}

// What came out begins at frame 0, so its row tells where the others begin.
function columnOf(rows: DiagramRow[]): number {
  const out = rows.find(({ kind }) => kind === "events" || kind === "result");
  const column = out?.marbles.search(/\S/) ?? -1;
  if (column < 0) throw new Error("diagram: there is no row events: (or result:) that says what comes out");
  return column;
}

function aligned(row: DiagramRow, column: number): DiagramRow {
  if (row.marbles.slice(0, column).trim() !== "") {
    throw new Error(`diagram: line ${row.line + 1} (${row.kind}) begins before frame 0`);
  }
  return { ...row, marbles: row.marbles.slice(column).trimEnd() };
}

/**
 * Reads a diagram: its title, its notes, settings, the legend of its letters, and its rows.
 *
 * @throws Error that names the line which does not fit
 */
export function parseDiagram(text: string): Diagram {
  const [title = "", ...rest] = text.replace(/\s+$/, "").split(/\r?\n/);
  if (title.trim() === "") throw new Error("diagram: the first line is the title");
  const diagram: Diagram = {
    title: title.trim(),
    notes: [],
    settings: {},
    legend: {},
    rows: [],
    explained: [],
    column: 0,
  };
  rest.forEach((line, index) => {
    const row = rowOf(line, index + 1);
    const setting = SETTING.exec(line);
    if (!row && (setting || LEGEND.test(line))) diagram.explained.push(line.trim());
    if (row) diagram.rows.push(row);
    else if (setting) diagram.settings[setting[1]!] = setting[2]!.trim();
    else if (LEGEND.test(line)) {
      for (const entry of line.split(/;\s+/)) {
        const [, letter = "", meaning = ""] = /^\s*(\S) = (.*)$/.exec(entry) ?? [];
        diagram.legend[letter] = parseMeaning(meaning);
      }
    } else if (diagram.rows.length > 0 && line.trim() !== "") {
      throw new Error(`diagram: line ${index + 2} is neither a row nor a legend: ${line.trim()}`);
    } else diagram.notes.push(line);
  });
  diagram.column = columnOf(diagram.rows);
  diagram.rows = diagram.rows.map((row) => aligned(row, diagram.column));
  return diagram;
}
