import type { AssistantMessageEvent } from "@earendil-works/pi-ai";
import { describe, expect, it } from "@jest/globals";
import { of } from "rxjs";
import { Agent } from "pi-agent-rx";
import { deferred, drain } from "./support/deferred";
import { answer, calls, delta, model, started, terminal, user } from "./support/messages";
import { only, setUp } from "./support/setUp";
import { result, tool } from "./support/tools";

/** A provider with very many deltas that counts what is read of it. */
function verbose(deltas = 100_000) {
  const pulled = { count: 0 };
  const piece = delta("x");
  async function* stream(): AsyncGenerator<AssistantMessageEvent> {
    yield started();
    for (; pulled.count < deltas; pulled.count++) yield piece;
    yield terminal(answer("long"));
  }
  return { pulled, stream };
}

describe("deltas behind one slow listener", () => {
  it("pause the reading of the provider's stream, 100,000 of them", async () => {
    const { pulled, stream } = verbose();
    const { agent } = setUp({ responses: [() => stream()] });
    const held = deferred();
    let heard = 0;
    agent.subscribe(({ type }) => {
      if (type !== "message_update") return undefined;
      return ++heard === 10 ? held.promise : undefined;
    });
    const settled = agent.prompt("hello");
    for (let round = 0; round < 20; round++) await drain();
    expect(heard).toBe(10);
    expect(pulled.count).toBeLessThan(20);
    held.resolve();
    await settled;
    expect(pulled.count).toBe(100_000);
    expect(heard).toBe(100_000);
  });

  it("are told one by one to a listener that is always slow", async () => {
    const { pulled, stream } = verbose(5000);
    const { agent } = setUp({ responses: [() => stream()] });
    let waiting = 0;
    let most = 0;
    let behind = 0;
    let heard = 0;
    agent.subscribe(async ({ type }) => {
      if (type !== "message_update") return;
      behind = Math.max(behind, pulled.count - heard++);
      most = Math.max(most, ++waiting);
      await Promise.resolve();
      waiting--;
    });
    await agent.prompt("hello");
    expect(heard).toBe(5000);
    expect(most).toBe(1);
    expect(behind).toBeLessThan(10);
  });

  it("stop being read when the run is aborted meanwhile", async () => {
    const { pulled, stream } = verbose();
    const { agent } = setUp({ responses: [() => stream()], abortGraceMs: 0 });
    let heard = 0;
    agent.subscribe(({ type }) => {
      if (type === "message_update" && ++heard === 10) agent.abort();
    });
    await agent.prompt("hello");
    expect(pulled.count).toBeLessThan(20);
    expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "aborted" });
  });
});

describe("deltas behind a slow listener, of a provider that does not hear the abort", () => {
  it("do not pile up in the grace either", async () => {
    const { pulled, stream } = verbose();
    const { agent } = setUp({ responses: [() => stream()], abortGraceMs: 20 });
    const held = deferred();
    let heard = 0;
    agent.subscribe(({ type }) => {
      if (type !== "message_update" || ++heard !== 10) return undefined;
      agent.abort();
      return held.promise;
    });
    const settled = agent.prompt("hello");
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(pulled.count).toBeLessThan(20);
    held.resolve();
    await settled;
    expect(heard).toBeLessThan(20);
    expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "aborted" });
  });
});

describe("a tool that is an async iterable", () => {
  it("is read no faster than listeners take its updates", async () => {
    let pulled = 0;
    const held = deferred();
    const { agent, events } = setUp({
      responses: [calls("a")],
      tools: [
        tool(async function* () {
          for (; pulled < 1000; pulled++) yield result(`${pulled}`);
        }),
      ],
    });
    let heard = 0;
    agent.subscribe(({ type }) => {
      if (type !== "tool_execution_update") return undefined;
      return ++heard === 5 ? held.promise : undefined;
    });
    const settled = agent.prompt("hello");
    for (let round = 0; round < 10; round++) await drain();
    expect(pulled).toBeLessThan(10);
    held.resolve();
    await settled;
    expect(only(events, "tool_execution_update")).toHaveLength(1000);
  });
});

describe("20,000 synchronous turns", () => {
  it("end, and do not grow the stack", async () => {
    let turns = 0;
    const agent = new Agent({
      initialState: { model },
      convertToLlm: () => [user("the same for every request")],
      streamFn: () => of(terminal(answer("again"))),
      finishTurn: () => ({ action: ++turns < 20_000 ? "continue" : "end" }),
    });
    await agent.prompt("hello");
    expect(turns).toBe(20_000);
    expect(agent.state.errorMessage).toBeUndefined();
  }, 60_000);
});
