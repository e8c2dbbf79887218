import { describe, expect, it } from "@jest/globals";
import { Agent, agentLoop, agentRun, type ReactiveStreamFn } from "pi-agent-rx";
import { keepLastTurns } from "pi-agent-rx/context";
import { composePolicies, retryResponse, retryTool } from "pi-agent-rx/operators";
import { lastValueFrom, of } from "rxjs";
import { assistant, call, config, context, model, output, tool, user } from "../support/fixtures";
import { response } from "../support/providerEvents";
import { lines, turn } from "./support/conversation";

const transcript = [...turn("a"), ...turn("b")];
const last = keepLastTurns(1);

/** A model that notes what it is asked. */
function noting() {
  const asked: string[][] = [];
  const streamFn: ReactiveStreamFn = (_model, { messages }) => {
    asked.push(lines(messages));
    return response(assistant("hi"));
  };
  return { asked, streamFn };
}

describe("context operators", () => {
  it("prune in operators.context of an Agent", async () => {
    const { asked, streamFn } = noting();
    const initialState = { model, messages: transcript };
    const agent = new Agent({ initialState, streamFn, operators: { context: last } });
    await agent.prompt("c");
    expect(asked).toEqual([["user: c"]]);
    expect(agent.state.messages).toHaveLength(transcript.length + 2);
  });

  it("prune inside transformContext", async () => {
    const { asked, streamFn } = noting();
    const agent = new Agent({
      initialState: { model, messages: transcript },
      streamFn,
      transformContext: (messages) => of(messages).pipe(last),
    });
    await agent.prompt("c");
    expect(asked).toEqual([["user: c"]]);
  });

  it("prune in the low-level loop", async () => {
    const { asked, streamFn } = noting();
    const run = {
      prompts: [user("c")],
      context: context(transcript),
      config: config({ operators: { context: last } }),
    };
    await lastValueFrom(agentRun({ ...run, streamFn }));
    await agentLoop(run.prompts, run.context, run.config, undefined, streamFn as never).result();
    expect(asked).toEqual([["user: c"], ["user: c"]]);
  });
});

describe("policies", () => {
  it("hold in the low-level loop", async () => {
    let [requests, runs] = [0, 0];
    const failed = assistant("", { stopReason: "error", errorMessage: "503 overloaded" });
    const replies = [failed, assistant([call("1")]), failed, assistant("bye")];
    const echo = tool("echo", () => {
      if (++runs === 1) throw new Error("not yet");
      return output("done");
    });
    const operators = {
      response: composePolicies(retryResponse({ backoff: 0 })),
      toolCall: composePolicies(retryTool({ backoff: 0 })),
    };
    const end = await lastValueFrom(
      agentRun({
        prompts: [user("a")],
        context: context([], [echo]),
        config: config({ operators }),
        streamFn: () => response(replies[requests++]!),
      }),
    );
    expect([requests, runs]).toEqual([4, 2]);
    expect(end).toMatchObject({ type: "agent_end", outcome: "completed" });
  });
});
