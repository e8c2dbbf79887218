import { describe, expect, it } from "@jest/globals";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { readSources } from "../support/architecture/sources";
import { projectRoot } from "../support/projectRoot";

const run = promisify(execFile);

describe("pi-agent-rx/testing", () => {
  it("runs under node:test", async () => {
    const file = join(projectRoot, "spec/testing/support/kit.nodeTest.ts");
    const args = ["--import", "tsx", "--test", "--test-reporter=tap", file];
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
    const { stdout } = await run(process.execPath, args, { cwd: projectRoot, env });
    expect(stdout).toMatch(/# pass 3\n# fail 0/);
  }, 120_000);

  it("imports neither a test framework nor node", () => {
    const imports = readSources(projectRoot, "src")
      .filter(({ path }) => path.startsWith("src/testing/"))
      .flatMap(({ text }) => text.match(/from "(node:|@?jest|vitest)[^"]*"/g) ?? []);
    expect(imports).toEqual([]);
  });
});
