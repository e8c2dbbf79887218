import { describe, expect, it } from "@jest/globals";
import { concat, map, throwError, timer } from "rxjs";
import type { AgentEvent, AgentListener } from "pi-agent-rx";
import { calls, lines, transcript } from "./support/messages";
import { faultsOf } from "./support/laws";
import { endOf, only, setUp } from "./support/setUp";
import { slowRun } from "./support/slowRun";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

const boom = new Error("boom");
const ways: [string, () => ReturnType<AgentListener>][] = [
  [
    "throws",
    () => {
      throw boom;
    },
  ],
  [
    "fails 4 ms later",
    () =>
      concat(
        timer(4),
        throwError(() => boom),
      ),
  ],
];

let count = 0;
virtually(({ flush }) => {
  const { agent, events } = slowRun();
  agent.prompt$("hello").subscribe();
  flush();
  count = events.length;
})();

describe.each(ways)("a listener that %s", (_how, fail) => {
  it("at any event of a slow run ends it as failed, lawfully, for everyone, starting nothing more", () => {
    expect(count).toBeGreaterThan(30);
    for (let nth = 0; nth < count - 1; nth++) {
      virtually(({ flush }) => {
        const { agent, events, requests, started } = slowRun();
        const others: AgentEvent[] = [];
        let heard = 0;
        let before = { requests: 0, started: 0 };
        agent.subscribe((_event, signal) => {
          if (heard++ === nth) return fail();
          if (signal.aborted && before.requests === 0)
            before = { requests: requests.length, started: started.length };
          return undefined;
        });
        agent.subscribe((event) => void others.push(event));
        agent.prompt$("hello").subscribe();
        flush();
        expect([nth, ...faultsOf(events)]).toEqual([nth]);
        expect(others).toEqual(events);
        expect(endOf(events).outcome).toBe("failed");
        expect(agent.state.errorMessage).toBe("boom");
        expect({ requests: requests.length, started: started.length }).toEqual(
          before.requests === 0 ? { requests: 0, started: 0 } : before,
        );
        const steered = lines(events).filter((line) => /^message_end user (one|two)/.test(line));
        expect(steered.length + agent.queued.steering.length).toBe(2);
      })();
    }
  });
});

describe("a listener that fails while another event waits in the lane", () => {
  it(
    "does not keep that event, or the result it tells of, from anyone",
    virtually(({ flush }) => {
      const { agent, events } = setUp({
        responses: [calls("a", "b")],
        tools: [tool((id) => timer(5).pipe(map(() => result(id))))],
      });
      const others: AgentEvent[] = [];
      let failed = false;
      agent.subscribe(({ type }) => {
        if (type !== "tool_execution_end" || failed) return undefined;
        failed = true;
        return concat(
          timer(10),
          throwError(() => boom),
        );
      });
      agent.subscribe((event) => void others.push(event));
      agent.prompt$("hello").subscribe();
      flush();
      expect(faultsOf(events)).toEqual([]);
      expect(others).toEqual(events);
      expect(only(events, "tool_execution_end")).toHaveLength(2);
      expect(transcript(agent.state.messages).slice(2)).toEqual([
        "result a: a",
        "result b: b",
        "assistant error",
      ]);
    }),
  );
});
