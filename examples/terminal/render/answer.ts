import type { AgentEvent } from "pi-agent-rx";
import { filter, map, type OperatorFunction } from "rxjs";
import { printable } from "./printable";
import type { Screen } from "./screen";

/** The answer as it comes, what the model thinks in dim letters before it. */
export const answer =
  ({ style }: Screen): OperatorFunction<AgentEvent, string> =>
  (events$) =>
    events$.pipe(
      filter((event) => event.type === "message_update"),
      map(({ assistantMessageEvent: part }) => {
        switch (part.type) {
          case "text_start":
          case "thinking_start":
            return "\n";
          case "text_delta":
            return printable(part.delta);
          case "thinking_delta":
            return style.dim(printable(part.delta));
          case "text_end":
          case "thinking_end":
            return "\n";
          default:
            return "";
        }
      }),
      filter((text) => text !== ""),
    );
