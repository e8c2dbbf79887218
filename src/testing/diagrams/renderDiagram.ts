import { marbleCells, type Cell } from "./marbleCells";
import { parseDiagram, type Diagram, type DiagramRow } from "./parseDiagram";
import { svgStyle } from "./svgStyle";

const CELL = 17;
const ROW = 34;
const SUB = 22;
const TOP = 58;
const TEXT = 20;
/** Between what goes in and what comes out. */
const APART = 8;

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const KINDS: Record<string, string> = {
  A: "agent",
  a: "agent",
  T: "turn",
  t: "turn",
  M: "message",
  m: "message",
  u: "message",
  X: "tool",
  x: "tool",
  p: "tool",
};

const COLOURS: Record<string, string> = { model: "message", tool: "tool", stream: "tool", hook: "hook" };

const OUTPUTS = ["events", "listener", "of", "result", "settled"];

function colourOf(row: DiagramRow, { letter }: Cell, { legend }: Diagram): string {
  if (letter === "|" || letter === "#") return "end";
  if (row.kind === "result" && legend[letter]) return "value";
  // A result of s and d is a provider's: its t is text.
  if (row.kind === "result" && /[sd]/.test(row.marbles)) return "message";
  if (OUTPUTS.includes(row.kind)) return KINDS[letter] ?? "value";
  return COLOURS[row.kind] ?? "user";
}

function cell(diagram: Diagram, row: DiagramRow, one: Cell, [left, y]: [number, number]): string {
  const x = left + one.column * CELL;
  const box = `<rect class="${colourOf(row, one, diagram)}" x="${x}" y="${y - 13}" width="${CELL - 1}" height="26" rx="4"/>`;
  const letter = one.letter === "|" ? "│" : one.letter === "#" ? "✕" : one.letter;
  return `${box}<text class="letter" x="${x + (CELL - 1) / 2}" y="${y + 5.5}">${escaped(letter)}</text>`;
}

/** What joins simultaneous cells: a frame round them. */
function groups(cells: readonly Cell[], left: number, y: number): string {
  const spans = new Map<number, number[]>();
  for (const { group, column } of cells) {
    if (group !== undefined) spans.set(group, [...(spans.get(group) ?? []), column]);
  }
  return [...spans.values()]
    .map((columns) => {
      const x = left + Math.min(...columns) * CELL - 3;
      const width = (Math.max(...columns) - Math.min(...columns) + 1) * CELL + 5;
      return `<rect class="group" x="${x}" y="${y - 16}" width="${width}" height="32" rx="7"/>`;
    })
    .join("");
}

function line(row: DiagramRow, cells: readonly Cell[], left: number, y: number, last: number): string {
  const cold = ["model", "tool", "stream", "hook"].includes(row.kind);
  const from = cold ? row.marbles.search(/\S/) : 0;
  const to = cold ? Math.max(...cells.map(({ column }) => column), from) : last;
  return `<line class="time" x1="${left + from * CELL}" y1="${y}" x2="${left + (to + 1) * CELL}" y2="${y}"/>`;
}

/** Time that is written out, where it is written. */
function pauses({ marbles }: DiagramRow, left: number, y: number): string {
  return [...marbles.matchAll(/ (\d+)ms /g)]
    .map(({ 0: { length }, 1: ms, index }) => {
      const x = left + (index + length / 2) * CELL;
      return `<text class="pause" x="${x}" y="${y - 6}">${ms} ms</text>`;
    })
    .join("");
}

function subscription({ marbles }: DiagramRow, left: number, y: number): string {
  const [from, to] = [marbles.indexOf("^"), marbles.indexOf("!")];
  if (from < 0) return `<text class="small" x="${left}" y="${y + 4}">never</text>`;
  // `(^!)`: subscribed and left in one frame, which is that of the bracket.
  const start = marbles.includes("(") ? marbles.indexOf("(") : from;
  const end = marbles.includes("(") ? start + 0.5 : to < 0 ? marbles.length : to;
  const [x, width] = [left + start * CELL, Math.max((end - start) * CELL, 5)];
  const edges = `<path class="edge" d="M${x} ${y - 7}v14M${x + width} ${y - 7}v14"/>`;
  return `<rect class="sub" x="${x}" y="${y - 4}" width="${width}" height="8"/>${edges}`;
}

/** Where the listener has been told and the event has not passed: the barrier, as a gap. */
function barriers({ rows }: Diagram, left: number, places: Map<DiagramRow, number>): string {
  const told = rows.find(({ kind }) => kind === "listener");
  const passed = rows.find(({ kind }) => kind === "events" || kind === "result");
  if (!told || !passed) return "";
  const later = marbleCells(passed.marbles);
  return marbleCells(told.marbles)
    .map((one, index) => ({ from: one.frame, to: later[index]?.frame ?? one.frame }))
    .filter(({ from, to }) => to > from)
    .map(({ from, to }) => {
      const [y, end] = [places.get(told)! + 16, places.get(passed)! - 16];
      const [x, width] = [left + from * CELL, (to - from) * CELL];
      const [first, second] = [Math.min(y, end), Math.max(y, end)];
      return `<rect class="barrier" x="${x}" y="${first - 32}" width="${width}" height="${second - first + 64}"/>`;
    })
    .join("");
}

const labelOf = (row: DiagramRow) => (row.kind === "of" ? row.name : `${row.kind} ${row.name}`.trim());

/** Draws a diagram as SVG, for light and dark pages alike. */
export function renderDiagram(text: string): string {
  const diagram = parseDiagram(text);
  const { rows, title } = diagram;
  const columns = Math.max(...rows.map(({ marbles }) => marbles.length)) + 1;
  const left = 30 + Math.max(...rows.map((row) => labelOf(row).length + (row.kind === "of" ? 2 : 0))) * 9;
  const explained = diagram.explained.filter((text) => !/^(transcript|request)/.test(text));
  const longest = Math.max(0, ...explained.map(({ length }) => length));
  const width = Math.max(left + columns * CELL + 16, title.length * 10 + 32, longest * 9 + 32);
  const places = new Map<DiagramRow, number>();
  let y = TOP + explained.length * TEXT + (explained.length > 0 ? 6 : 0);
  const out = rows.findIndex(({ kind }) => OUTPUTS.includes(kind));
  for (const row of rows) {
    if (row === rows[out]) y += APART;
    places.set(row, row.kind === "sub" ? y - 8 : y);
    y += row.kind === "sub" ? SUB : ROW;
  }
  const drawn = rows.map((row) => {
    const at = places.get(row)!;
    if (row.kind === "sub") return subscription(row, left, at);
    const cells = marbleCells(row.marbles);
    const indent = row.kind === "of" ? 34 : 16;
    return [
      `<text class="label" x="${indent}" y="${at + 5}">${escaped(labelOf(row))}</text>`,
      line(row, cells, left, at, columns - 1),
      pauses(row, left, at),
      groups(cells, left, at),
      ...cells.map((one) => cell(diagram, row, one, [left, at])),
    ].join("");
  });
  const size = `viewBox="0 0 ${width} ${y}" width="${width}" height="${y}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escaped(title)}">`,
    svgStyle,
    `<text class="title" x="16" y="30">${escaped(title)}</text>`,
    ...explained.map((line, n) => `<text class="small" x="16" y="${54 + n * TEXT}">${escaped(line)}</text>`),
    barriers(diagram, left, places),
    ...drawn,
    "</svg>\n",
  ].join("\n");
}
