import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packTarball } from "../support/packedPackage";
import { projectRoot } from "../support/projectRoot";
import { codeBlocks } from "../support/readme/codeBlocks";
import { run, type RunResult } from "../support/run";
import { tempFolder } from "../support/tempFolder";

const FOLDER = "examples/pi-coding-agent";
const README = `${FOLDER}/README.md`;

describe("pi-coding-agent example", () => {
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  let result: RunResult;

  beforeAll(async () => {
    folder = await tempFolder("tarball");
    const { tarball } = await packTarball(folder.path);
    const script = ["--import", "tsx", `${FOLDER}/main.ts`, tarball];
    result = await run("node", script, { timeoutMs: 540_000 });
  }, 600_000);

  afterAll(() => folder.remove());

  it("sees the same events, requests, files and sessions with pi's core and with this one", () => {
    const readme = codeBlocks({ path: README, text: readFileSync(join(projectRoot, README), "utf8") });
    const shown = readme.find(({ language }) => language === "text");
    expect(result.stdout.trim()).toBe(shown?.text);
    expect(result).toMatchObject({ code: 0, stderr: "" });
  });
});
