import { describe, expect, it } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  fileLength,
  functionLength,
  nestedGenerators,
  oneExport,
  promisesInStreams,
  runtimeInTypes,
  starExports,
  switchedSpecs,
} from "./support/architecture/codeRules";
import { importCycles, importDirections, packageImports } from "./support/architecture/importRules";
import { importsOf, readSources, type Finding, type Source } from "./support/architecture/sources";
import { lockedAddresses, registryHosts } from "./support/architecture/treeRules";
import { projectRoot } from "./support/projectRoot";

const src = readSources(projectRoot, "src");
const spec = readSources(projectRoot, "spec");
const tracked = trackedFiles();

/** What git knows of, or is about to: a new file counts before it is committed. */
function trackedFiles(): Source[] {
  const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: projectRoot,
    encoding: "utf8",
  });
  return list
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(projectRoot, path)))
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), "utf8") }));
}

/** Sources by path, from a short form. */
const files = (texts: Record<string, string>): Source[] =>
  Object.entries(texts).map(([path, text]) => ({ path, text }));

const lines = (count: number) =>
  Array.from({ length: count }, (_, n) => `export const a${n} = ${n};`).join("\n");

describe("architecture", () => {
  it("is read from the real tree", () => {
    expect(src.map(({ path }) => path)).toContain("src/index.ts");
    expect(spec.map(({ path }) => path)).toContain("spec/architecture-spec.ts");
    expect(tracked.map(({ path }) => path)).toContain("package-lock.json");
  });

  it("imports go down only", () => {
    expect(importDirections(src)).toEqual([]);
  });

  it("no file reaches itself through its imports", () => {
    expect(importCycles(src)).toEqual([]);
  });

  it("generators of the runtime stand at the top of their file", () => {
    expect(nestedGenerators(src)).toEqual([]);
    const text = "export function* a() {}\nconst b = () => function* () {};\n";
    expect(nestedGenerators(files({ "src/loop/a.ts": text, "src/testing/a.ts": text }))).toEqual([
      "src/loop/a.ts:2",
    ]);
  });

  it("src imports its peers and nothing else, testing apart", () => {
    expect(packageImports(src)).toEqual([]);
  });

  it("no promise lives in the stream rooms", () => {
    expect(promisesInStreams(src)).toEqual([]);
  });

  it("no file of src has more than 150 lines of code", () => {
    expect(fileLength(src)).toEqual([]);
  });

  it("no function of src has more than 60 lines of code", () => {
    expect(functionLength(src)).toEqual([]);
  });

  it("a file of src exports one thing and bears its name", () => {
    expect(oneExport(src)).toEqual([]);
  });

  it("every export is named", () => {
    expect(starExports(src)).toEqual([]);
  });

  it("types hold no runtime code", () => {
    expect(runtimeInTypes(src)).toEqual([]);
  });

  it("no spec is skipped or focused", () => {
    expect(switchedSpecs(spec)).toEqual([]);
  });

  it("no tracked file names a registry", () => {
    const configured = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
    const { hostname } = new URL(configured);
    const isLocal = /^(localhost|[\d.]+|\[.*\])$/.test(hostname);
    expect(registryHosts(tracked, isLocal ? [] : [hostname])).toEqual([]);
  });

  it("lock files record no addresses", () => {
    expect(lockedAddresses(tracked)).toEqual([]);
  });
});

describe("importsOf", () => {
  it("finds imports, re-exports, import() and import types", () => {
    const text = `import "a"; import type { B } from "b"; export { c } from "c"; export * from "d";
      const e = import("e"); type F = import("f").F; const g = "g";`;
    expect(importsOf({ path: "src/index.ts", text })).toEqual(["a", "b", "c", "d", "e", "f"]);
  });
});

describe("importDirections", () => {
  /** Whether `from` may import `to`. */
  const findings = (from: string, to: string): Finding[] => {
    const up = "../".repeat(from.split("/").length - 1);
    return importDirections(
      files({ [from]: `import { x } from "${up}${to.replace(/\.ts$/, "")}";`, [to]: "" }),
    );
  };

  it.each([
    ["src/internal/a.ts", "src/types/b.ts"],
    ["src/stages/a.ts", "src/internal/b.ts"],
    ["src/stages/tools/a.ts", "src/stages/tools/b.ts"],
    ["src/loop/a.ts", "src/stages/tools/b.ts"],
    ["src/agent/a.ts", "src/loop/b.ts"],
    ["src/adapters/sse/a.ts", "src/adapters/sse/b.ts"],
    ["src/mcp/a.ts", "src/internal/b.ts"],
    ["src/codemode/a.ts", "src/types/b.ts"],
    ["src/testing/a.ts", "src/types/b.ts"],
    ["src/index.ts", "src/operators/b.ts"],
    ["src/operators/index.ts", "src/operators/b.ts"],
    ["src/adapters/index.ts", "src/adapters/sse/b.ts"],
  ])("lets %s import %s", (from, to) => {
    expect(findings(from, to)).toEqual([]);
  });

  it.each([
    ["src/types/a.ts", "src/internal/b.ts"],
    ["src/internal/a.ts", "src/stages/b.ts"],
    ["src/stages/a.ts", "src/stages/b.ts"],
    ["src/stages/a.ts", "src/stages/tools/b.ts"],
    ["src/stages/tools/a.ts", "src/stages/b.ts"],
    ["src/loop/a.ts", "src/agent/b.ts"],
    ["src/context/a.ts", "src/operators/b.ts"],
    ["src/operators/a.ts", "src/agent/b.ts"],
    ["src/adapters/sse/a.ts", "src/adapters/ag-ui/b.ts"],
    ["src/proxy/a.ts", "src/stages/b.ts"],
    ["src/mcp/a.ts", "src/loop/b.ts"],
    ["src/codemode/a.ts", "src/mcp/b.ts"],
    ["src/agent/a.ts", "src/mcp/b.ts"],
    ["src/index.ts", "src/codemode/b.ts"],
    ["src/testing/a.ts", "src/agent/b.ts"],
    ["src/agent/a.ts", "src/testing/b.ts"],
    ["src/agent/a.ts", "src/index.ts"],
    ["src/index.ts", "src/testing/b.ts"],
  ])("stops %s from importing %s", (from, to) => {
    expect(findings(from, to)).toEqual([`${from} imports ${to}`]);
  });

  it("knows no other rooms", () => {
    expect(importDirections(files({ "src/utils/a.ts": "" }))).toEqual(["src/utils/a.ts lies in no room"]);
  });

  it("finds an import of nothing", () => {
    expect(importDirections(files({ "src/types/a.ts": `import "./b";` }))).toEqual([
      "src/types/a.ts imports ./b, which is no file",
    ]);
  });
});

describe("importCycles", () => {
  it("finds a cycle of three and leaves a diamond alone", () => {
    const cycle = { "src/a.ts": `import "./b";`, "src/b.ts": `import "./c";`, "src/c.ts": `import "./a";` };
    expect(importCycles(files(cycle))).toEqual(["src/a.ts → src/b.ts → src/c.ts → src/a.ts"]);
    const diamond = {
      "src/a.ts": `import "./b"; import "./c";`,
      "src/b.ts": `import "./c";`,
      "src/c.ts": "",
    };
    expect(importCycles(files(diamond))).toEqual([]);
  });
});

describe("packageImports", () => {
  it("finds node and stranger packages, and lets testing have them", () => {
    const text = `import "node:fs"; import "lodash"; import "rxjs"; import "rxjs/testing"; import "rxjs-extra";`;
    expect(packageImports(files({ "src/agent/a.ts": text, "src/testing/a.ts": text }))).toEqual([
      "src/agent/a.ts imports node:fs",
      "src/agent/a.ts imports lodash",
      "src/agent/a.ts imports rxjs-extra",
    ]);
  });
});

describe("packageImports of a room with an optional peer", () => {
  const text = `import "@earendil-works/pi-mcp"; import "@earendil-works/pi-codemode"; import "pi-agent-rx";`;

  it.each([
    ["src/mcp/a.ts", ["@earendil-works/pi-codemode", "pi-agent-rx"]],
    ["src/codemode/a.ts", ["@earendil-works/pi-mcp"]],
    ["src/agent/a.ts", ["@earendil-works/pi-mcp", "@earendil-works/pi-codemode", "pi-agent-rx"]],
  ])("lets %s have its own", (path, strangers) => {
    const found = strangers.map((stranger) => `${path} imports ${stranger}`);
    expect(packageImports(files({ [path]: text }))).toEqual(found);
  });
});

describe("promisesInStreams", () => {
  it.each([
    ["export async function a() {}", "async"],
    ["export const a = { async *b() {} };", "async"],
    ["for await (const a of b) c();", "await"],
    ["await a;", "await"],
    ["new Promise(() => {});", "new Promise"],
    ["Promise.resolve(1);", "Promise.resolve"],
    ["a().then(b);", "then"],
    ["firstValueFrom(a$);", "firstValueFrom"],
  ])("finds %s", (text, word) => {
    expect(promisesInStreams(files({ "src/stages/a.ts": text }))).toEqual([`src/stages/a.ts:1 ${word}`]);
  });

  it("lets the loop turn a run into a promise, and no more", () => {
    const text = "export const a = () => lastValueFrom(run$);\nPromise.resolve(1);";
    expect(promisesInStreams(files({ "src/loop/a.ts": text }))).toEqual(["src/loop/a.ts:2 Promise.resolve"]);
  });

  it("lets types, comments and other rooms speak of promises", () => {
    const harmless = {
      "src/stages/a.ts": "// await\nexport type A = Promise<void>;",
      "src/agent/a.ts": "await a;",
    };
    expect(promisesInStreams(files(harmless))).toEqual([]);
  });
});

describe("fileLength and functionLength", () => {
  it("count lines of code, not comments or blanks", () => {
    const text = `/** One.\n * Two. */\n\n// three\n${lines(3)}\nexport const b = \`\n\n\`;`;
    expect(fileLength(files({ "src/a.ts": text }), 5)).toEqual(["src/a.ts has 6 lines of code (limit 5)"]);
    expect(fileLength(files({ "src/a.ts": text }), 6)).toEqual([]);
  });

  it("stop at 150 and 60 lines", () => {
    expect(fileLength(files({ "src/a.ts": lines(150) }))).toEqual([]);
    expect(fileLength(files({ "src/a.ts": lines(151) }))).toHaveLength(1);
    const body = (count: number) => `function a() {\n${"b();\n// why\n".repeat(count)}}`;
    expect(functionLength(files({ "src/a.ts": body(58) }))).toEqual([]);
    expect(functionLength(files({ "src/a.ts": `c();\n${body(59)}` }))).toEqual([
      "src/a.ts:2 a function of 61 lines (limit 60)",
    ]);
    expect(functionLength(files({ "src/a.ts": `const a = () => {\n${"b();\n".repeat(59)}};` }))).toHaveLength(
      1,
    );
  });
});

describe("oneExport", () => {
  it.each([
    ["export function maxItems() {}\nexport interface MaxItemsOptions {}"],
    ["export const MAX_ITEMS = 1;"],
    ["class MaxItems {}\nexport { MaxItems };"],
    [
      "export function maxItems(a: 1): void;\nexport function maxItems(a: 2): void;\nexport function maxItems() {}",
    ],
  ])("is content with %j", (text) => {
    expect(oneExport(files({ "src/context/maxItems.ts": text }))).toEqual([]);
  });

  it.each([
    ["export const maxItems = 1;\nexport const other = 2;", "exports other"],
    ["export const maxItems = 1;\nexport default 2;", "exports default"],
    ["export const maxItems = 1, other = 2;", "exports other"],
    ["const other = 1;\nexport const maxItems = 1;\nexport { other };", "exports other"],
    ["export interface Options {}", "does not export maxItems"],
  ])("finds fault with %j", (text, fault) => {
    expect(oneExport(files({ "src/context/maxItems.ts": text }))).toEqual([
      `src/context/maxItems.ts ${fault}`,
    ]);
  });
});

describe("starExports", () => {
  it("finds both kinds", () => {
    const text = `export * from "./a";\nexport * as b from "./b";\nexport { c } from "./c";`;
    expect(starExports(files({ "src/index.ts": text }))).toEqual([
      "src/index.ts:1 export *",
      "src/index.ts:2 export *",
    ]);
  });
});

describe("runtimeInTypes", () => {
  it("finds values and imports that stay", () => {
    const text = `import type { A } from "a";\nexport type B = A;\nexport const c = 1;\nimport { d } from "d";`;
    expect(runtimeInTypes(files({ "src/types/a.ts": text, "src/agent/a.ts": text }))).toEqual([
      "src/types/a.ts:3 is there at run time",
      "src/types/a.ts:4 is there at run time",
    ]);
  });
});

describe("switchedSpecs", () => {
  it.each([
    ["it.skip", `it.skip("a", () => {});`],
    ["describe.only", `describe.only("a", () => {});`],
    ["it.only.each", `it.only.each([1])("a", () => {});`],
    ["test.todo", `test.todo("a");`],
    ["it.concurrent.skip", `it.concurrent.skip("a", () => {});`],
    ["xit", `xit("a", () => {});`],
    ["fdescribe", `fdescribe("a", () => {});`],
  ])("finds %s", (name, text) => {
    const [finding] = switchedSpecs(files({ "spec/a-spec.ts": text }));
    expect(name.startsWith(finding?.split(" ")[1] ?? "nothing")).toBe(true);
  });

  it("leaves other words alone", () => {
    expect(
      switchedSpecs(files({ "spec/a-spec.ts": `list.skip(1); it("skip only", () => {}); exit();` })),
    ).toEqual([]);
  });
});

describe("registryHosts and lockedAddresses", () => {
  it("find what must not be written down", () => {
    const host = ["registry", "npmjs", "org"].join(".");
    const lock = {
      "bench/package-lock.json": `{"resolved": "${["http", "s://mirror/x.tgz"].join("")}"}`,
      "a.md": host,
    };
    expect(registryHosts(files(lock))).toEqual([`a.md names ${host}`]);
    expect(registryHosts(files(lock), ["mirror"])).toContain("bench/package-lock.json names mirror");
    expect(lockedAddresses(files(lock))).toHaveLength(1);
    expect(lockedAddresses(files({ "package-lock.json": `{"integrity": "x"}` }))).toEqual([]);
  });
});
