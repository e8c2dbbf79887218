import { describe, expect, it } from "@jest/globals";
import { normalizeContext, type AssistantMessageEvent, type Message } from "@earendil-works/pi-ai";
import { offlineModel } from "../../../examples/terminal/offline/offlineModel";
import { respond } from "../../../examples/terminal/offline/respond";
import { asked, turn } from "../support/transcript";

const callsOf = (request: string, before: Message[] = []) =>
  respond([...before, asked(request)]).calls.map(({ name, arguments: args }) => [name, args]);

/** Gives the results turn after turn; the texts of all replies. */
const talk = (request: string, ...rounds: (string | Error)[][]) => {
  const messages = [asked(request)];
  const texts: string[] = [];
  for (const results of rounds) {
    const reply = respond(messages);
    expect(reply.calls).toHaveLength(results.length);
    texts.push(reply.text);
    messages.push(...turn(reply, results));
  }
  const last = respond(messages);
  expect(last.calls).toEqual([]);
  return [...texts, last.text];
};

describe("offline model: what it understands", () => {
  const read = (path: string, more = {}) => ["read_file", { path, ...more }];
  const list = (path: string, more = {}) => ["list_files", { path, ...more }];
  const search = (query: string, path = ".") => ["search_files", { query, path }];
  const calculate = (expression: string) => ["calculate", { expression }];

  it.each([
    ["list files", [list(".")]],
    ["What files are here?", [list(".")]],
    ["Could you please list the files in src/types?", [list("src/types")]],
    ["ls", [list(".")]],
    ["what is in the src folder?", [list("src")]],
    ["list the current folder", [list(".")]],
    ["list src", [list("src")]],
    ["list the folder", [list(".")]],
    ["list everything in src recursively", [list("src", { recursive: true })]],
    ["how many files are in src?", [list("src", { recursive: true })]],
    ["what is the largest file in src", [list("src", { recursive: true })]],
    ["read README.md", [read("README.md")]],
    ["Read the readme, please.", [read("README.md")]],
    ["read a.txt and b.txt", [read("a.txt"), read("b.txt")]],
    ["read a.txt, b.txt and c.txt", [read("a.txt"), read("b.txt"), read("c.txt")]],
    ["read a.txt and notes", [read("a.txt"), read("notes")]],
    ["cat a.txt b.txt", [read("a.txt"), read("b.txt")]],
    ["read notes", [read("notes")]],
    ["explain monads", []],
    ["read a.txt carefully", []],
    ['read "my notes.txt"', [read("my notes.txt")]],
    ["show me lines 3 to 9 of a.txt", [read("a.txt", { offset: 3, limit: 7 })]],
    ["show the first 5 lines of a.txt", [read("a.txt", { offset: 1, limit: 5 })]],
    ["what does src/index.ts do?", [read("src/index.ts")]],
    ["summarize ../../etc/passwd", [read("../../etc/passwd")]],
    ["search for Observable in src", [search("Observable", "src")]],
    ["search for Observable in .", [search("Observable", ".")]],
    ['find "read and write" in docs', [search("read and write", "docs")]],
    ["where is Agent used?", [search("Agent")]],
    ["which files mention StreamFn?", [search("StreamFn")]],
    ["how often does TODO occur in src?", [search("TODO", "src")]],
    ["what is 12*(3+4)?", [calculate("12*(3+4)")]],
    ["12 plus 3 times 4", [calculate("12 + 3 * 4")]],
    ["15% of 80", [calculate("15/100*80")]],
    ["1,000 * 3", [calculate("1000 * 3")]],
    ["the square root of 144", []],
    ["what is the square root of 144?", [calculate("sqrt(144)")]],
    ["calculate 3 +* 4", [calculate("3 +* 4")]],
    ["how many lines do a.txt and b.txt have?", [read("a.txt"), read("b.txt")]],
    ["list files and read LICENSE and what is 2+2", [list("."), read("LICENSE"), calculate("2+2")]],
    ["list files, then read LICENSE", [list(".")]],
    ["what is the meaning of life?", []],
    ["hello", []],
    ["", []],
  ])("%s", (request, calls) => {
    expect(callsOf(request)).toEqual(calls);
  });

  it("knows what was read last", () => {
    const reply = respond([asked("read a.txt")]);
    const before = [asked("read a.txt"), ...turn(reply, ["lines 1–1 of 1, 3 bytes\n\none"])];
    expect(callsOf("summarize it", before)).toEqual([["read_file", { path: "a.txt" }]]);
    expect(callsOf("summarize it")).toEqual([]);
  });
});

describe("offline model: what it answers", () => {
  it("tells what is in a folder", () => {
    const [intro, answer] = talk("list src", [
      "1 folder, 2 files\nsrc/deep/\nsrc/a.ts (12 bytes)\nsrc/b.ts (3 bytes)",
    ]);
    expect(intro).toBe("I will list src.");
    expect(answer).toBe("src holds 1 folder, 2 files: deep/, a.ts, b.ts.");
  });

  it("tells files by their kind", () => {
    const markdown = "lines 1–5 of 5, 40 bytes\n\n# Title\n\nSome words\nabout it.\n";
    const json = 'lines 1–1 of 1, 40 bytes\n\n{"name":"x","scripts":{"test":"jest"}}';
    const code = 'lines 1–2 of 2, 40 bytes\n\nimport { of } from "rxjs";\nexport const one = 1;';
    const answer = talk("read a.md and b.json and c.ts and d.txt", [
      markdown,
      json,
      code,
      "empty, 0 bytes\n",
    ]).at(-1)!;
    expect(answer).toContain("a.md has 5 lines.\nIts headings: Title.\nIt begins: “Some words about it.”");
    expect(answer).toContain("Its fields: name, scripts.\nname: x\nIts scripts: test.");
    expect(answer).toContain("It exports one.\nIt imports from rxjs.");
    expect(answer).toContain("d.txt is empty.");
  });

  it("tells matches, none, and that there are more", () => {
    expect(talk("search for x", ["1 match in 1 file (3 files searched)\na.ts:7: let x"]).at(-1)).toBe(
      "I found 1 match in 1 file (3 files searched):\n  a.ts:7  let x",
    );
    expect(talk("search for x", ["0 matches in 0 files (3 files searched)"]).at(-1)).toMatch(
      /occurs nowhere/,
    );
    const many = Array.from({ length: 50 }, (_, n) => `a.ts:${n + 1}: x`).join("\n");
    const answer = talk("search for x", [
      `50 matches in 1 file (1 file searched)\n${many}\n[stopped after 50 matches]`,
    ]);
    expect(answer.at(-1)).toMatch(/and 42 more matches\n\[stopped after 50 matches\]$/);
  });

  it("tells what went wrong", () => {
    expect(talk("read x.txt", [new Error("no such file")]).at(-1)).toBe(
      "I could not read x.txt: no such file",
    );
    expect(talk("list x", [new Error("no such folder")]).at(-1)).toBe("I could not list x: no such folder");
    expect(talk("1/0", [new Error("division by zero")]).at(-1)).toBe(
      "I could not calculate 1/0: division by zero",
    );
  });

  it("goes on from results: sums lines, reads the largest file and the first match", () => {
    const lines = (count: number) => `lines 1–${count} of ${count}, 9 bytes\n\nx`;
    expect(talk("how many lines do a.txt and b.txt have?", [lines(3), lines(4)], ["7"])).toEqual([
      "I will read a.txt and b.txt and count.",
      "a.txt has 3 lines. b.txt has 4 lines. Now the sum.",
      "Together they have 7 lines.",
    ]);
    const listing = "2 files\na.txt (3 bytes)\nb.txt (1,234 bytes)";
    expect(talk("read the largest file", [listing], [lines(1)])[1]).toBe("It is b.txt; I will read it.");
    const match = "1 match in 1 file (3 files searched)\na.ts:7: let x";
    expect(talk("search for x and read the first match", [match], [lines(1)]).at(-1)).toMatch(
      /^a.ts has 1 line\./,
    );
    expect(talk("search for x and then read it", [match], [lines(1)]).at(-1)).toMatch(/^a.ts has 1 line\./);
    expect(talk("search for x and read it", ["0 matches in 0 files (1 file searched)"]).at(-1)).toMatch(
      /nowhere/,
    );
  });

  it("waits with what comes after a then", () => {
    expect(talk("what is 1+1, then what is 2+2?", ["2"], ["4"])).toEqual([
      "I will calculate 1+1.",
      "1+1 = 2\n\nI will calculate 2+2.",
      "2+2 = 4",
    ]);
  });

  it("says what it is when it does not understand", () => {
    expect(talk("sing a song").at(-1)).toMatch(
      /^I am the offline model, rules without an LLM.*“sing a song”/,
    );
  });
});

describe("offline model: how it speaks", () => {
  const collect = async (
    request: string,
    signal?: AbortSignal,
    onEvent?: (event: AssistantMessageEvent) => void,
  ) => {
    const { model, streamFn } = offlineModel(0);
    const events: AssistantMessageEvent[] = [];
    const stream = await streamFn(
      model,
      normalizeContext({ messages: [asked(request)] }),
      signal ? { signal } : {},
    );
    for await (const event of stream) {
      // The text as it stands now: the message is live.
      events.push(structuredClone(event));
      onEvent?.(event);
    }
    return { events, result: await stream.result() };
  };

  it("obeys the event protocol, deltas and calls included", async () => {
    const { events, result } = await collect("read a.txt and b.txt");
    expect(events.map(({ type }) => type)).toEqual([
      "start",
      "text_start",
      ...Array.from("I will read a.txt and b.txt.".split(" "), () => "text_delta"),
      "text_end",
      ...[1, 2].flatMap(() => ["toolcall_start", "toolcall_delta", "toolcall_end"]),
      "done",
    ]);
    const text = events.map((event) => (event.type === "text_delta" ? event.delta : "")).join("");
    expect(text).toBe("I will read a.txt and b.txt.");
    expect(result).toMatchObject({
      stopReason: "toolUse",
      content: [{ text }, { type: "toolCall" }, { type: "toolCall" }],
    });
    const [first, second] = result.content.slice(1) as { id: string }[];
    expect(first!.id).not.toBe(second!.id);
  });

  it("never shows text before its delta", async () => {
    const { events } = await collect("hello");
    let text = "";
    for (const event of events) {
      if (event.type === "text_delta") text += event.delta;
      if ("partial" in event) expect(event.partial.content[0] ?? { text: "" }).toMatchObject({ text });
    }
    expect(text).toContain("Hello!");
  });

  it("ends as aborted with what it has said, and says no more", async () => {
    const controller = new AbortController();
    const { events, result } = await collect("hello", controller.signal, ({ type }) => {
      if (type === "text_delta") controller.abort();
    });
    expect(events.at(-1)).toMatchObject({ type: "error", reason: "aborted" });
    expect(result).toMatchObject({ stopReason: "aborted", content: [{ type: "text", text: "Hello!" }] });
  });

  it("says nothing when it is aborted before", async () => {
    const controller = new AbortController();
    controller.abort();
    const { events } = await collect("hello", controller.signal);
    expect(events.map(({ type }) => type)).toEqual(["error"]);
  });
});
