import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compile } from "./support/compile";
import { packTarball } from "./support/packedPackage";
import { projectRoot } from "./support/projectRoot";
import { codeBlocks } from "./support/readme/codeBlocks";
import { run } from "./support/run";
import { tempFolder } from "./support/tempFolder";

const text = readFileSync(join(projectRoot, "marbles/README.md"), "utf8");
const blocks = codeBlocks({ path: "marbles/README.md", text });
const ofLanguage = (language: string) => blocks.filter((block) => block.language === language);

/** The page's files by name: each of its programs says in its first line how it is called. */
const programs = Object.fromEntries(
  ofLanguage("ts").map((block) => [/^\/\/ (\S+\.ts)\n/.exec(block.text)?.[1] ?? block.place, block.text]),
);
const tests = Object.keys(programs).filter((name) => name.endsWith(".test.ts"));

/** The test that the page shows as failing. */
const WRONG = {
  name: "wrong.test.ts",
  of: "retry.test.ts",
  right: "2993ms (uuumta)",
  wrong: "1993ms (uuumta)",
};

interface JestReport {
  testResults: { name: string; message: string; assertionResults: { status: string }[] }[];
}

/** An empty project with the page's package.json and programs, the packed package, and what we have of all others. */
async function project(folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  await mkdir(modules);
  const ours = join(projectRoot, "node_modules");
  for (const name of readdirSync(ours)) await symlink(join(ours, name), join(modules, name));
  const { tarball } = await packTarball(folder);
  await mkdir(join(modules, "pi-agent-rx"));
  execFileSync("tar", ["-xzf", tarball, "-C", join(modules, "pi-agent-rx"), "--strip-components=1"]);
  const [json] = ofLanguage("json");
  const wrong = programs[WRONG.of]!.replace(WRONG.right, WRONG.wrong);
  const files = { ...programs, "package.json": json!.text, [WRONG.name]: wrong };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
}

describe("marbles/README.md", () => {
  const results = new Map<string, JestReport["testResults"][number]>();
  let folder: Awaited<ReturnType<typeof tempFolder>>;

  beforeAll(async () => {
    folder = await tempFolder("guide");
    await project(folder.path);
    const output = join(folder.path, "report.json");
    const args = ["test", "--silent", "--", "--json", `--outputFile=${output}`];
    const { stdout, stderr } = await run("npm", args, { cwd: folder.path, timeoutMs: 240_000 });
    if (!existsSync(output)) throw new Error(`jest did not run\n${stdout}\n${stderr}`);
    const { testResults } = JSON.parse(await readFile(output, "utf8")) as JestReport;
    for (const result of testResults) results.set(result.name.split("/").at(-1)!, result);
  }, 300_000);

  afterAll(() => folder.remove());

  it("names each program, and compiles", () => {
    expect(tests.length).toBeGreaterThanOrEqual(5);
    const files = Object.entries(programs).map(([name, program]) => [
      `spec/testing/support/${name}`,
      program,
    ]);
    expect(compile(Object.fromEntries(files) as Record<string, string>)).toEqual([]);
  });

  it.each(tests)("%s passes under jest in a project of its own", (name) => {
    const { message, assertionResults } = results.get(name)!;
    expect(message).toBe("");
    expect(assertionResults.map(({ status }) => status)).toContain("passed");
  });

  it("shows what a test that fails says", () => {
    const { message } = results.get(WRONG.name)!;
    const shown = ofLanguage("text").find(({ heading }) => heading === "A test that fails")!;
    expect(message).toContain(shown.text);
  });

  it("has no other programs", () => {
    expect([...results.keys()].sort()).toEqual([...tests, WRONG.name].sort());
    const checked = ["ts", "text", "json", "sh"];
    expect(blocks.filter(({ language }) => !checked.includes(language))).toEqual([]);
  });

  it("installs what its package.json needs", () => {
    const [install] = ofLanguage("sh");
    const [json] = ofLanguage("json");
    expect(install!.text).toMatch(/^npm install -D [^\n]*\bjest\b/);
    for (const name of ["@jest/globals", "@swc/core", "@swc/jest"]) expect(install!.text).toContain(name);
    expect(json!.text).toContain("@swc/jest");
  });
});
