import type { Message } from "@earendil-works/pi-ai";
import { describe, expect, it } from "@jest/globals";
import { Agent, type AgentMessage } from "pi-agent-rx";
import {
  dedupeReads,
  dropThinking,
  elideImages,
  elideToolResults,
  fitBudget,
  keepLastTurns,
  repairTranscript,
} from "pi-agent-rx/context";
import { pipe, type MonoTypeOperatorFunction } from "rxjs";
import { assistant, call, model, output, tool } from "../support/fixtures";
import { response } from "../support/providerEvents";

type Operator = MonoTypeOperatorFunction<AgentMessage[]>;

const TURNS = 200;
const thinking = { type: "thinking" as const, thinking: "t".repeat(35) };
const read = tool("read", () => output("r".repeat(350)));
const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
const look = tool("read", () => ({ content: [image], details: undefined }));

/** How often a request did not begin with all that the one before held. */
function prefixChanges(requests: string[][]): number {
  const isGrown = (now: string[], before: string[]) =>
    before.every((message, index) => message === now[index]);
  return requests.filter((now, at) => at > 0 && !isGrown(now, requests[at - 1]!)).length;
}

/** A run of 200 turns through an Agent: in one prompt, or each prompt two (a call, an answer). */
async function run(context: Operator, prompts: number, reads = read): Promise<string[][]> {
  const requests: string[][] = [];
  const inPrompt = TURNS / prompts;
  const streamFn = (_model: unknown, { messages }: { messages: readonly Message[] }) => {
    const turn = requests.push(messages.map((message) => JSON.stringify(message)));
    const isLast = turn % inPrompt === 0;
    const block = isLast
      ? { type: "text" as const, text: "a".repeat(35) }
      : call(`c${turn}`, "read", { path: `p${turn % 7}` });
    return response(assistant([thinking, block]));
  };
  const agent = new Agent({ initialState: { model, tools: [reads] }, streamFn, operators: { context } });
  for (let prompt = 0; prompt < prompts; prompt++) await agent.prompt(`prompt ${prompt}`);
  expect(agent.state.errorMessage).toBeUndefined();
  expect(requests).toHaveLength(TURNS);
  return requests;
}

const path = ({ arguments: args }: ReturnType<typeof call>) => String(args.path);
const budget = 4000;

describe("prompt caching over a run of 200 turns", () => {
  it("changes the beginning at every prompt without steps", async () => {
    expect(prefixChanges(await run(keepLastTurns(10, { step: 1 }), 100))).toBe(90);
  });

  it.each<[string, Operator, number]>([
    ["keepLastTurns", keepLastTurns(10), 18],
    ["elideToolResults", elideToolResults({ maxChars: 20, olderThanTurns: 10 }), 18],
    ["dropThinking", dropThinking({ olderThanTurns: 10 }), 18],
    ["dedupeReads", dedupeReads(path, { step: 10 }), 9],
    ["fitBudget", fitBudget({ budget }), 9],
  ])("changes it now and then with %s", async (_name, operator, times) => {
    const changes = prefixChanges(await run(operator, 100));
    expect(changes).toBe(times);
  });

  it("changes it now and then with elideImages", async () => {
    const requests = await run(elideImages({ olderThanTurns: 10 }), 100, look);
    expect(requests.at(-1)!.filter((message) => message.includes("AAAA")).length).toBeLessThan(16);
    expect(prefixChanges(requests)).toBe(18);
  });

  it("changes it now and then within one long prompt", async () => {
    const changes = prefixChanges(await run(fitBudget({ budget }), 1));
    expect(changes).toBe(17);
  });

  it("changes it now and then with all of them", async () => {
    const context = pipe(
      repairTranscript(),
      dropThinking({ olderThanTurns: 10 }),
      elideToolResults({ maxChars: 20, olderThanTurns: 10 }),
      fitBudget({ budget }),
    );
    const changes = prefixChanges(await run(context, 100));
    expect(changes).toBe(23);
  });
});
