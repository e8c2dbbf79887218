import * as pi from "@earendil-works/pi-agent-core";
import { describe, expect, it } from "@jest/globals";
import * as rx from "pi-agent-rx";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./support/projectRoot";

/** What each door exports at run time. A name that comes or goes is a decision, and is made here too. */
const DOORS: Record<string, string[]> = {
  "pi-agent-rx": [
    "Agent",
    "AgentEventStream",
    "DEFAULT_AGENT_IDENTITY",
    "agentLoop",
    "agentLoopContinue",
    "agentRun",
    "announceTools",
    "assistantEvents",
    "commitMessages",
    "convertToLlm",
    "endTurn",
    "prepareRequest",
    "runAgentLoop",
    "runAgentLoopContinue",
    "runControl",
    "runToolCall",
    "schedule",
    "setDefaultStreamFn",
    "streamProxy",
    "streamResponse",
    "toolStage",
    "transformContext",
    "withSignal",
  ],
  "pi-agent-rx/operators": [
    "ConversationView",
    "RateBudget",
    "approval",
    "coalesce",
    "composePolicies",
    "conversation",
    "fallbackTo",
    "idleTimeout",
    "limits",
    "memoizeTool",
    "ofType",
    "rateLimit",
    "retryResponse",
    "retryTool",
    "status",
    "textDeltas",
    "thinkingDeltas",
    "toAsyncIterable",
    "toReadableStream",
    "toStore",
    "toolCalls",
    "toolTimeout",
    "totalTimeout",
    "turns",
    "usageTotals",
  ],
  "pi-agent-rx/proxy": ["proxyHandler"],
  "pi-agent-rx/mcp": ["mcpTools"],
  "pi-agent-rx/codemode": ["codemodeTool"],
  "pi-agent-rx/testing": [
    "LawViolation",
    "agentTest",
    "marbles",
    "toolMarbles",
    "checkRun",
    "laws",
    "verifyRun",
    "recordRun",
    "replayRun",
    "call",
    "cut",
    "fail",
    "fakeModel",
    "fakeTool",
    "messageLine",
    "pause",
    "say",
    "spend",
    "stall",
    "think",
    "alphabet",
    "drawDiagram",
    "parseDiagram",
    "renderDiagram",
    "runDiagram",
  ],
  "pi-agent-rx/context": [
    "dedupeReads",
    "dropThinking",
    "elideImages",
    "elideToolResults",
    "fitBudget",
    "inject",
    "keepLastTurns",
    "repair",
    "repairTranscript",
    "summarize",
  ],
};

/** The methods and accessors that pi's README lists for an agent. */
const MEMBERS = [
  "abort",
  "clearAllQueues",
  "clearFollowUpQueue",
  "clearSteeringQueue",
  "continue",
  "followUp",
  "followUpMode",
  "hasQueuedMessages",
  "peekQueuedMessages",
  "prompt",
  "reset",
  "signal",
  "state",
  "steer",
  "steeringMode",
  "subscribe",
  "waitForIdle",
];

const kindsOf = (module: object) =>
  Object.fromEntries(Object.entries(module).map(([name, value]) => [name, typeof value]));

describe("exports", () => {
  it("are those of pi-agent-core, of the same kinds, and more", () => {
    expect(Object.keys(pi).length).toBeGreaterThan(8);
    expect(kindsOf(rx)).toMatchObject(kindsOf(pi));
  });

  it("are functions of as many parameters as pi's", () => {
    const lengths = (module: Record<string, unknown>) =>
      Object.keys(pi).map((name) => [name, (module[name] as { length?: number }).length]);
    expect(lengths(rx)).toEqual(lengths(pi));
  });

  it("hold an agent with the members of pi's", () => {
    const membersOf = (agent: { prototype: object }) => Object.getOwnPropertyNames(agent.prototype);
    expect(membersOf(pi.Agent)).toEqual(expect.arrayContaining(MEMBERS));
    expect(membersOf(rx.Agent)).toEqual(expect.arrayContaining(MEMBERS));
  });

  it("identify the agent as pi's do", () => {
    expect(rx.DEFAULT_AGENT_IDENTITY).toEqual(pi.DEFAULT_AGENT_IDENTITY);
  });

  it("leave by the doors that package.json opens", () => {
    const { exports } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
      exports: object;
    };
    const doors = Object.keys(exports).filter((subpath) => subpath !== "./package.json");
    expect(doors.map((subpath) => `pi-agent-rx${subpath.slice(1)}`)).toEqual(Object.keys(DOORS));
  });

  it.each(Object.entries(DOORS))("of %s are those listed here", async (door, names) => {
    expect(Object.keys((await import(door)) as object).sort()).toEqual([...names].sort());
  });
});
