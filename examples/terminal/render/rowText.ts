import { duration } from "./duration";
import { fit, width } from "./fit";
import type { Screen } from "./screen";
import { spinner } from "./spinner";
import { hasEnded, type ToolRow } from "./toolRows";

const NARROWEST = 20;

const timeOf = (row: ToolRow) => {
  if (hasEnded(row)) {
    return row.durationMs === undefined ? "" : duration(row.durationMs);
  }
  const elapsed = performance.now() - row.startedAt;
  // A clock that shows from the first moment only flickers.
  return elapsed < 1_000 ? "" : duration(elapsed);
};

/** A tool call as one line, cut to the width of a terminal so that it can be redrawn; else whole, its state in words. */
export function rowText(row: ToolRow, { live, size, style }: Screen, frame: number): string {
  const details = [row.note, timeOf(row)].filter(Boolean).join(", ");
  if (!live) return `  [${row.state}] ${fit(details ? `${row.title}: ${details}` : row.title, 500)}`;
  const marks = {
    running: style.cyan(spinner(frame)),
    progress: style.cyan(spinner(frame)),
    done: style.green("✓"),
    failed: style.red("✗"),
  };
  const columns = Math.max(NARROWEST, size().columns - 6);
  const title = fit(row.title, columns);
  const room = columns - width(title) - 2;
  const rest = details === "" || room < NARROWEST / 2 ? "" : `  ${style.dim(fit(details, room))}`;
  return `  ${marks[row.state]} ${title}${rest}`;
}
