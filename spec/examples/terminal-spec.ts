import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { folder } from "./support/folder";
import { callChunks, openAiServer, sendEvents, textChunks } from "./support/openAiServer";
import { npmStart, runTerminal, stopAll } from "./support/runTerminal";

const OFFLINE = "offline model: rule-based, no LLM";
const SLOW = 60_000;

let place: Awaited<ReturnType<typeof folder>>;

beforeAll(async () => {
  place = await folder({
    "a.txt": "alpha\n",
    "b.txt": "beta\nbeta\n",
    "long.md": `# Long\n\n${"word ".repeat(200)}\n`,
    leak: "-> ../secret.txt",
    "../secret.txt": "top secret\n",
  });
});

afterEach(stopAll);

afterAll(() => place.remove());

describe("terminal example: the offline model", () => {
  it(
    "answers npm start: calls tools together, shows their state, answers, and reads nothing outside the folder",
    async () => {
      const question = "read a.txt and b.txt and ../../../etc/passwd and leak, then search for beta";
      const program = npmStart(["--folder", place.root, question]);
      expect(await program.exitCode).toBe(0);
      expect(program.stdout).toContain(OFFLINE);
      const { stdout } = program;
      expect(stdout.indexOf("[running] read_file leak")).toBeLessThan(
        stdout.indexOf("[done] read_file a.txt"),
      );
      expect(stdout).toMatch(/\[done\] read_file a\.txt: lines 1–1 of 1, 6 bytes, \d+ ms/);
      expect(stdout).toMatch(/\[failed\] read_file \S+passwd: refused: .* lies outside the folder/);
      expect(stdout).toMatch(/\[failed\] read_file leak: refused: .* leads outside the folder/);
      expect(stdout).toContain("a.txt has 1 line.\n  | alpha");
      expect(stdout).toContain("[progress] search_files");
      expect(stdout).toContain("b.txt:2  beta");
      expect(stdout).toMatch(/3 turns · 5 tool calls \(2 failed\) · /);
      expect(stdout).not.toMatch(/secret\n|root:|\x1b/);
      expect(program.stderr).toBe("");
    },
    SLOW,
  );

  it(
    "answers line after line, remembers, and ends with its input",
    async () => {
      const program = runTerminal(["-C", place.root]);
      program.write("read b.txt\n\nsummarize it\nsing a song\n");
      program.endInput();
      expect(await program.exitCode).toBe(0);
      expect(program.stdout.match(/\[done\] read_file b\.txt/g)).toHaveLength(2);
      expect(program.stdout).toContain("› summarize it");
      expect(program.stdout).toContain("did not understand “sing a song”");
    },
    SLOW,
  );

  it(
    "stops a run with Ctrl-C, goes on with the next question, and leaves with Ctrl-C when idle",
    async () => {
      const program = runTerminal(["-C", place.root, "--pace", "40"]);
      program.write("read long.md\n");
      await program.until(/It begins: “word word/);
      program.ctrlC();
      await program.until(/aborted \(Ctrl-C\) · 2 turns/);
      program.write("what is 1+1?\n");
      await program.until(/1\+1 = 2\n\n2 turns/);
      program.ctrlC();
      expect(await program.exitCode).toBe(0);
      expect(program.stdout).toContain("stopping; Ctrl-C again leaves at once");
    },
    SLOW,
  );

  it(
    "leaves with 130 when its one question is stopped",
    async () => {
      const program = runTerminal(["-C", place.root, "--pace", "40", "read long.md"]);
      await program.until(/It begins: “word word/);
      program.ctrlC();
      expect(await program.exitCode).toBe(130);
      expect(program.stdout).toContain("aborted (Ctrl-C) · 2 turns");
    },
    SLOW,
  );
});

describe("terminal example: an OpenAI-compatible server", () => {
  it(
    "streams its answer and runs the tools it calls, with no key of the environment",
    async () => {
      const calls = [
        { name: "read_file", args: { path: "a.txt" } },
        { name: "calculate", args: { expression: "6*7" } },
      ];
      const server = await openAiServer((response, count) =>
        sendEvents(response, count === 0 ? callChunks(calls) : textChunks("It says alpha, and 42.")),
      );
      const args = ["--base-url", server.url, "--model", "spec", "-C", place.root, "what is in a.txt?"];
      const program = runTerminal(args, { OPENAI_API_KEY: "sk-not-for-you" });
      expect(await program.exitCode).toBe(0);
      await server.close();
      expect(program.stdout).toContain(`spec at ${server.url}/v1`);
      expect(program.stdout).not.toContain(OFFLINE);
      expect(program.stdout).toContain("[done] read_file a.txt");
      expect(program.stdout).toContain("[done] calculate 6*7: 42");
      expect(program.stdout).toContain("\nIt says alpha, and 42.\n");
      expect(server.seen.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/chat/completions"]);
      expect(server.seen[0]!.body).toMatchObject({ model: "spec" });
      expect(server.seen[0]!.body.tools).toHaveLength(4);
      expect(JSON.stringify(server.seen[1]!.body.messages)).toContain("alpha");
      expect(JSON.stringify(server.seen)).not.toContain("sk-not-for-you");
    },
    SLOW,
  );

  it(
    "tells what went wrong and leaves with 1",
    async () => {
      const server = await openAiServer((response) => {
        response.writeHead(401, { "content-type": "application/json" });
        response.end(JSON.stringify({ error: { message: "wrong key, friend" } }));
      });
      const args = ["--base-url", `${server.url}/api/`, "--model", "spec", "--api-key", "k", "hello"];
      const program = runTerminal(args);
      expect(await program.exitCode).toBe(1);
      await server.close();
      expect(program.stderr).toMatch(/^error: .*wrong key, friend/);
      expect(program.stdout).toContain("failed · 1 turn");
      expect(server.seen[0]).toMatchObject({ path: "/api/chat/completions", authorization: "Bearer k" });
    },
    SLOW,
  );
});

describe("terminal example: flags", () => {
  it(
    "leaves with 2 and names a wrong one, before anything is loaded or run",
    async () => {
      const program = runTerminal(["--base-url", "localhost", "hello"]);
      expect(await program.exitCode).toBe(2);
      expect(program.stderr).toMatch(
        /^error: --base-url: expected the http\(s\) address .*, got "localhost"\n$/,
      );
      expect(program.stdout).toBe("");
    },
    SLOW,
  );
});
