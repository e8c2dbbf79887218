import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { build } from "esbuild";
import ts from "typescript";
import { importsOf } from "./support/architecture/sources";
import { inBrowser } from "./support/inBrowser";
import { packedPackage, type PackedPackage } from "./support/packedPackage";
import { projectRoot } from "./support/projectRoot";
import { codeBlocks } from "./support/readme/codeBlocks";
import { offlineModule } from "./support/readme/offlineModule";
import { run } from "./support/run";

interface PackageJson {
  name: string;
  exports: Record<string, string | { types: string; import: string }>;
  peerDependencies: Record<string, string>;
}

const packageJson = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as PackageJson;

/** Each door: the name users import, and its files. */
const doors = Object.entries(packageJson.exports).flatMap(([subpath, files]) =>
  typeof files === "string" ? [] : [{ door: `pi-agent-rx${subpath.slice(1)}`, ...files }],
);

let packed: PackedPackage;

beforeAll(async () => {
  packed = await packedPackage();
}, 300_000);

afterAll(() => packed?.remove());

const IN_PACKAGE = /node_modules\/(pi-agent-rx|@earendil-works\/pi-agent-core)\//;

const inPackage = (path: string) => join(packed.consumer, "node_modules/pi-agent-rx", path);

const binary = (name: string) => join(projectRoot, "node_modules/.bin", name);

const COMPILER_OPTIONS: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ["node"],
  typeRoots: [join(projectRoot, "node_modules/@types")],
};

/** Writes TypeScript files into the consumer; gives what the compiler says against them and our declarations. */
async function typecheck(texts: Record<string, string>): Promise<string[]> {
  const roots = Object.keys(texts).map((name) => join(packed.consumer, name));
  await Promise.all(roots.map((path, n) => writeFile(path, Object.values(texts)[n]!)));
  const program = ts.createProgram(roots, COMPILER_OPTIONS);
  const checked = program
    .getSourceFiles()
    .filter(({ fileName }) => roots.includes(fileName) || IN_PACKAGE.test(fileName));
  return [
    ...program.getGlobalDiagnostics(),
    ...checked.flatMap((file) => ts.getPreEmitDiagnostics(program, file)),
  ].map(
    ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
  );
}

const transpile = (text: string) =>
  ts.transpile(text, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
  });

/** Runs a TypeScript file of the consumer as JavaScript, under Node. */
async function execute(name: string, text: string) {
  const file = name.replace(/\.ts$/, ".mjs");
  await writeFile(join(packed.consumer, file), transpile(text));
  return run("node", [file], { cwd: packed.consumer, timeoutMs: 120_000 });
}

const readSupport = (path: string) => readFileSync(join(projectRoot, "spec/support", path), "utf8");

/** The same program, with the providers of pi-ai that it imports answering without a network. */
async function withOfflineProviders(text: string): Promise<string> {
  const modules = [...text.matchAll(/"(@earendil-works\/pi-ai\/providers\/([\w-]+))"/g)];
  for (const [, path, name] of modules) {
    await writeFile(
      join(packed.consumer, `${name}.mjs`),
      await offlineModule(path!, "./offlineProvider.mjs"),
    );
  }
  return text.replaceAll(/"@earendil-works\/pi-ai\/providers\/([\w-]+)"/g, `"./$1.mjs"`);
}

/** One run with an observable tool, seen through the hot stream. */
const BROWSER_PROGRAM = `
import { Agent } from "pi-agent-rx";
import { createModels, fauxAssistantMessage, fauxProvider, fauxToolCall } from "@earendil-works/pi-ai";
import { num, obj } from "@earendil-works/pi-schema";
import { filter, map, of } from "rxjs";

globalThis.main = async () => {
  const faux = fauxProvider();
  faux.setResponses([
    fauxAssistantMessage(fauxToolCall("add", { a: 2, b: 3 }), { stopReason: "toolUse" }),
    fauxAssistantMessage("Five."),
  ]);
  const models = createModels();
  models.setProvider(faux.provider);
  const add = {
    name: "add",
    label: "Add",
    description: "Adds two numbers",
    parameters: obj({ a: num(), b: num() }),
    execute: (_id, { a, b }) =>
      of("adding", String(a + b)).pipe(map((text) => ({ content: [{ type: "text", text }], details: {} }))),
  };
  const agent = new Agent({
    initialState: { model: faux.getModel(), tools: [add] },
    streamFn: models.streamSimple.bind(models),
  });
  const results = [];
  agent.events$
    .pipe(filter(({ type }) => type === "tool_execution_end"))
    .subscribe(({ result }) => results.push(result.content[0].text));
  await agent.prompt("How much is two and three?");
  return { answer: agent.state.messages.at(-1).content[0].text, results };
};
`;

describe("the package", () => {
  it("holds its build, its source, its README and its licence", () => {
    const expected = [
      "LICENSE",
      "README.md",
      "package.json",
      ...doors.flatMap((door) => [door.types, door.import]),
    ];
    expect(packed.files).toEqual(expect.arrayContaining(expected.map((path) => path.replace("./", ""))));
    expect(
      packed.files.filter((path) => !/^(dist|src)\/|^(LICENSE|README\.md|package\.json)$/.test(path)),
    ).toEqual([]);
  });

  it("passes publint", async () => {
    const { code, stdout } = await run(binary("publint"), ["--strict", "--pack", "false", inPackage("")]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("All good!")]);
  });

  it("passes attw's esm-only profile", async () => {
    const { code, stdout } = await run(binary("attw"), [
      packed.tarball,
      "--profile",
      "esm-only",
      "--no-emoji",
    ]);
    expect([code, code === 0 || stdout]).toEqual([0, true]);
  }, 120_000);

  it("imports its peers alone, and node: in testing alone", () => {
    const peers = Object.keys(packageJson.peerDependencies);
    const allowed = (path: string, name: string) =>
      name.startsWith(".") ||
      (name.startsWith("node:") && path.includes("testing")) ||
      peers.some((peer) => name === peer || name.startsWith(`${peer}/`));
    const built = packed.files.filter((path) => /^dist\/.*\.(js|d\.ts)$/.test(path));
    const imports = built.flatMap((path) =>
      importsOf({ path, text: readFileSync(inPackage(path), "utf8") }).map((name) => ({ path, name })),
    );
    expect(imports.length).toBeGreaterThan(2);
    expect(imports.filter(({ path, name }) => !allowed(path, name))).toEqual([]);
  });

  it("maps every built file to sources that it ships", () => {
    const scripts = packed.files.filter((path) => /^dist\/.*\.js$/.test(path));
    const maps = scripts.map(
      (path) => JSON.parse(readFileSync(inPackage(`${path}.map`), "utf8")) as { sources: string[] },
    );
    const sources = maps.flatMap((map, n) =>
      map.sources.map((source) => posix.join(scripts[n]!, "..", source)),
    );
    expect(sources).toContain("src/agent/Agent.ts");
    expect(sources.filter((source) => !packed.files.includes(source))).toEqual([]);
  });

  it("weighs what it may", async () => {
    const { code, stdout } = await run("node", [".ci/size.mjs"]);
    expect(stdout).toMatch(/^dist\/index\.js without peers: \d+ bytes minified, \d+ gzipped/);
    expect({ code, stdout }).toEqual({ code: 0, stdout });
  });
});

/** A program with a message type of its own, for the package under one of its names. */
const mergingProgram = (name: string) => `
import { Agent, type AgentMessage } from "${name}";
import { createModels, fauxAssistantMessage, fauxProvider } from "@earendil-works/pi-ai";

declare module "${name}" {
  interface CustomAgentMessages {
    notice: { role: "notice"; text: string; timestamp: number };
  }
}

const faux = fauxProvider();
faux.setResponses([fauxAssistantMessage("Hello")]);
const models = createModels();
models.setProvider(faux.provider);
const agent = new Agent({
  initialState: { model: faux.getModel() },
  streamFn: models.streamSimple.bind(models),
  convertToLlm: (messages) => messages.flatMap((message) => (message.role === "notice" ? [] : [message])),
});
const notice: AgentMessage = { role: "notice", text: "Saved", timestamp: 1 };
await agent.prompt([notice, { role: "user", content: "Hello", timestamp: 2 }]);
console.log(agent.state.messages.map(({ role }) => role).join());
// @ts-expect-error -- the text is missing
agent.steer({ role: "notice", timestamp: 1 });
`;

/** What each door exports at run time. */
async function doorNames(): Promise<[door: string, names: string[]][]> {
  const listing = doors.map(({ door }) => `["${door}", Object.keys(await import("${door}")).sort()]`);
  const { stdout } = await execute("doors.ts", `console.log(JSON.stringify([${listing.join()}]));`);
  return JSON.parse(stdout) as [string, string[]][];
}

/** Compiles when each door exports at run time what its types promise, no more and no less. */
const doorProgram = (names: [door: string, names: string[]][]) =>
  names
    .map(
      ([door, exported], n) => `
        import * as door${n} from "${door}";
        type Names${n} = ${exported.map((name) => `"${name}"`).join(" | ")};
        export const less${n}: [Exclude<keyof typeof door${n}, Names${n}>] extends [never] ? true : false = true;
        export const more${n}: [Exclude<Names${n}, keyof typeof door${n}>] extends [never] ? true : false = true;`,
    )
    .join("\n");

/** The README's quick start, as the package ships it. */
function quickStart(): string {
  const readme = { path: "README.md", text: readFileSync(inPackage("README.md"), "utf8") };
  const block = codeBlocks(readme).find(
    ({ heading, language }) => /quick start/i.test(heading) && language === "ts",
  );
  if (!block) throw new Error("README.md has no ts block under a heading that says Quick start");
  return block.text;
}

describe("an installed package", () => {
  const NAMES = ["pi-agent-rx", "@earendil-works/pi-agent-core"];
  let names: [door: string, names: string[]][];

  beforeAll(async () => {
    names = await doorNames();
  }, 120_000);

  it("types its doors, its quick start and merged messages, under its own name and pi's", async () => {
    const texts = {
      "doors.ts": doorProgram(names),
      "merging.ts": mergingProgram(NAMES[0]!),
      "mergingAlias.ts": mergingProgram(NAMES[1]!),
      "quickStart.ts": quickStart(),
      "wrong.ts": `import { Agent } from "pi-agent-rx";\nnew Agent({ streamFn: 1 });\nexport {};`,
    };
    expect(await typecheck(texts)).toEqual([expect.stringMatching(/wrong\.ts: Type 'number'/)]);
  }, 120_000);

  it("opens each of its doors", () => {
    expect(names.map(([door]) => door)).toEqual(doors.map(({ door }) => door));
    expect(names.filter(([, exported]) => exported.length === 0)).toEqual([]);
  });

  it.each(NAMES)(
    "runs with messages merged into %s",
    async (name) => {
      const { code, stdout, stderr } = await execute("merging.ts", mergingProgram(name));
      expect([code, stderr, stdout]).toEqual([0, "", "notice,user,assistant\n"]);
    },
    60_000,
  );

  it("declares the messages to merge into once, for all its doors", () => {
    const declarations = packed.files
      .filter((path) => path.endsWith(".d.ts"))
      .flatMap(
        (path) =>
          readFileSync(inPackage(path), "utf8").match(
            /^(export |declare )*interface CustomAgentMessages\b/gm,
          ) ?? [],
      );
    expect(declarations).toHaveLength(1);
  });

  it("runs the README's quick start", async () => {
    await writeFile(
      join(packed.consumer, "offlineProvider.mjs"),
      transpile(readSupport("readme/offlineProvider.ts")),
    );
    const offline = await withOfflineProviders(quickStart());
    const { code, stdout, stderr } = await execute("quickStart.ts", offline);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("made without a network");
  }, 60_000);

  it("runs in a browser", async () => {
    const { outputFiles } = await build({
      stdin: { contents: BROWSER_PROGRAM, resolveDir: packed.consumer, loader: "ts" },
      bundle: true,
      write: false,
      format: "esm",
      platform: "browser",
      logLevel: "silent",
    });
    const { result, errors } = await inBrowser(outputFiles[0]!.text);
    expect(errors).toEqual([]);
    expect(result).toEqual({ answer: "Five.", results: ["5"] });
  }, 300_000);
});
