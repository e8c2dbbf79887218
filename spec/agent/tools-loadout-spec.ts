import { getCurrentTools, type SystemMessage } from "@earendil-works/pi-ai";
import { describe, expect, it } from "@jest/globals";
import { map, NEVER, timer } from "rxjs";
import type { AnyAgentTool } from "pi-agent-rx";
import { answer, call, lines, model, transcript } from "./support/messages";
import type { Request } from "./support/provider";
import { setUp, type SetUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

const named = (name: string, fields: Partial<AnyAgentTool> = {}) =>
  tool(() => result(`${name} ran`), { name, ...fields });
/** The tools that the model knows of by this request. */
const declared = (request: Request | undefined) => getCurrentTools(request!.messages).map(({ name }) => name);
const useNew = answer([call("a", "new")]);

describe("state.tools and state.model assigned in mid-run", () => {
  it(
    "take effect with the next run",
    virtually(({ flush }) => {
      const { agent, requests } = setUp({
        responses: [answer([call("a", "old")]), useNew],
        tools: [named("old")],
      });
      agent.subscribe(({ type }) => {
        if (type !== "tool_execution_start") return;
        agent.state.tools = [named("new")];
        agent.state.model = { ...model, id: "large" };
        agent.state.thinkingLevel = "high";
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(requests.map((request) => request.model)).toEqual(["small", "small", "small"]);
      expect(requests.map(declared)).toEqual([["old"], ["old"], ["old"]]);
      expect(transcript(agent.state.messages)).toContain("result a error: Tool new not found");
      agent.prompt$("again").subscribe();
      flush();
      expect(requests[3]).toMatchObject({ model: "large", options: { reasoning: "high" } });
      expect(declared(requests[3])).toEqual(["new"]);
    }),
  );

  it(
    "are announced once, before the prompt of that run",
    virtually(({ flush }) => {
      const { agent, events } = setUp({ tools: [named("old")] });
      agent.prompt$("hello").subscribe();
      flush();
      agent.state.tools = [named("new")];
      events.length = 0;
      agent.prompt$("again").subscribe();
      agent.followUp({ role: "user", content: "more", timestamp: 0 });
      flush();
      const system = agent.state.messages.filter(({ role }) => role === "system") as SystemMessage[];
      expect(system).toHaveLength(2);
      expect(system[1]).toMatchObject({ toolsAdded: [{ name: "new" }], toolsRemoved: [{ name: "old" }] });
      expect(lines(events).slice(2, 5)).toEqual([
        "message_start system",
        "message_end system",
        "message_start user",
      ]);
    }),
  );
});

describe("a changed tool set", () => {
  it("is merged into a system message that the prompt brings", async () => {
    const { agent } = setUp({ tools: [named("old")] });
    await agent.prompt("hello");
    agent.state.tools = [named("old"), named("new")];
    const own: SystemMessage = { role: "system", content: "Use the new one.", timestamp: 0 };
    await agent.prompt([own, { role: "user", content: "again", timestamp: 0 }]);
    const system = agent.state.messages.filter(({ role }) => role === "system");
    expect(system).toHaveLength(2);
    expect(system[1]).toMatchObject({ content: "Use the new one.", toolsAdded: [{ name: "new" }] });
    expect(own).not.toHaveProperty("toolsAdded");
  });

  it("is not announced when it is the same again", async () => {
    const { agent } = setUp({ tools: [named("old")] });
    await agent.prompt("hello");
    agent.state.tools = [named("old")];
    await agent.prompt("again");
    expect(agent.state.messages.filter(({ role }) => role === "system")).toHaveLength(1);
  });
});

describe.each(["prepareNextTurn", "prepareRequest"] as const)("a tool that %s brings in", (hook) => {
  /** Brings the tool in for the second request. */
  const bringing = (brought: AnyAgentTool, options: SetUp = {}) => {
    const harness = setUp({
      responses: [answer([call("first", "old")]), answer([call("a", "new"), call("b", "new")])],
      tools: [named("old")],
      [hook]: () => {
        if (harness.requests.length !== 1) return undefined;
        return { context: { messages: [...harness.agent.state.messages], tools: [named("old"), brought] } };
      },
      ...options,
    });
    return harness;
  };

  it(
    "is executable in that turn, with every hook and the signal applied",
    virtually(({ flush }) => {
      const seen: string[] = [];
      const brought = tool(
        (id, _args, signal) => {
          seen.push(`execute ${id} ${signal!.aborted}`);
          return result("new ran");
        },
        { name: "new" },
      );
      const { agent } = bringing(brought, {
        beforeToolCall: ({ toolCall }) => void seen.push(`before ${toolCall.id}`),
        afterToolCall: ({ toolCall }) => void seen.push(`after ${toolCall.id}`),
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(transcript(agent.state.messages)).toEqual(
        expect.arrayContaining(["result a: new ran", "result b: new ran"]),
      );
      expect(seen.filter((line) => !line.includes("first")).sort()).toEqual([
        "after a",
        "after b",
        "before a",
        "before b",
        "execute a false",
        "execute b false",
      ]);
    }),
  );

  it(
    "makes the batch sequential when its mode says so",
    virtually(({ flush, now }) => {
      const starts: number[] = [];
      const slow = tool(
        () => {
          starts.push(now());
          return timer(10).pipe(map(() => result("slow")));
        },
        { name: "new", executionMode: "sequential" },
      );
      const { agent } = bringing(slow);
      agent.prompt$("hello").subscribe();
      flush();
      expect(starts).toEqual([0, 10]);
    }),
  );

  it(
    "is aborted like any other",
    virtually(({ at, flush }) => {
      const { agent } = bringing(
        tool(() => NEVER, { name: "new" }),
        { abortGraceMs: 5 },
      );
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(transcript(agent.state.messages).slice(-2)).toEqual([
        "result a error: Operation aborted",
        "result b error: Operation aborted",
      ]);
    }),
  );

  it(
    "is announced after the results of the batch before, never between a call and its result",
    virtually(({ flush }) => {
      const { agent, requests } = bringing(named("new"));
      agent.prompt$("hello").subscribe();
      flush();
      const roles = agent.state.messages.map(({ role }) => role);
      const calls = roles.indexOf("assistant");
      expect(roles.slice(calls, calls + 2)).toEqual(["assistant", "toolResult"]);
      const later = requests.map(declared);
      expect(later[0]).toEqual(["old"]);
      expect(later.at(-1)).toEqual(["old", "new"]);
    }),
  );
});

describe("a change of the tool set during a batch", () => {
  it(
    "by prepareNextTurn is announced in the next turn, after the batch's results",
    virtually(({ flush }) => {
      const { agent, requests } = setUp({
        responses: [answer([call("a", "old"), call("b", "old")])],
        tools: [named("old")],
        prepareNextTurnWithContext: ({ context }) => ({
          context: { ...context, tools: [named("new")] },
        }),
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(agent.state.messages.map(({ role }) => role).slice(1)).toEqual([
        "user",
        "assistant",
        "toolResult",
        "toolResult",
        "system",
        "assistant",
      ]);
      expect(declared(requests[1])).toEqual(["new"]);
    }),
  );

  it(
    "announced once is not announced again",
    virtually(({ flush }) => {
      const tools = [named("old"), named("new")];
      const { agent } = setUp({
        responses: [answer([call("a", "old")]), answer([call("b", "new")]), answer([call("c", "new")])],
        tools: [named("old")],
        prepareNextTurnWithContext: ({ context }) => ({ context: { ...context, tools } }),
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(agent.state.messages.filter(({ role }) => role === "system")).toHaveLength(2);
    }),
  );
});
