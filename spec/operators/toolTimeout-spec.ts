import { describe, expect, it } from "@jest/globals";
import { Agent } from "pi-agent-rx";
import { toolTimeout } from "pi-agent-rx/operators";
import { NEVER } from "rxjs";
import { assistant, call, model, output, tool } from "../support/fixtures";
import { answers } from "../support/providerEvents";
import { virtually } from "../support/virtually";
import { callRequest } from "./support/policies";

const results = { a: output("a"), b: output("b") };
const late = new Error('Tool "echo" took longer than 4 ms (timeout)');

describe("toolTimeout", () => {
  it("lets a tool through that is in time", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const result$ = cold("-ab|", results);
      expectObservable(result$.pipe(toolTimeout(4)(callRequest()))).toBe("-ab|", results);
      expectSubscriptions(result$.subscriptions).toBe("^--!");
    }));

  it("ends one that takes longer, though it reports updates", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const result$ = cold("-a-b-a-b|", results);
      expectObservable(result$.pipe(toolTimeout(4)(callRequest()))).toBe("-a-b#", results, late);
      expectSubscriptions(result$.subscriptions).toBe("^---!");
    }));

  it("passes errors and an early unsubscription", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      expectObservable(cold<never>("-#").pipe(toolTimeout(4)(callRequest()))).toBe("-#");
      const left$ = cold("-a-b|", results);
      expectObservable(left$.pipe(toolTimeout(9)(callRequest())), "^-!").toBe("-a-", results);
      expectSubscriptions(left$.subscriptions).toBe("^-!");
    }));

  it("makes an error result for the model, and aborts the tool's signal", () => {
    let signal: AbortSignal | undefined;
    let shown: unknown;
    virtually(() => {
      const slow = tool("echo", (_id, _args, given) => {
        signal = given;
        return NEVER;
      });
      const agent = new Agent({
        initialState: { model, tools: [slow] },
        streamFn: answers(assistant([call("1")]), assistant("bye")),
        operators: { toolCall: toolTimeout(4) },
      });
      agent.prompt$("x").subscribe({ complete: () => (shown = agent.state.messages.at(-2)) });
    });
    expect(signal?.aborted).toBe(true);
    expect(shown).toMatchObject({ role: "toolResult", isError: true, content: [{ text: late.message }] });
  });

  it("names what it expects", () => {
    expect(() => toolTimeout(-1)).toThrow(
      "toolTimeout: expected a number of ms from 0 to 2147483647, got -1",
    );
  });
});
