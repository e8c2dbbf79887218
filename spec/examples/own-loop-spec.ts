import { beforeAll, describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../support/projectRoot";
import { codeBlocks } from "../support/readme/codeBlocks";
import { run, type RunResult } from "../support/run";

const PROGRAM = "examples/own-loop/main.ts";

const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");
const blocksOf = (path: string) => codeBlocks({ path, text: read(path) });

describe("own-loop", () => {
  let result: RunResult;

  beforeAll(async () => {
    result = await run("node", ["--import", "tsx", PROGRAM]);
  }, 60_000);

  it("runs one turn with tools and one without", () => {
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout.split("\n").map((line) => line.trim())).toEqual([
      "agent_start",
      "turn_start",
      "message_start system",
      "message_end system",
      "message_start user",
      "message_end user",
      "message_start assistant",
      "message_end assistant",
      "tool_execution_start",
      "tool_execution_end",
      "message_start toolResult",
      "message_end toolResult",
      "turn_end assistant",
      "turn_start",
      "message_start system",
      "message_end system",
      "message_start assistant",
      "message_end assistant",
      "turn_end assistant",
      "agent_end",
      "",
    ]);
  });

  it("prints what its README shows", () => {
    const [printed] = blocksOf("examples/own-loop/README.md").filter(({ language }) => language === "text");
    expect(result.stdout.replaceAll(/ +$/gm, "").trim()).toBe(printed?.text);
  });

  it("stands in the library's README as it is", () => {
    expect(blocksOf("README.md").map(({ text }) => text)).toContain(read(PROGRAM).trimEnd());
  });
});
