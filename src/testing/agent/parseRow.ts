import { TestScheduler } from "rxjs/testing";

/** What a marble row holds at a frame: a letter, or `|` and `#`. */
export interface Mark {
  frame: number;
  letter: string;
}

/** A row in RxJS marble syntax as marks. A frame is a millisecond; groups and `10ms` take time as RxJS has it. */
export function parseRow(row: string): Mark[] {
  const { frameTimeFactor } = TestScheduler;
  TestScheduler.frameTimeFactor = 1;
  try {
    return TestScheduler.parseMarbles(row, undefined, undefined, false, true).map(
      ({ frame, notification }) => ({
        frame,
        letter:
          notification.kind === "N" ? String(notification.value) : notification.kind === "C" ? "|" : "#",
      }),
    );
  } finally {
    TestScheduler.frameTimeFactor = frameTimeFactor;
  }
}
