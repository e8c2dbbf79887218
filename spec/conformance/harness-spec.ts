import { Agent as PiAgent, type AgentEvent, type AgentMessage } from "@earendil-works/pi-agent-core";
import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { exactScript } from "./arbitraries/scripts";
import { conformance } from "./conformance";
import type { AgentClass, Options } from "./driver/agentLike";
import { drive } from "./driver/drive";
import { useVirtualTime } from "./driver/virtualTime";
import { holds } from "./property";
import { Oracle } from "./sides";

/** The seed is fixed where a fault has to be found. */
const compared = (Other: unknown, fixed: { seed?: number } = {}) =>
  holds(
    60,
    exactScript,
    (script) =>
      conformance(script, {
        expected: () => drive(Oracle, script, { exact: true }),
        actual: () => drive(Other as AgentClass, script, { exact: true }),
        differences: [],
      }),
    fixed,
  );

type Listener = Parameters<PiAgent["subscribe"]>[0];

/** Shows each `turn_start` after the event that follows it. */
class Swapping extends PiAgent {
  override subscribe(listener: Listener): () => void {
    let held: AgentEvent | undefined;
    return super.subscribe(async (event, signal) => {
      const before = held;
      held = event.type === "turn_start" ? event : undefined;
      if (!held) await listener(event, signal);
      if (before) await listener(before, signal);
    });
  }
}

/** Answers its second request out of its own head. */
class Unasking extends PiAgent {
  constructor(options: Options) {
    let nth = 0;
    super({
      ...options,
      streamFn: (model, context, streamOptions) => {
        if (nth++ !== 1) return options.streamFn(model, context, streamOptions);
        const { api, provider, id } = model;
        const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };
        const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
        const told = { api, provider, model: id, usage: { ...usage, cost }, timestamp: Date.now() };
        const stream = createAssistantMessageEventStream();
        const message = { role: "assistant" as const, content: [], stopReason: "stop" as const, ...told };
        stream.push({ type: "done", reason: "stop", message });
        return stream;
      },
    });
  }
}

class Forgetful extends PiAgent {
  override steer(message: AgentMessage): void {
    if (!this.hasQueuedMessages()) super.steer(message);
  }
}

class Copying extends PiAgent {
  override steer(message: AgentMessage): void {
    super.steer({ ...message });
  }
}

class Late extends PiAgent {
  override async prompt(...input: [never]): Promise<void> {
    await super.prompt(...input);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

class Unbarred extends PiAgent {
  override subscribe(listener: Listener): () => void {
    return super.subscribe((event, signal) => void listener(event, signal));
  }
}

class Dull extends PiAgent {
  constructor(options: Options) {
    super({ ...options, afterToolCall: undefined });
  }
}

describe("conformance harness", () => {
  beforeAll(useVirtualTime);
  afterAll(() => void jest.useRealTimers());

  it("finds no difference between the oracle and itself", async () => {
    await compared(PiAgent);
  }, 60_000);

  it.each([
    ["swaps two events", Swapping, /events of listener/],
    ["makes one request too few", Unasking, /request/],
    ["loses a queued message", Forgetful, /events of listener|queued/],
    ["copies a queued message", Copying, /message/],
    ["settles a millisecond late", Late, /step/],
    ["does not wait for its listeners", Unbarred, /settling of listener|events of listener/],
    ["leaves a hook out", Dull, /hook afterToolCall/],
  ])(
    "finds the agent out that %s",
    async (_, Broken, complaint) => {
      await expect(compared(Broken, { seed: 1 })).rejects.toThrow(complaint);
    },
    60_000,
  );
});
