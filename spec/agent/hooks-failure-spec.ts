import { describe, expect, it } from "@jest/globals";
import { switchMap, throwError } from "rxjs";
import type { ReactiveAgentOptions } from "pi-agent-rx";
import { calls, lines, transcript, user } from "./support/messages";
import { faultsOf } from "./support/laws";
import { strayErrors } from "./support/rejections";
import { endOf, setUp } from "./support/setUp";
import { tool } from "./support/tools";

type Fail = () => never;
const hooks: [string, (fail: Fail) => Partial<ReactiveAgentOptions>][] = [
  ["transformContext", (transformContext) => ({ transformContext })],
  ["operators.context", (fail) => ({ operators: { context: switchMap(fail) } })],
  ["convertToLlm", (convertToLlm) => ({ convertToLlm })],
  ["getApiKey", (getApiKey) => ({ getApiKey })],
  ["prepareRequest", (prepareRequest) => ({ prepareRequest })],
  ["finishTurn", (finishTurn) => ({ finishTurn })],
  ["prepareNextTurn", (prepareNextTurn) => ({ prepareNextTurn })],
  ["prepareNextTurnWithContext", (prepareNextTurnWithContext) => ({ prepareNextTurnWithContext })],
  ["operators.response", (response) => ({ operators: { response } })],
];
const boom = new Error("boom");
const ways: [string, () => unknown][] = [
  [
    "throws",
    () => {
      throw boom;
    },
  ],
  ["rejects", () => Promise.reject(boom)],
  ["gives an observable that errors", () => throwError(() => boom)],
];
const cases = hooks.flatMap(([name, make]) =>
  ways
    .filter(([way]) => name !== "operators.response" || way === "throws")
    .map(([way, fail]) => [name, way, make, fail as Fail] as const),
);

describe("a run whose hook fails", () => {
  it.each(cases)("ends as failed, with an error message, when %s %s", async (_name, _way, make, fail) => {
    const stray = await strayErrors(async () => {
      const { agent, events } = setUp({ responses: [calls("a")], tools: [tool()], ...make(fail) });
      await agent.prompt("hello");
      expect(faultsOf(events)).toEqual([]);
      expect(lines(events).slice(-4)).toEqual([
        "message_start assistant",
        "message_end assistant error",
        "turn_end",
        "agent_end failed",
      ]);
      expect(endOf(events)).not.toHaveProperty("reason");
      expect(agent.state.errorMessage).toBe("boom");
      expect(agent.state.isStreaming).toBe(false);
    });
    expect(stray).toEqual([]);
  });

  it.each(cases)("leaves the agent usable when %s %s", async (_name, _way, make, fail) => {
    const { agent, events } = setUp({ responses: [calls("a")], tools: [tool()] });
    Object.assign(agent, make(fail));
    await agent.prompt("hello");
    const fixed = setUp().agent;
    for (const name of [
      "transformContext",
      "convertToLlm",
      "getApiKey",
      "prepareRequest",
      "finishTurn",
    ] as const)
      Object.assign(agent, { [name]: fixed[name] });
    Object.assign(agent, {
      prepareNextTurn: undefined,
      prepareNextTurnWithContext: undefined,
      operators: undefined,
    });
    events.length = 0;
    await agent.prompt("again");
    expect(lines(events).at(-1)).toBe("agent_end completed");
    expect(agent.state.errorMessage).toBeUndefined();
  });

  it("keeps results of the turn that finishTurn failed in", async () => {
    const { agent } = setUp({ responses: [calls("a")], tools: [tool()], finishTurn: ways[0]![1] as Fail });
    await agent.prompt("hello");
    expect(transcript(agent.state.messages)).toEqual([
      "user hello",
      "assistant toolUse",
      "result a: done",
      "assistant error",
    ]);
  });

  it("takes nothing more from its queues", async () => {
    const { agent } = setUp({ transformContext: ways[1]![1] as Fail });
    agent.followUp(user("later"));
    await agent.prompt("hello");
    expect(transcript([...agent.queued.followUp])).toEqual(["user later"]);
  });
});
