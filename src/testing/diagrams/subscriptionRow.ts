import { TestScheduler } from "rxjs/testing";
import { inFrames } from "./inFrames";

/** When something was subscribed and left. */
export interface Span {
  subscribedFrame: number;
  unsubscribedFrame: number;
}

const pause = (frames: number) => (frames > 40 ? ` ${frames}ms ` : "-".repeat(frames));

function draw(span: Span | undefined): string {
  if (!span) return "";
  const { subscribedFrame: from, unsubscribedFrame: to } = span;
  if (to === Infinity) return `${pause(from)}^`;
  if (to === from) return `${pause(from)}(^!)`;
  return `${pause(from)}^${pause(to - from - 1)}!`;
}

function parse(marbles: string): Span | undefined {
  if (marbles.trim() === "") return undefined;
  return inFrames(() => TestScheduler.parseMarblesAsSubscriptions(marbles, true));
}

/** Between a subscription and its row: `^` subscribed, `!` left, an empty row never. */
export const subscriptionRow = { draw, parse };
