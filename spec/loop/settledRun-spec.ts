import { describe, expect, it, jest } from "@jest/globals";
import type { AgentEvent, AgentEventSink, ReactiveStreamFn } from "pi-agent-rx";
import { settledRun } from "../../src/loop/settledRun";
import { failingHooks, hookError } from "../support/failingHooks";
import { assistant, call, context, output, tool, user } from "../support/fixtures";
import { label } from "../support/label";
import { runOptions, type RunFields } from "../support/loop";
import { nothingStray, settled } from "../support/nothingStray";
import { answers } from "../support/providerEvents";

const run = (emit: AgentEventSink, fields?: RunFields) => settledRun(runOptions(fields), emit);

describe("settledRun", () => {
  nothingStray();

  it("gives every event to the sink and resolves with the messages that the run added", async () => {
    const seen: string[] = [];
    const added = await run((event) => void seen.push(label(event)));
    expect(seen.at(0)).toBe("agent_start");
    expect(seen.at(-1)).toBe("agent_end");
    expect(added).toMatchObject([user("hi"), { role: "assistant" }]);
  });

  it("starts when it is called, the rest a hop later", async () => {
    const seen: string[] = [];
    const ended = run((event) => void seen.push(label(event)));
    expect(seen).toEqual(["agent_start"]);
    await ended;
  });

  it("awaits the sink before the next event, and before what the event announces", async () => {
    const order: string[] = [];
    const streamFn: ReactiveStreamFn = jest.fn(answers(assistant([call("1")]), assistant("done")));
    const execute = () => (order.push("execute"), output("v"));
    const emit = async (event: AgentEvent) => {
      order.push(`> ${label(event)}`);
      await settled();
      order.push(`< ${label(event)}`);
    };
    await run(emit, { streamFn, context: context([], [tool("echo", execute)]) });
    const words = order.filter((word) => word !== "execute");
    words.forEach((word, n) => expect(word.slice(2)).toBe(words[n - (n % 2)]!.slice(2)));
    expect(order[order.indexOf("execute") - 1]).toBe("< tool_execution_start 1");
  });

  describe.each(["agent_start", "message_start user", "message_end assistant", "agent_end"])(
    "at %s",
    (event) => {
      it.each(failingHooks.slice(0, 2))(
        "rejects when the sink %s",
        async (_, emit) => {
          const sink: AgentEventSink = (given) => (label(given) === event ? emit() : undefined);
          await expect(run(sink)).rejects.toBe(hookError);
        },
        2_000,
      );
    },
  );

  it("gives the sink nothing more once it has failed, but for the ends of what was open", async () => {
    const seen: string[] = [];
    const sink: AgentEventSink = async (event) => {
      seen.push(label(event));
      if (label(event) === "message_start user") throw hookError;
    };
    await expect(run(sink)).rejects.toBe(hookError);
    expect(seen).toEqual(["agent_start", "turn_start", "message_start user", "message_end user"]);
  });

  it("rejects when a hook fails", async () => {
    await expect(run(() => {}, { config: { convertToLlm: failingHooks[1]![1] } })).rejects.toBe(hookError);
  });

  it("resolves when it is aborted", async () => {
    const added = await run(() => {}, { signal: AbortSignal.abort() });
    expect(added).toMatchObject([user("hi"), { stopReason: "aborted" }]);
  });

  it("rejects on bad input, by name", async () => {
    await expect(run("emit" as never)).rejects.toThrow('emit: expected a function, got "emit"');
    await expect(run(() => {}, { context: undefined })).rejects.toThrow("context: expected an object");
  });
});
