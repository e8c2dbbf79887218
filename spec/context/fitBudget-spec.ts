import { describe, expect, it, jest } from "@jest/globals";
import { Agent, type AgentMessage } from "pi-agent-rx";
import { fitBudget, inject } from "pi-agent-rx/context";
import { of } from "rxjs";
import { assistant, call, model, system, toolResult, user } from "../support/fixtures";
import { answers } from "../support/providerEvents";
import { apply } from "./support/apply";
import { lines, turn } from "./support/conversation";

/** Every message is one token. */
const estimate = () => 1;
const within = (budget: number, step = 0) => fitBudget({ budget, step, estimate });
const calls = (...ids: string[]) => ids.flatMap((id) => [assistant([call(id, id)]), toolResult(id, id)]);

describe("fitBudget", () => {
  it("passes what fits as it is", () => {
    const messages = turn("a");
    expect(apply(within(4), messages)).toBe(messages);
    expect(apply(within(1), [])).toEqual([]);
  });

  it("drops whole turns, the oldest first", () => {
    expect(lines(apply(within(9), [...turn("a"), ...turn("b"), ...turn("c")]))).toEqual(
      lines([...turn("b"), ...turn("c")]),
    );
  });

  it("then drops calls with their results, and keeps the newest user message and the newest unit", () => {
    const messages = [...turn("a"), user("b"), ...calls("1", "2", "3")];
    expect(lines(apply(within(5), messages))).toEqual(lines([user("b"), ...calls("2", "3")]));
    expect(lines(apply(within(3), messages))).toEqual(lines([user("b"), ...calls("3")]));
  });

  it("keeps system messages and what was injected", () => {
    const messages = [system("s"), ...turn("a"), system("t"), user("b")];
    const injected = apply(inject(of(user("live")), { at: "start" }), messages);
    expect(lines(apply(within(4), injected))).toEqual(["system: s", "user: live", "system: t", "user: b"]);
  });

  it("fails with both numbers when what must stay is too much", () => {
    const messages = [system("s"), user("b"), ...calls("1")];
    expect(() => apply(within(3), messages)).toThrow(
      new RangeError("fitBudget: what must stay takes 4 tokens, the budget is 3"),
    );
  });

  it("frees a share of the budget at a cut, and then leaves the beginning alone", () => {
    const first = (count: number) =>
      lines(
        apply(within(10, 0.5), [user("go"), ...calls(...Array.from({ length: count }, (_, n) => `${n}`))]),
      )[1];
    expect([4, 5, 6, 7, 8].map(first)).toEqual([0, 3, 3, 3, 6].map((n) => `assistant: ${n}!`));
  });

  it("counts each message once, by pi-ai's estimate unless told otherwise", () => {
    const count = jest.fn((_message: AgentMessage) => 1);
    const context = fitBudget({ budget: 100, estimate: count });
    const messages = turn("a");
    apply(context, messages);
    apply(context, messages);
    expect(count).toHaveBeenCalledTimes(4);
    const large = [user("x".repeat(350)), assistant("y"), user("z")];
    expect(apply(fitBudget({ budget: 102 }), large)).toBe(large);
    expect(lines(apply(fitBudget({ budget: 101 }), large))).toEqual(["user: z"]);
  });

  it("counts an app's own messages by their JSON", () => {
    const note = { role: "note", text: "n".repeat(350), timestamp: 0 } as unknown as AgentMessage;
    const messages = [user("a"), note, user("b")];
    expect(apply(fitBudget({ budget: 200 }), messages)).toBe(messages);
    expect(apply(fitBudget({ budget: 100 }), messages)).toEqual([user("b")]);
  });

  it("takes what the model's window leaves beside its output, asked at each request", () => {
    const budget = (window: Partial<typeof model>) => {
      const context = fitBudget({ model: () => ({ ...model, ...window }), estimate: () => 100 });
      return (
        apply(
          context,
          Array.from({ length: 30 }, () => user("x")),
        ).length <= 7
      );
    };
    const exactly = (window: Partial<typeof model>, tokens: number) => {
      const context = fitBudget({ model: { ...model, ...window }, estimate: () => tokens });
      return () => apply(context, [user("x")]);
    };
    expect(budget({ contextWindow: 900, maxTokens: 200 })).toBe(true);
    expect(exactly({ contextWindow: 900, maxTokens: 200 }, 700)).not.toThrow();
    expect(exactly({ contextWindow: 900, maxTokens: 200 }, 701)).toThrow("the budget is 700");
    expect(exactly({ contextWindow: 900, maxTokens: 900 }, 450)).not.toThrow();
    expect(exactly({ contextWindow: 900, maxTokens: 900 }, 451)).toThrow("the budget is 450");
  });

  it("refuses to be made without a budget, and odd options", () => {
    expect(() => fitBudget({})).toThrow(
      "fitBudget: budget: expected a number of tokens, or a model beside it",
    );
    expect(() => fitBudget({ budget: 0 })).toThrow("fitBudget: budget: expected a number of tokens, got 0");
    expect(() => fitBudget({ budget: 1, step: 1 })).toThrow("fitBudget: step: expected a share");
  });

  it("ends an Agent's run with its error when nothing is left to drop", async () => {
    const agent = new Agent({
      initialState: { model },
      streamFn: answers(assistant("ok")),
      operators: { context: fitBudget({ budget: 10, estimate: () => 11 }) },
    });
    await agent.prompt("hello");
    expect(agent.state.errorMessage).toBe("fitBudget: what must stay takes 11 tokens, the budget is 10");
  });
});
