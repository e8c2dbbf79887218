import { describe, expect, it } from "@jest/globals";
import { defer, map, tap, timer } from "rxjs";
import { calls, lines } from "./support/messages";
import { only, setUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

describe("toolConcurrency", () => {
  it.each([
    [1, 40],
    [2, 20],
    [3, 20],
    [undefined, 10],
  ])("%p: so many tools run at once", (toolConcurrency, ends) =>
    virtually(({ flush, now }) => {
      let running = 0;
      let most = 0;
      const { agent } = setUp({
        responses: [calls("a", "b", "c", "d")],
        tools: [
          tool(() =>
            defer(() => {
              most = Math.max(most, ++running);
              return timer(10).pipe(
                map(() => result("x")),
                tap(() => running--),
              );
            }),
          ),
        ],
        toolConcurrency,
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(most).toBe(toolConcurrency ?? 4);
      expect(now()).toBe(ends);
    })(),
  );

  it(
    "runs thousands of synchronous tools behind a limit",
    virtually(({ flush }) => {
      const ids = Array.from({ length: 5000 }, (_, nth) => `c${nth}`);
      const { agent, events } = setUp({ responses: [calls(...ids)], tools: [tool()], toolConcurrency: 1 });
      agent.prompt$("hello").subscribe();
      flush();
      expect(only(events, "tool_execution_end")).toHaveLength(5000);
      expect(lines(events).at(-1)).toBe("agent_end completed");
    }),
  );
});
