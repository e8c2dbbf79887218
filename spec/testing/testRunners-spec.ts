import { describe, expect, it } from "@jest/globals";
import { join } from "node:path";
import { readSources } from "../support/architecture/sources";
import { projectRoot } from "../support/projectRoot";
import { run } from "../support/run";
import { kitTests } from "./support/kitTests";

const support = join(projectRoot, "spec/testing/support");
const names = Object.keys(kitTests);

interface VitestReport {
  testResults: { assertionResults: { title: string; status: string }[] }[];
}

describe("pi-agent-rx/testing", () => {
  it.each(names)("runs under jest: %s", async (name) => {
    await kitTests[name]!();
  });

  it("runs under node:test", async () => {
    const args = ["--import", "tsx", "--test", "--test-reporter=tap", join(support, "kit.nodeTest.ts")];
    const { code, stdout } = await run(process.execPath, args);
    expect(stdout).toContain(`# pass ${names.length}\n# fail 0`);
    expect(code).toBe(0);
  }, 120_000);

  it("runs under vitest", async () => {
    const vitest = join(projectRoot, "node_modules/vitest/vitest.mjs");
    const config = join(support, "vitest.config.ts");
    const args = [vitest, "run", "--config", config, "--reporter=json"];
    const { code, stdout, stderr } = await run(process.execPath, args);
    if (code !== 0) throw new Error(`vitest ended with ${code}\n${stdout}\n${stderr}`);
    const { testResults } = JSON.parse(stdout) as VitestReport;
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    expect(results.map(({ title, status }) => [title, status])).toEqual(
      names.map((name) => [name, "passed"]),
    );
  }, 120_000);

  it("imports neither a test framework nor node", () => {
    const imports = readSources(projectRoot, "src")
      .filter(({ path }) => path.startsWith("src/testing/"))
      .flatMap(({ text }) => text.match(/from "(node:|@?jest|vitest)[^"]*"/g) ?? []);
    expect(imports).toEqual([]);
  });
});
