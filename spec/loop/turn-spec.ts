import { describe, expect, it, jest } from "@jest/globals";
import { PI_ATTRIBUTION } from "@earendil-works/pi-ai";
import { filter, lastValueFrom } from "rxjs";
import type { AgentContext, ReactiveLoopConfig, ReactiveStreamFn } from "pi-agent-rx";
import { assistant, call, context, model, output, system, tool, user } from "../support/fixtures";
import { slowGate } from "../support/gates";
import { label } from "../support/label";
import { run, runChars } from "../support/loop";
import { answers, response } from "../support/providerEvents";
import { virtually } from "../support/virtually";

const asking = assistant([call("1")]);
const answer = assistant("done");

/** Hooks that write down their calls and change nothing. */
function noting(calls: string[]): Partial<ReactiveLoopConfig> {
  return {
    getSteeringMessages: () => (calls.push("getSteeringMessages"), []),
    prepareRequest: () => void calls.push("prepareRequest"),
    transformContext: (messages) => (calls.push("transformContext"), messages),
    convertToLlm: (messages) => (calls.push("convertToLlm"), messages),
    getApiKey: () => void calls.push("getApiKey"),
    beforeToolCall: () => void calls.push("beforeToolCall"),
    afterToolCall: () => void calls.push("afterToolCall"),
    finishTurn: () => void calls.push("finishTurn"),
    prepareNextTurn: () => void calls.push("prepareNextTurn"),
    getFollowUpMessages: () => (calls.push("getFollowUpMessages"), []),
  };
}

/** What a stream function is asked, request by request. */
const requestsOf = (streamFn: jest.Mock<ReactiveStreamFn>) =>
  streamFn.mock.calls.map(([asked, { messages }, options]) => ({
    model: asked,
    messages,
    options: options!,
  }));

describe("turn", () => {
  it("asks its hooks in the order of the flow", async () => {
    const calls: string[] = [];
    const execute = () => (calls.push("execute"), output("v"));
    const replies = answers(asking, answer);
    const streamFn = () => (calls.push("streamFn"), replies());
    await lastValueFrom(
      run({ config: noting(calls), context: context([], [tool("echo", execute)]), streamFn }),
    );
    const request = ["prepareRequest", "transformContext", "convertToLlm", "getApiKey", "streamFn"];
    expect(calls).toEqual([
      "getSteeringMessages",
      ...request,
      ...["beforeToolCall", "execute", "afterToolCall", "finishTurn"],
      ...["getSteeringMessages", "prepareNextTurn", "getSteeringMessages"],
      ...request,
      ...["finishTurn", "getSteeringMessages", "getFollowUpMessages"],
    ]);
  });

  it("sends the whole transcript, and the settings of the run", async () => {
    const streamFn = jest.fn<ReactiveStreamFn>(answers(asking, answer));
    const config = {
      reasoning: "high" as const,
      sessionId: "s1",
      apiKey: "key",
      identity: { version: "9" },
    };
    await lastValueFrom(run({ context: context([system("be brief")]), config, streamFn }));
    const [first, second] = requestsOf(streamFn);
    expect(first).toMatchObject({ model, options: { reasoning: "high", sessionId: "s1", apiKey: "key" } });
    expect(first!.options.identity).toMatchObject({ attribution: PI_ATTRIBUTION, version: "9" });
    expect(first!.options.signal).toBeInstanceOf(AbortSignal);
    const roles = second!.messages.map(({ role }) => role);
    expect(roles).toEqual(["system", "user", "assistant", "toolResult"]);
  });

  it("asks for what prepareRequest and prepareNextTurn changed, from then on", async () => {
    const streamFn = jest.fn<ReactiveStreamFn>(answers(asking, asking, answer));
    const [large, other] = [
      { ...model, id: "large" },
      { ...model, id: "other" },
    ];
    const prepared = [{ model: large, thinkingLevel: "low" as const }];
    const next = [{ model: other, thinkingLevel: "off" as const }];
    const config = { prepareRequest: () => prepared.shift(), prepareNextTurn: () => next.shift() };
    await lastValueFrom(run({ config: { ...config, reasoning: "high" }, streamFn }));
    const asked = requestsOf(streamFn).map(({ model: { id }, options }) => [id, options.reasoning]);
    expect(asked).toEqual([
      ["large", "low"],
      ["other", undefined],
      ["other", undefined],
    ]);
  });

  it("runs a tool that prepareRequest brought in for this turn, and tells the model of it in the next", async () => {
    const execute = jest.fn(() => output("v"));
    const prepareRequest: ReactiveLoopConfig["prepareRequest"] = ({ context: { messages } }) => ({
      context: { messages, tools: [tool("echo", execute)] },
    });
    const streamFn = jest.fn<ReactiveStreamFn>(answers(asking, answer));
    await lastValueFrom(run({ config: { prepareRequest }, streamFn }));
    expect(execute).toHaveBeenCalledTimes(1);
    const last = requestsOf(streamFn)[1]!.messages.at(-1);
    expect(last).toMatchObject({ role: "system", toolsAdded: [{ name: "echo" }] });
  });

  it("keeps a transformed context out of the transcript", async () => {
    const streamFn = jest.fn<ReactiveStreamFn>(answers(answer));
    const transformContext = () => [user("pruned")];
    const end = await lastValueFrom(run({ config: { transformContext }, streamFn }));
    expect(requestsOf(streamFn)[0]!.messages).toEqual([user("pruned")]);
    expect(end).toMatchObject({ messages: [user("hi"), { role: "assistant" }] });
  });

  it("shows finishTurn the transcript with the results, and the hooks of a batch without them", async () => {
    const lengths: Record<string, number[]> = { before: [], finish: [] };
    const look = (key: string) => (given: { context: AgentContext }) =>
      void lengths[key]!.push(given.context.messages.length);
    const config = { beforeToolCall: look("before"), finishTurn: look("finish") };
    const tools = [tool()];
    await lastValueFrom(
      run({
        config,
        context: context([system("", { toolsAdded: [] })], tools),
        streamFn: answers(asking, answer),
      }),
    );
    expect(lengths).toEqual({ before: [4], finish: [5, 6] });
  });

  it("executes no call of an error response", async () => {
    const execute = jest.fn(() => output("v"));
    const failed = assistant([call("1")], { stopReason: "error" });
    const end = await lastValueFrom(
      run({ context: context([], [tool("echo", execute)]), streamFn: () => response(failed) }),
    );
    expect(execute).not.toHaveBeenCalled();
    expect(end).toMatchObject({ outcome: "failed" });
  });

  describe("behind a gate that holds an event", () => {
    const calls: [string, string][] = [
      ["agent_start", "getSteeringMessages"],
      ["turn_start", "getSteeringMessages"],
      ["message_start user", "getSteeringMessages"],
      ["message_end user", "getSteeringMessages"],
      ["message_end user", "prepareRequest"],
      ["message_start assistant", "beforeToolCall"],
      ["message_end assistant", "beforeToolCall"],
      ["tool_execution_start", "beforeToolCall"],
      ["tool_execution_end", "finishTurn"],
      ["message_end toolResult", "finishTurn"],
      ["turn_end", "prepareNextTurn"],
    ];

    it.each(calls)("%s: does not call %s before it has passed", (event, hook) => {
      virtually(({ flush }) => {
        const order: string[] = [];
        const tools = context([], [tool()]);
        const streamFn = answers(asking, answer);
        run({ config: noting(order), streamFn, gate: slowGate(3, event), context: tools })
          .pipe(filter((passed) => label(passed).startsWith(event)))
          .subscribe(() => order.push(event));
        flush();
        expect(order.indexOf(event)).toBeGreaterThanOrEqual(0);
        expect(order.indexOf(hook)).toBeGreaterThan(order.indexOf(event));
      });
    });

    it("tells every event in its time, the whole run through", () => {
      virtually(({ expectObservable }) => {
        const held$ = run({ gate: slowGate(1), streamFn: answers(asking, answer) }).pipe(runChars);
        expectObservable(held$).toBe("-atuUmMxXrRTtmMT(z|)");
      });
    });
  });
});
