import { describe, expect, it } from "@jest/globals";
import { concat, of, throwError, timer } from "rxjs";
import type { AgentEvent, AgentListener } from "pi-agent-rx";
import { barrier } from "../../src/agent/barrier";
import { virtually } from "./support/virtually";

const start: AgentEvent = { type: "agent_start" };
const turn: AgentEvent = { type: "turn_start" };
const boom = new Error("boom");

function barrierOf(listeners: AgentListener[], fails = true) {
  const log: string[] = [];
  const failures: unknown[] = [];
  const awaited: boolean[] = [];
  const set = new Set<AgentListener>(listeners);
  const gate = barrier({
    listeners: set,
    signal: new AbortController().signal,
    reduce: ({ type }) => void log.push(`reduce ${type}`),
    pass: ({ type }) => void log.push(`pass ${type}`),
    calling: () => {},
    called: (isAwaited) => void awaited.push(isAwaited),
    onFailure: (error) => {
      failures.push(error);
      return fails;
    },
  });
  return { gate, log, failures, awaited, set };
}

const note =
  (log: () => string[], name: string): AgentListener =>
  ({ type }) =>
    void log().push(`${name} ${type}`);

describe("barrier", () => {
  it("reduces, tells each listener, passes on, in that order and synchronously", () => {
    const { gate, log } = barrierOf([note(() => log, "one"), note(() => log, "two")]);
    gate(of(start, turn)).subscribe({
      next: ({ type }) => log.push(`next ${type}`),
      complete: () => log.push("complete"),
    });
    const told = (type: string) => ["reduce", "one", "two", "pass", "next"].map((step) => `${step} ${type}`);
    expect(log).toEqual([...told("agent_start"), ...told("turn_start"), "complete"]);
  });

  it("with no listener passes everything", () => {
    const { gate, log } = barrierOf([]);
    gate(of(start)).subscribe();
    expect(log).toEqual(["reduce agent_start", "pass agent_start"]);
  });

  it("passes an empty source and a source's error", () => {
    const { gate, log } = barrierOf([]);
    gate(of()).subscribe({ complete: () => log.push("complete") });
    gate(throwError(() => boom)).subscribe({ error: (error) => log.push(String(error)) });
    expect(log).toEqual(["complete", "Error: boom"]);
  });

  it(
    "waits for a listener before it tells the next one",
    virtually(({ flush, now }) => {
      const at: string[] = [];
      const slow =
        (name: string): AgentListener =>
        () => (at.push(`${now()} ${name}`), timer(5));
      const { gate, log } = barrierOf([slow("one"), slow("two")]);
      gate(of(start)).subscribe(() => at.push(`${now()} next`));
      expect(log).toEqual(["reduce agent_start"]);
      flush();
      expect(at).toEqual(["0 one", "5 two", "10 next"]);
    }),
  );

  it(
    "keeps all streams in one lane",
    virtually(({ flush, now }) => {
      const { gate, log } = barrierOf([() => timer(5)]);
      gate(of(start)).subscribe(({ type }) => log.push(`${now()} ${type}`));
      gate(of(turn)).subscribe(({ type }) => log.push(`${now()} ${type}`));
      expect(log).toEqual(["reduce agent_start"]);
      flush();
      expect(log.slice(1)).toEqual([
        "pass agent_start",
        "5 agent_start",
        "reduce turn_start",
        "pass turn_start",
        "10 turn_start",
      ]);
    }),
  );

  it("is busy while a listener is waited for, and says when it is free", () => {
    virtually(({ flush }) => {
      const { gate, log } = barrierOf([() => timer(5)]);
      expect(gate.busy!(() => log.push("too early"))).toBe(false);
      gate(of(start)).subscribe();
      expect(gate.busy!(() => log.push("free"))).toBe(true);
      expect(log).not.toContain("free");
      flush();
      expect(log.at(-1)).toBe("free");
      expect(log).not.toContain("too early");
      expect(gate.busy!(() => {})).toBe(false);
    })();
  });

  it.each<[string, AgentListener]>([
    [
      "throws",
      () => {
        throw boom;
      },
    ],
    [
      "errors later",
      () =>
        concat(
          timer(3),
          throwError(() => boom),
        ),
    ],
  ])("when a listener %s tells the others, passes the event, then fails its stream", (_how, failing) => {
    virtually(({ flush }) => {
      const { gate, log, failures } = barrierOf([failing, note(() => log, "other")]);
      gate(of(start)).subscribe({
        next: ({ type }) => log.push(`next ${type}`),
        error: (error) => log.push(String(error)),
      });
      flush();
      expect(log).toEqual([
        "reduce agent_start",
        "other agent_start",
        "pass agent_start",
        "next agent_start",
        "Error: boom",
      ]);
      expect(failures).toEqual([boom]);
    })();
  });

  it("when a listener's failure is not the run's goes on", () => {
    const fail: AgentListener = () => {
      throw boom;
    };
    const { gate, log, failures } = barrierOf([fail], false);
    gate(of(start, turn)).subscribe({ complete: () => log.push("complete") });
    expect(log.at(-1)).toBe("complete");
    expect(failures).toEqual([boom, boom]);
  });

  it("joins the failures of several listeners in one error", () => {
    const fail =
      (text: string): AgentListener =>
      () => {
        throw new Error(text);
      };
    const { gate, failures } = barrierOf([fail("one"), fail("two")]);
    gate(of(start)).subscribe({ error: () => {} });
    expect(failures).toHaveLength(1);
    expect((failures[0] as AggregateError).errors.map(String)).toEqual(["Error: one", "Error: two"]);
    expect(String(failures[0])).toMatch(/one.*two/);
  });

  it("tells who joined meanwhile, and not who left", () => {
    const { gate, log, set } = barrierOf([]);
    const late = note(() => log, "late");
    const gone = note(() => log, "gone");
    set.add(() => {
      set.delete(gone);
      set.add(late);
    });
    set.add(gone);
    gate(of(start)).subscribe();
    expect(log).toEqual(["reduce agent_start", "late agent_start", "pass agent_start"]);
  });

  it("says after each call whether its listener is waited for", () => {
    const { gate, awaited } = barrierOf([() => {}, async () => {}, () => of(1)]);
    return new Promise<void>((resolve) => {
      gate(of(start)).subscribe({
        complete: () => {
          expect(awaited).toEqual([false, true, false]);
          resolve();
        },
      });
    });
  });
});
