import { describe, expect, it } from "@jest/globals";
import { tap, timer, type Subscription } from "rxjs";
import type { Agent, AgentEvent } from "pi-agent-rx";
import { lines } from "./support/messages";
import { faultsOf } from "./support/laws";
import { shown } from "./support/provider";
import { endOf } from "./support/setUp";
import { GRACE, slowRun } from "./support/slowRun";
import { virtually } from "./support/virtually";

type End = (agent: Agent, run: Subscription) => void;
const ends: [string, End][] = [
  ["abort()", (agent) => agent.abort()],
  ["unsubscribing from prompt$", (_agent, run) => run.unsubscribe()],
];

let whole = 0;
virtually(({ flush, now }) => {
  slowRun().agent.prompt$("hello").subscribe();
  flush();
  whole = now();
})();

function expectLawful(events: readonly AgentEvent[], { agent, requests }: ReturnType<typeof slowRun>): void {
  expect(faultsOf(events)).toEqual([]);
  expect(endOf(events).outcome).toBe("aborted");
  const steered = ["user one", "user two"];
  const told = lines(events).filter((line) => line.startsWith("message_end user"));
  const delivered = steered.filter((line) => told.includes(`message_end ${line}`));
  expect([
    ...delivered,
    ...agent.queued.steering.map((message) => lines([{ type: "message_end", message }])[0]!.slice(12)),
  ]).toEqual(steered);
  for (const request of requests) expect(shown(request)[0]).toBe("user hello");
}

describe.each(ends)("%s", (_how, end) => {
  it("at any millisecond of a slow run ends it lawfully within the grace, starting nothing more", () => {
    expect(whole).toBeGreaterThan(60);
    for (let ms = 0; ms < whole; ms++) {
      virtually(({ at, flush, now }) => {
        const harness = slowRun();
        const { agent, events, requests, started } = harness;
        let ended: number | undefined;
        agent.subscribe(({ type }) => void (type === "agent_end" && (ended = now())));
        const run = agent.prompt$("hello").subscribe();
        let before = { requests: 0, started: 0 };
        at(ms, () => {
          before = { requests: requests.length, started: started.length };
          end(agent, run);
        });
        flush();
        expect(ended! - ms).toBeLessThanOrEqual(GRACE);
        expect({ requests: requests.length, started: started.length }).toEqual(before);
        expectLawful(events, harness);
      })();
    }
  });

  it("at any millisecond behind slow listeners ends it lawfully too", () => {
    for (let ms = 0; ms < whole; ms += 2) {
      virtually(({ at, flush }) => {
        const harness = slowRun();
        const { agent, events, requests, started } = harness;
        agent.subscribe(() => timer(3));
        const run = agent.prompt$("hello").subscribe();
        let before = { requests: 0, started: 0 };
        at(ms, () => {
          before = { requests: requests.length, started: started.length };
          end(agent, run);
        });
        flush();
        expect({ requests: requests.length, started: started.length }).toEqual(before);
        expectLawful(events, harness);
      })();
    }
  });

  it("in a listener of any event of it does so too", () => {
    let count = 0;
    virtually(({ flush }) => {
      const { agent, events } = slowRun();
      agent.prompt$("hello").subscribe();
      flush();
      count = events.length;
    })();
    expect(count).toBeGreaterThan(30);
    for (let nth = 0; nth < count - 1; nth++) {
      virtually(({ flush }) => {
        const harness = slowRun();
        const { agent, events, requests, started } = harness;
        let heard = 0;
        let before = { requests: 0, started: 0 };
        agent.subscribe(() => {
          if (heard++ !== nth) return undefined;
          const stop = () => {
            before = { requests: requests.length, started: started.length };
            end(agent, run);
          };
          return nth === 0 ? timer(1).pipe(tap(stop)) : void stop();
        });
        const run = agent.prompt$("hello").subscribe();
        flush();
        expect({ requests: requests.length, started: started.length }).toEqual(before);
        expectLawful(events, harness);
      })();
    }
  });
});
