import { describe, expect, it, jest } from "@jest/globals";
import type { Message, TranscriptContext } from "@earendil-works/pi-ai";
import { EMPTY, lastValueFrom, of, throwError } from "rxjs";
import { convertToLlm, type AgentMessage, type ConvertToLlm } from "pi-agent-rx";
import { failingHooks, hookError } from "../support/failingHooks";
import { system, user } from "../support/fixtures";
import { virtually } from "../support/virtually";

const messages: AgentMessage[] = [system("be brief"), user("hi")];
const stage = (hook: ConvertToLlm) => convertToLlm({ convertToLlm: hook });

describe("convertToLlm", () => {
  it("gives what the hook makes of the messages, as one context, synchronously", () => {
    const hook = jest.fn<ConvertToLlm>((all) => all);
    let got: TranscriptContext | undefined;
    of(messages)
      .pipe(stage(hook))
      .subscribe((context) => (got = context));
    expect(hook.mock.calls).toEqual([[messages]]);
    expect(got).toEqual({ messages });
  });

  it("takes the array of a promise and of an observable as one value", async () => {
    const expected = { messages };
    await expect(
      lastValueFrom(of(messages).pipe(stage((all) => Promise.resolve(all as Message[])))),
    ).resolves.toEqual(expected);
    virtually(({ cold, expectObservable }) => {
      const hook: ConvertToLlm = (all) => cold("--(a|)", { a: all });
      expectObservable(of(messages).pipe(stage(hook))).toBe("--(c|)", { c: expected });
    });
  });

  it("takes an empty array", () => {
    virtually(({ expectObservable }) => {
      expectObservable(of(messages).pipe(stage(() => []))).toBe("(c|)", { c: { messages: [] } });
    });
  });

  it("passes an empty source and an error", () => {
    virtually(({ expectObservable }) => {
      expectObservable(EMPTY.pipe(stage(() => []))).toBe("|");
      expectObservable(throwError(() => "error").pipe(stage(() => []))).toBe("#");
    });
  });

  it.each([
    [undefined, "undefined"],
    [{}, "an object"],
    ["text", '"text"'],
  ])("names the hook when it gives %p", (value, shown) => {
    virtually(({ expectObservable }) => {
      const error = new TypeError(`convertToLlm: expected an array of messages, got ${shown}`);
      expectObservable(of(messages).pipe(stage(() => value as never))).toBe("#", undefined, error);
    });
  });

  it("names the hook when its observable gives several values or none", () => {
    virtually(({ expectObservable }) => {
      const two = new TypeError("convertToLlm: expected one value, got 2");
      expectObservable(of(messages).pipe(stage(() => of([], [])))).toBe("#", undefined, two);
      const none = new TypeError("convertToLlm: expected an array of messages, got undefined");
      expectObservable(of(messages).pipe(stage(() => EMPTY))).toBe("#", undefined, none);
    });
  });

  it.each(failingHooks)("fails when the hook %s", async (_, hook) => {
    await expect(lastValueFrom(of(messages).pipe(stage(hook)))).rejects.toBe(hookError);
  });

  it("leaves the hook when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const hook$ = cold<Message[]>("-----a|");
      expectObservable(of(messages).pipe(stage(() => hook$)), "^--!").toBe("----");
      expectSubscriptions(hook$.subscriptions).toBe("^--!");
    });
  });
});
