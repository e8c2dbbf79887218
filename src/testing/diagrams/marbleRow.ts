import { TestScheduler } from "rxjs/testing";
import { inFrames } from "./inFrames";

/** Something that happened: the letter, and its frame. */
export interface Mark {
  frame: number;
  letter: string;
}

/** Longest pause that is drawn with dashes. */
const LONGEST = 40;

function draw(marks: readonly Mark[]): string {
  let row = "";
  let cursor = 0;
  for (let at = 0; at < marks.length;) {
    const { frame } = marks[at]!;
    let letters = "";
    while (marks[at]?.frame === frame) letters += marks[at++]!.letter;
    const pause = frame - cursor;
    const group = letters.length > 1 ? `(${letters})` : letters;
    if (pause < 0) row += `‹frame ${frame}: ${letters}›`;
    else row += (pause > LONGEST ? ` ${pause}ms ` : "-".repeat(pause)) + group;
    cursor = Math.max(cursor, frame) + (pause < 0 ? 0 : group.length);
  }
  return row;
}

function parse(marbles: string): Mark[] {
  const messages = inFrames(() => TestScheduler.parseMarbles(marbles, undefined, undefined, false, true));
  return messages.map(({ frame, notification }) => ({
    frame,
    letter: notification.kind === "N" ? String(notification.value) : notification.kind === "C" ? "|" : "#",
  }));
}

/**
 * Between what happened and its row, in RxJS's marble syntax.
 *
 * @remarks What happens in the columns that a group of simultaneous events takes has no place in a row; it is drawn as
 * `‹frame 7: x›`.
 */
export const marbleRow = { draw, parse };
