import type { AgentEvent } from "pi-agent-rx";
import {
  EMPTY,
  distinctUntilChanged,
  interval,
  map,
  merge,
  scan,
  startWith,
  switchMap,
  type Observable,
  type OperatorFunction,
} from "rxjs";
import { duration } from "./duration";
import { rowText } from "./rowText";
import type { Screen } from "./screen";
import { spinner } from "./spinner";
import { hasEnded, reduceToolRows, type ToolRows } from "./toolRows";

const FRAME_MS = 80;
const idle: ToolRows = { running: [], changed: [] };

/** Lines that stay, and lines under them that the next picture replaces; without any, the ones before remain. */
interface Picture {
  lasting: readonly string[];
  passing?: readonly string[];
}

const SILENCE_FRAMES = 5;

const waitingText = (since: number, frame: number, { style }: Screen) =>
  style.dim(`  ${spinner(frame)} waiting for the model  ${duration(performance.now() - since)}`);

const picture = ({ running, changed, waitingSince }: ToolRows, frame: number, screen: Screen): Picture => {
  const shown = running.slice(0, Math.max(1, screen.size().rows - 3));
  const hidden = running.length - shown.length;
  return {
    // Only with the event itself: the frames that follow redraw what still runs.
    lasting: frame === 0 ? changed.filter(hasEnded).map((row) => rowText(row, screen, frame)) : [],
    passing: [
      ...shown.map((row) => rowText(row, screen, frame)),
      ...(hidden > 0 ? [screen.style.dim(`  … and ${hidden} more`)] : []),
      ...(waitingSince !== undefined && frame > SILENCE_FRAMES
        ? [waitingText(waitingSince, frame, screen)]
        : []),
    ],
  };
};

const lines = (texts: readonly string[]) => texts.map((text) => `${text}\n`).join("");

/** Writes pictures over each other: up over what passes, clear, what lasts, what passes now. */
const draw: OperatorFunction<Picture, string> = (pictures$) =>
  pictures$.pipe(
    scan(
      (before, { lasting, passing = before.passing }) => {
        const { length } = before.passing;
        return {
          passing,
          text: `${length > 0 ? `\x1b[${length}A\r\x1b[J` : ""}${lines(lasting)}${lines(passing)}`,
        };
      },
      { passing: [] as readonly string[], text: "" },
    ),
    map(({ text }) => text),
  );

/** Running calls turn in place, ended ones stay above them; notices go between. */
const live = (
  rows$: Observable<ToolRows>,
  notices$: Observable<string>,
  screen: Screen,
): Observable<string> => {
  const frames = ({ running, waitingSince }: ToolRows) =>
    running.length > 0 || waitingSince !== undefined ? interval(FRAME_MS).pipe(map((n) => n + 1)) : EMPTY;
  const pictures$ = rows$.pipe(
    switchMap((rows) =>
      frames(rows).pipe(
        startWith(0),
        map((frame) => picture(rows, frame, screen)),
      ),
    ),
  );
  return merge(pictures$, notices$.pipe(map((notice): Picture => ({ lasting: [notice] })))).pipe(draw);
};

/** Each change of a call is a line of its own. */
const plain = (
  rows$: Observable<ToolRows>,
  notices$: Observable<string>,
  screen: Screen,
): Observable<string> =>
  merge(
    rows$.pipe(map(({ changed }) => lines(changed.map((row) => rowText(row, screen, 0))))),
    notices$.pipe(map((notice) => `${notice}\n`)),
  );

/** Tool calls with their state, a model that lets wait, and notices that must not be drawn over. */
export const toolCalls =
  (screen: Screen, notices$: Observable<string>): OperatorFunction<AgentEvent, string> =>
  (events$) => {
    const rows$ = events$.pipe(scan(reduceToolRows, idle), distinctUntilChanged());
    return screen.live ? live(rows$, notices$, screen) : plain(rows$, notices$, screen);
  };
