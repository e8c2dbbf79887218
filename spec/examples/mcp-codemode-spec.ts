import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fauxAssistantMessage, type Message } from "@earendil-works/pi-ai";
import { respond } from "../../examples/mcp-codemode/respond";
import { run } from "../support/run";
import { tempFolder } from "../support/tempFolder";
import { callChunks, openAiServer, sendEvents, textChunks } from "./support/openAiServer";

const MAIN = ["--import", "tsx", "examples/mcp-codemode/main.ts"];

let place: Awaited<ReturnType<typeof tempFolder>>;

beforeAll(async () => {
  place = await tempFolder("mcp-codemode");
  await writeFile(join(place.path, "short.txt"), "one\n");
  await writeFile(join(place.path, "long.txt"), "one\ntwo\nthree\n");
});

afterAll(() => place.remove());

describe("mcp-codemode example", () => {
  it("answers with the offline model: a script over one server, a call of each other one, with progress", async () => {
    const { code, stdout, stderr } = await run("npm", [
      ...["run", "--silent", "example:mcp", "--"],
      ...["--offline", "--folder", place.path],
    ]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("[running] codemode // the lines of each file");
    expect(stdout).toContain("[progress] codemode // the lines of each file: 4 of 4 calls have ended");
    expect(stdout).toContain(
      "[progress] mcp__all__trigger_long_running_operation duration=1 steps=4: 2 of 4",
    );
    expect(stdout).toContain('["long.txt: 3 lines","short.txt: 1 lines"]\nThe sum of 2 and 3 is 5.\n');
    expect(stdout).toContain("2 turns · 3 tool calls · ");
  }, 120_000);

  it("answers with a server's model, which is told of every tool", async () => {
    const calls = [{ name: "mcp__web__echo", args: { message: "over HTTP" } }];
    const server = await openAiServer((response, count) =>
      sendEvents(response, count === 0 ? callChunks(calls) : textChunks("It echoes.")),
    );
    const flags = ["--base-url", server.url, "--model", "spec", "--folder", place.path, "echo something"];
    const { code, stdout } = await run("node", [...MAIN, ...flags]);
    await server.close();
    expect(code).toBe(0);
    expect(stdout).toContain("[done] mcp__web__echo over HTTP: Echo: over HTTP");
    expect(stdout).toContain("\nIt echoes.\n");
    const names = (server.seen[0]!.body.tools as { function: { name: string } }[]).map(
      ({ function: { name } }) => name,
    );
    expect(names).toEqual(
      expect.arrayContaining([
        "mcp__files__read_text_file",
        "mcp__all__get_sum",
        "mcp__web__get_sum",
        "codemode",
      ]),
    );
  }, 120_000);

  it("says which server did not start, and leaves with 1", async () => {
    const { code, stderr, stdout } = await run("node", [...MAIN, "--offline", "--folder", "/no/such/folder"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error: MCP server "files": did not start: /);
  }, 120_000);
});

describe("mcp-codemode example: the offline model", () => {
  const ask = (content: string): Message => ({ role: "user", content, timestamp: 0 });
  const namesOf = (request: string) => respond([ask(request)]).calls.map(({ name }) => name);

  it("calls what a request asks for", () => {
    expect(namesOf("add 2 and 3.5")).toEqual(["mcp__web__get_sum"]);
    expect(respond([ask("Add -2 to 3.5")]).calls[0]?.arguments).toEqual({ a: -2, b: 3.5 });
    expect(namesOf("work for 3 seconds, and count the files")).toEqual([
      "codemode",
      "mcp__all__trigger_long_running_operation",
    ]);
  });

  it("says what it understands, when it does not", () => {
    expect(respond([ask("sing a song")])).toEqual({
      text: expect.stringContaining("add 2 and 3"),
      calls: [],
    });
  });

  it("tells what came of the last request", () => {
    const result = (text: string): Message => ({
      role: "toolResult",
      toolCallId: "1",
      toolName: "x",
      content: [{ type: "text", text }],
      isError: false,
      timestamp: 0,
    });
    const before = [ask("add 1 and 1"), fauxAssistantMessage("…"), result("two")];
    expect(respond([...before, ask("add 2 and 2"), fauxAssistantMessage("…"), result("four")])).toEqual({
      text: "four",
      calls: [],
    });
  });
});
