import { describe, expect, it } from "@jest/globals";
import { Agent as PiAgent, type AgentOptions as PiAgentOptions } from "@earendil-works/pi-agent-core";
import { type Answer, answer, call, text, thinking } from "./support/answer";
import { connect } from "./support/connect";
import { type Reply, status, stream } from "./support/reply";
import { Agent, type AgentEvent, type AgentMessage } from "pi-agent-rx";
import type { SseServer } from "./support/sseServer";
import { useServers } from "./support/useServers";
import { says, weather } from "./support/weather";
import type { Wire } from "./support/wire";
import { wires } from "./support/wires";

/** What the two agents have in common and the scenarios use. */
type EitherAgent = Pick<Agent, "prompt" | "continue" | "steer" | "followUp" | "abort"> & {
  readonly state: Pick<Agent["state"], "messages" | "tools" | "thinkingLevel" | "errorMessage">;
  subscribe(listener: (event: AgentEvent) => void): () => void;
};

interface Scenario {
  readonly name: string;
  readonly script: (wire: Wire) => readonly Reply[];
  readonly drive: (agent: EitherAgent) => Promise<void>;
  readonly options?: Partial<PiAgentOptions>;
}

const OSLO = call("call_1", "weather", '{"city":"Oslo",', '"days":"2"}');
const PARIS = call("call_2", "weather", '{"city":"Paris","days":1,', '"metric":"true"}');

const said = (wire: Wire, scripted: Answer) => stream(wire.frames(scripted), { chunking: "frame" });
const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });

const SCENARIOS: readonly Scenario[] = [
  {
    name: "thinks, answers in pieces and is asked again",
    script: (wire) => [
      said(wire, answer(thinking("思", "考"), text("東", "京 ", "🎉"))),
      said(wire, answer(text("Yes."))),
    ],
    drive: async (agent) => {
      agent.state.thinkingLevel = "high";
      await agent.prompt("Where?");
      agent.state.thinkingLevel = "off";
      await agent.prompt([user("Sure?"), user("Really?")]);
    },
  },
  {
    name: "calls two tools at once",
    script: (wire) => [said(wire, answer(text("A look. "), OSLO, PARIS)), said(wire, answer(text("Done.")))],
    drive: (agent) => agent.prompt("Weather?"),
  },
  {
    name: "calls tools one after the other",
    script: (wire) => [said(wire, answer(OSLO, PARIS)), said(wire, answer(text("Done.")))],
    drive: (agent) => agent.prompt("Weather?"),
    options: { toolExecution: "sequential" },
  },
  {
    name: "makes every mistake with a tool",
    script: (wire) => [
      said(
        wire,
        answer(
          call("call_1", "weather", '{"city":"nowhere","days":1}'),
          call("call_2", "weather", '{"days":0}'),
          call("call_3", "weather", '{"city":'),
          call("call_4", "tides", "{}"),
        ),
      ),
      said(wire, answer(text("Sorry."))),
    ],
    drive: (agent) => agent.prompt("Weather?"),
  },
  {
    name: "is cut at the output limit in a call",
    script: (wire) => [said(wire, { ...answer(OSLO), stop: "length" }), said(wire, answer(text("Shorter.")))],
    drive: (agent) => agent.prompt("Weather?"),
  },
  {
    name: "is steered and followed up while a tool runs",
    script: (wire) => [
      said(wire, answer(OSLO)),
      said(wire, answer(text("Bergen then."))),
      said(wire, answer(text("Bye."))),
    ],
    drive: (agent) => {
      agent.subscribe((event) => {
        if (event.type !== "tool_execution_start") return;
        agent.steer(user("No, Bergen."));
        agent.followUp(user("Thanks."));
      });
      return agent.prompt("Weather?");
    },
  },
  {
    name: "gets other tools between two prompts",
    script: (wire) => [said(wire, answer(text("Hi."))), said(wire, answer(text("Ho.")))],
    drive: async (agent) => {
      await agent.prompt("Hi");
      agent.state.tools = [weather(async () => says("low"), { name: "tides" })];
      await agent.prompt("Ho");
    },
  },
  {
    name: "thinks before it calls, and is asked again with its thought",
    script: (wire) => [
      said(wire, answer(thinking("Oslo, ", "hmm"), OSLO)),
      said(wire, answer(text("Done."))),
      said(wire, answer(text("Yes."))),
    ],
    drive: async (agent) => {
      agent.state.thinkingLevel = "medium";
      await agent.prompt("Weather?");
      await agent.prompt("Sure?");
    },
  },
  {
    name: "gets its prompt patched and then a picture",
    script: (wire) => [said(wire, answer(text("Hi."))), said(wire, answer(text("A cat.")))],
    drive: async (agent) => {
      await agent.prompt([
        { role: "system", content: "Say less.", sections: { skills: "none" }, timestamp: 1 },
        user("Hi"),
      ]);
      await agent.prompt("What is this?", [{ type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }]);
    },
  },
  {
    name: "calls tools that all ask to stop, and goes on with what was queued",
    script: (wire) => [
      said(wire, answer(OSLO, PARIS)),
      said(wire, answer(text("Well then."))),
      said(wire, answer(text("As you wish."))),
    ],
    drive: async (agent) => {
      await agent.prompt("Weather?");
      agent.followUp(user("Go on."));
      await agent.continue();
    },
    options: { afterToolCall: async () => ({ terminate: true }) },
  },
  {
    name: "calls tools of which one is blocked, under hooks that change everything",
    script: (wire) => [said(wire, answer(OSLO, PARIS)), said(wire, answer(text("Done.")))],
    drive: (agent) => agent.prompt("Weather?"),
    options: {
      getApiKey: async () => "rotating-key",
      beforeToolCall: async ({ toolCall }) =>
        toolCall.id === "call_1" ? { block: true, reason: "not Oslo" } : undefined,
      afterToolCall: async ({ result }) => ({ content: [...result.content, ...says("checked").content] }),
      prepareRequest: async ({ context }) => ({ context, thinkingLevel: "low" }),
      prepareNextTurn: async () => ({ messages: [user("Mind the wind.")] }),
      transformContext: async (messages) => messages.slice(),
      finishTurn: async ({ toolResults }) => (toolResults.length > 0 ? { action: "continue" } : undefined),
    },
  },
  {
    name: "is cut off, then asked again",
    script: (wire) => [
      stream(wire.frames(answer(text("東", "京", "!"))), { chunking: "frame", upTo: "京" }),
      said(wire, answer(text("Fine."))),
    ],
    drive: async (agent) => {
      await agent.prompt("Hi");
      await agent.prompt("Again");
    },
  },
  {
    name: "is refused with a 500, then continued without the error",
    script: (wire) => [
      status(500, wire.failure("api_error", "on fire"), { "x-should-retry": "false" }),
      said(wire, answer(text("Fine."))),
    ],
    drive: async (agent) => {
      await agent.prompt("Hi");
      agent.state.messages = agent.state.messages.slice(0, -1);
      await agent.continue();
    },
  },
  {
    name: "is told to wait, twice",
    script: (wire) => [
      status(429, wire.failure("rate_limit_error", "slow down"), { "retry-after-ms": "1" }),
      status(429, wire.failure("rate_limit_error", "slow down"), { "retry-after-ms": "1" }),
      said(wire, answer(text("Fine."))),
    ],
    drive: (agent) => agent.prompt("Hi"),
  },
  {
    name: "is aborted in a stalled response, then asked again",
    script: (wire) => [
      stream(wire.frames(answer(text("東", "京", "!"))), { chunking: "frame", upTo: "京", then: "stall" }),
      said(wire, answer(text("Fine."))),
    ],
    drive: async (agent) => {
      agent.subscribe((event) => {
        if (event.type !== "message_update" || event.assistantMessageEvent.type !== "text_delta") return;
        if (event.assistantMessageEvent.delta === "京") agent.abort();
      });
      await agent.prompt("Hi");
      await agent.prompt("Again");
    },
  },
];

describe.each(wires)("our agent and pi's over $name", (wire) => {
  const serve = useServers();

  it.each(SCENARIOS)("behave the same when the model $name", async ({ script, drive, options }) => {
    const [ourServer, piServer] = [await serve(...script(wire)), await serve(...script(wire))];
    const ours = await record((all) => new Agent(all), ourServer, drive, options);
    const theirs = await record((all) => new PiAgent(all), piServer, drive, options);
    expect(ourServer.exchanges.length).toBe(script(wire).length);
    expect(ours.bodies).toEqual(theirs.bodies);
    expect(ours.headers).toEqual(theirs.headers);
    expect(ours.events).toEqual(theirs.events);
    expect(ours.transcript).toEqual(theirs.transcript);
    expect(ours.errorMessage).toEqual(theirs.errorMessage);
  });

  async function record(
    make: (options: PiAgentOptions) => EitherAgent,
    server: SseServer,
    drive: Scenario["drive"],
    options: Scenario["options"],
  ) {
    const { model, streamFn } = connect(wire, server.url, { request: { maxRetries: 2 } });
    const tool = weather(async (_id, { city, days }, _signal, onUpdate) => {
      onUpdate?.(says(`asking for ${city}`));
      if (city === "nowhere") throw new Error("no such place");
      return says(`${days} days of sun in ${city}`);
    });
    const agent = make({
      streamFn,
      sessionId: "session-1",
      initialState: { model, systemPrompt: "Be brief.", tools: [tool] },
      ...options,
    });
    const events: object[] = [];
    agent.subscribe((event) => void events.push(summary(event)));
    await drive(agent);
    return {
      events,
      transcript: agent.state.messages.map(timeless),
      errorMessage: agent.state.errorMessage,
      bodies: server.exchanges.map(({ body }) => body),
      headers: server.exchanges.map(({ headers: { host: _host, ...headers } }) => headers),
    };
  }
});

/** An event without what differs from run to run, and without the content that is live. */
function summary(event: AgentEvent): object {
  if (event.type === "message_update") {
    const { partial: _partial, ...update } = event.assistantMessageEvent as {
      partial: unknown;
      type: string;
    };
    return { type: event.type, update };
  }
  if (event.type === "agent_end") return { type: event.type, messages: event.messages.map(timeless) };
  if (event.type === "turn_end") return { type: event.type, toolResults: event.toolResults.map(timeless) };
  if (event.type === "message_start") return { type: event.type, role: event.message.role };
  if (event.type === "message_end") return { type: event.type, message: timeless(event.message) };
  return timeless(event);
}

function timeless(value: object): object {
  const { timestamp: _timestamp, durationMs: _durationMs, ...rest } = value as Record<string, unknown>;
  return structuredClone(rest);
}
