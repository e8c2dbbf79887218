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

const inPackage = (path: string) => join(packed.consumer, "node_modules/pi-agent-rx", path);

/** Writes a TypeScript file into the consumer and gives what its compiler says. */
async function typecheck(name: string, text: string): Promise<string> {
  await writeFile(join(packed.consumer, name), text);
  const tsc = join(projectRoot, "node_modules/typescript/bin/tsc");
  const flags = "--ignoreConfig --noEmit --strict --target es2022 --module nodenext --lib es2023,dom".split(
    " ",
  );
  const { stdout } = await run("node", [tsc, ...flags, "--types", "", name], { cwd: packed.consumer });
  return stdout;
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
  return run("node", [file], { cwd: packed.consumer, timeoutMs: 30_000 });
}

const union = (names: readonly string[]) => names.map((name) => `"${name}"`).join(" | ");

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
  const tools = [];
  agent.events$.pipe(filter(({ type }) => type.startsWith("tool_"))).subscribe(({ type }) => tools.push(type));
  await agent.prompt("How much is two and three?");
  return { answer: agent.state.messages.at(-1).content[0].text, tools };
};
`;

const binary = (name: string) => join(projectRoot, "node_modules/.bin", name);

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
  }, 30_000);

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
    expect(sources).toContain("src/index.ts");
    expect(sources.filter((source) => !packed.files.includes(source))).toEqual([]);
  });

  it("weighs what it may", async () => {
    const { code, stdout } = await run("node", [".ci/size.mjs"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^dist\/index\.js without peers: \d+ bytes/)]);
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

describe("an installed package", () => {
  it("offers at every door what its types promise", async () => {
    const listing = doors.map(({ door }) => `["${door}", Object.keys(await import("${door}")).sort()]`);
    const { stdout } = await execute("doors.ts", `console.log(JSON.stringify([${listing.join()}]));`);
    const names = JSON.parse(stdout) as [door: string, names: string[]][];
    expect(names.map(([door]) => door)).toEqual(doors.map(({ door }) => door));
    const text = names.map(
      ([door, exported], n) => `
        import * as door${n} from "${door}";
        export const less${n}: [Exclude<keyof typeof door${n}, ${union(exported)}>] extends [never] ? true : false = true;
        export const more${n}: [Exclude<${union(exported)}, keyof typeof door${n}>] extends [never] ? true : false = true;`,
    );
    expect(await typecheck("doors.ts", text.join("\n"))).toBe("");
  }, 60_000);

  it.each(["pi-agent-rx", "@earendil-works/pi-agent-core"])(
    "takes messages merged into %s",
    async (name) => {
      const file = name.replaceAll("/", "-");
      expect(await typecheck(`${file}.ts`, mergingProgram(name))).toBe("");
      expect(await execute(`${file}.ts`, mergingProgram(name))).toMatchObject({
        code: 0,
        stdout: "notice,user,assistant\n",
      });
    },
    60_000,
  );

  it("declares the messages to merge into once, for all its doors", () => {
    const declarations = packed.files
      .filter((path) => path.endsWith(".d.ts"))
      .flatMap(
        (path) => readFileSync(inPackage(path), "utf8").match(/interface CustomAgentMessages\b/g) ?? [],
      );
    expect(declarations).toHaveLength(1);
  });

  it("runs the README's quick start", async () => {
    const readme = { path: "README.md", text: readFileSync(inPackage("README.md"), "utf8") };
    const block = codeBlocks(readme).find(
      ({ heading, language }) => /quick start/i.test(heading) && language === "ts",
    );
    if (!block) throw new Error("README.md has no ts block under a heading that says Quick start");
    expect(await typecheck("quickStart.ts", block.text)).toBe("");
    await writeFile(
      join(packed.consumer, "offlineProvider.mjs"),
      transpile(readSupport("readme/offlineProvider.ts")),
    );
    const offline = await withOfflineProviders(block.text);
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
    expect(result).toEqual({
      answer: "Five.",
      tools: ["tool_execution_start", "tool_execution_update", "tool_execution_end"],
    });
  }, 300_000);
});
