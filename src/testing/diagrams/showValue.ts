import type { AgentEvent } from "../../types/event";
import { alphabet } from "./alphabet";
import { describeValue } from "./describeValue";
import { letterOf } from "./letterOf";
import type { Diagram } from "./parseDiagram";
import { subjectsOf } from "./subjectsOf";

const LETTERS = Object.values<string>(alphabet);

/** Draws values into the row `result:`, and tells each for its line `result 1:`. */
export function showValue(
  { legend }: Diagram,
  mark: (row: string, letter: string) => void,
  settings: Record<string, string>,
): (value: unknown) => void {
  let count = 0;
  return (value) => {
    const letter = letterOf(value, legend);
    mark("result", letter);
    settings[`result ${++count}`] = describeValue(value);
    const isEvent = typeof value === "object" && LETTERS.includes(letter);
    if (isEvent) for (const subject of subjectsOf(value as AgentEvent)) mark(`of ${subject}`, letter);
  };
}
