import { beforeAll, describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importableNames } from "./support/architecture/codeRules";
import { readSources, type Finding } from "./support/architecture/sources";
import { projectRoot } from "./support/projectRoot";
import { blockReport } from "./support/readme/blockReport";
import { codeBlocks, exampleBlocks, withImports, type CodeBlock } from "./support/readme/codeBlocks";

// How a block is written so that it can be checked:
// - ts: a whole module. It is compiled, and run in a process of its own that must end by itself, with pi-ai's provider
//   modules answering without a network and any tool called once. What spec/support/readme/prelude.ts makes (agent, models,
//   model, streamFn, …) may be used without making it. A run that fails fails the block, unless it reads `errorMessage` or
//   compares with "failed".
// - bash: npm commands that package.json can carry out; an install brings every peer.
// - text: a diagram; words with an underscore are types of events.
// - json: data.
// An `@example` without imports has the names that the package's doors export. Every other kind of block fails.

const readme = { path: "README.md", text: readFileSync(join(projectRoot, "README.md"), "utf8") };
const src = readSources(projectRoot, "src");
const doors = new Map(
  src
    .filter(({ path }) => /^src\/(\w+\/)?index\.ts$/.test(path))
    .map((source) => [
      source.path.replace(/^src/, "pi-agent-rx").replace(/\/index\.ts$/, ""),
      importableNames(source),
    ]),
);
const examples = src.flatMap(exampleBlocks).map((example) => withImports(example, doors));
const blocks = [...codeBlocks(readme), ...examples];

const block = (language: string, text: string): CodeBlock => ({
  place: "sample:1",
  language,
  text,
  heading: "",
});

describe("README and doc comments", () => {
  let report: Finding[][];

  beforeAll(async () => {
    report = await blockReport(blocks);
  }, 240_000);

  it("lose no block on the way here", () => {
    const fences = [readme, ...src].flatMap(({ text }) => text.match(/^[ *]*```/gm) ?? []);
    expect(blocks).toHaveLength(fences.length / 2);
    expect(report).toHaveLength(blocks.length);
  });

  it.each(blocks.map(({ place, language, heading }, index) => ({ place, language, heading, index })))(
    "$place is right ($language, $heading)",
    ({ index }) => {
      expect(report[index]).toEqual([]);
    },
  );
});

describe("blockReport", () => {
  it("is content with programs, commands, diagrams and data that are right", async () => {
    const right = [
      block(
        "ts",
        `await agent.prompt("Hello");\nif (agent.state.messages.length < 2) throw new Error("no answer");`,
      ),
      block(
        "bash",
        `npm ci && npm test\nnpm install pi-agent-rx rxjs @earendil-works/pi-ai @earendil-works/pi-schema # all`,
      ),
      block("text", "agent_start → message_update (text_delta) → agent_end"),
      block("json", `{ "a": 1 }`),
    ];
    const placed = right.map((item, index) => ({ ...item, place: `sample:${index}` }));
    expect(await blockReport(placed)).toEqual([[], [], [], []]);
  }, 60_000);
});

describe("blockReport", () => {
  it("keeps the messages that one block declares from all others", async () => {
    const merging = `declare module "pi-agent-rx" {
      interface CustomAgentMessages { memo: { role: "memo"; timestamp: number } }
    }`;
    const use = `import type { AgentMessage } from "pi-agent-rx";
      export const memo: AgentMessage = { role: "memo", timestamp: 1 };`;
    const blocks = [block("ts", `${use}\n${merging}`), { ...block("ts", use), place: "sample:2" }];
    expect(await blockReport(blocks)).toEqual([[], [expect.stringContaining(`"memo"`)]]);
  }, 60_000);
});

describe("blockReport finds", () => {
  const WRONG: [name: string, language: string, text: string, finding: RegExp][] = [
    ["a type error", "ts", `const a: number = "one";`, /line .*not assignable/],
    [
      "an unknown option",
      "ts",
      `import { Agent } from "pi-agent-rx";\nnew Agent({ streamFn, toolz: [] });`,
      /toolz/,
    ],
    ["a throw", "ts", `throw new Error("boom");`, /ended with 1[\s\S]*boom/],
    ["a lost rejection", "ts", `void Promise.reject(new Error("boom"));`, /ended with 1[\s\S]*boom/],
    ["a wait that never ends", "ts", `await new Promise(() => {});`, /ended with 13/],
    ["a process that never ends", "ts", `setInterval(() => {}, 1000);`, /ended with 124/],
    [
      "a run that fails",
      "ts",
      `import { Agent } from "pi-agent-rx";
       await new Agent({ initialState: { model }, streamFn: () => { throw new Error("boom"); } }).prompt("Hello");`,
      /a run failed: boom/,
    ],
    ["a command that is none", "bash", "npm run publish-all", /no script publish-all/],
    ["an install without peers", "sh", "npm install pi-agent-rx", /leaves out rxjs/],
    ["another program", "sh", "curl example.org", /nobody checks this/],
    ["an event that is none", "text", "agent_begin → agent_end", /agent_begin/],
    ["broken JSON", "json", "{ a }", /SyntaxError/],
    ["another language", "python", "pass", /nobody knows/],
  ];
  let report: Finding[][];

  beforeAll(async () => {
    report = await blockReport(
      WRONG.map(([, language, text], index) => ({ ...block(language, text), place: `sample:${index}` })),
      10_000,
    );
  }, 60_000);

  it.each(WRONG.map(([name, , , finding], index) => ({ name, finding, index })))(
    "$name",
    ({ finding, index }) => {
      expect(report[index]?.join("\n")).toMatch(finding);
    },
  );
});

describe("codeBlocks and exampleBlocks", () => {
  it("find blocks with their place, language and heading", () => {
    const text = "# Title\n\n```ts\na;\n```\n\n## Part\n\n- item\n\n  ````text\n  ```\n  b\n  ````\n";
    expect(codeBlocks({ path: "a.md", text })).toEqual([
      { place: "a.md:3", language: "ts", text: "a;", heading: "Title" },
      { place: "a.md:11", language: "text", text: "```\nb", heading: "Part" },
    ]);
    expect(() => codeBlocks({ path: "a.md", text: "```ts\na;" })).toThrow(
      "a.md:1: this block is never closed",
    );
  });

  it("find the examples of doc comments", () => {
    const text =
      'const a = 1;\n\n/**\n * One.\n *\n * @example\n * ```ts\n * b({\n *   c: "*",\n * });\n * ```\n */\nexport const d = 2;\n';
    expect(exampleBlocks({ path: "src/d.ts", text })).toEqual([
      { place: "src/d.ts:7", language: "ts", text: 'b({\n  c: "*",\n});', heading: "" },
    ]);
  });

  it("give an example without imports the names it uses", () => {
    const doors = new Map([
      ["pi-agent-rx", ["Agent", "agentLoop", "type AgentEvent", "type AgentState"]],
      ["pi-agent-rx/proxy", ["proxyHandler"]],
    ]);
    const used = withImports(
      block("ts", "interface AgentState { a: AgentEvent }\nagentLoop(a.Agent, { Agent: 1 });"),
      doors,
    );
    expect(used.text.split("; ")[0]).toBe(`import { agentLoop, type AgentEvent } from "pi-agent-rx"`);
    const own = block("ts", `import { Agent } from "pi-agent-rx";\nnew Agent();`);
    expect(withImports(own, doors)).toEqual(own);
  });
});
