import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { AnyAgentTool } from "pi-agent-rx";
import { tools } from "../../../examples/terminal/tools/tools";
import { workspace } from "../../../examples/terminal/tools/workspace";
import { folder } from "../support/folder";
import { runTool } from "../support/runTool";

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

let place: Awaited<ReturnType<typeof folder>>;
let byName: Record<string, AnyAgentTool>;

beforeAll(async () => {
  place = await folder({
    "a.txt": "one\ntwo\nthree",
    "long.txt": numbered(1_000),
    "wide.txt": `${"x".repeat(300_000)}\nlast\n`,
    "umlaut.txt": `${"ä".repeat(40_000)}\n`,
    "dos.txt": "one\r\ntwo\r\n",
    "empty.txt": "",
    "picture.png": new Uint8Array([137, 80, 78, 71, 0, 1, 2]),
    "src/deep/find.ts": "const Needle = 1;\n// the needle again\n",
    "node_modules/pkg/index.js": "needle\n",
    ".git/config": "needle\n",
    "good-link": "-> a.txt",
    "bad-link": "-> ../secret.txt",
    "bad-folder": "-> ..",
    dangling: "-> nowhere",
    "../secret.txt": "needle: a secret\n",
    "../inside-twin/secret.txt": "needle: a secret\n",
  });
  execFileSync("mkfifo", [join(place.root, "pipe")]);
  byName = Object.fromEntries(tools(await workspace(place.root)).map((tool) => [tool.name, tool]));
});

afterAll(() => place.remove());

const run = async (name: string, params: object, signal?: AbortSignal) =>
  (await runTool(byName[name]!, params, signal)).at(-1)!;

const aborted = () => {
  const controller = new AbortController();
  controller.abort();
  return controller.signal;
};

describe("workspace", () => {
  it.each([
    ["../secret.txt"],
    ["src/../../secret.txt"],
    ["../inside-twin/secret.txt"],
    ["/etc/passwd"],
    ["bad-link"],
    ["bad-folder/secret.txt"],
    ["../nosuch"],
    ["a\0.txt"],
  ])("refuses %j to every tool", async (path) => {
    await expect(run("read_file", { path })).rejects.toThrow("refused");
    await expect(run("list_files", { path })).rejects.toThrow("refused");
    await expect(run("search_files", { query: "needle", path })).rejects.toThrow("refused");
  });

  it("allows absolute paths and links that stay inside", async () => {
    expect(await run("read_file", { path: join(place.root, "a.txt") })).toContain("two");
    expect(await run("read_file", { path: "good-link" })).toContain("two");
    expect(await run("read_file", { path: "src/../a.txt" })).toContain("two");
  });

  it("is reached through a link to it as well", async () => {
    const linked = await folder({ "a.txt": "here", "../link": "-> inside" });
    const [, readFile] = tools(await workspace(join(linked.outside, "link")));
    const path = join(linked.outside, "link", "a.txt");
    expect((await runTool(readFile!, { path })).at(-1)).toContain("here");
    await linked.remove();
  });

  it("needs a folder", async () => {
    await expect(workspace(join(place.root, "a.txt"))).rejects.toThrow("no such folder");
    await expect(workspace(join(place.root, "nosuch"))).rejects.toThrow("no such folder");
  });
});

describe("list_files", () => {
  it("tells names, sizes and where links lead", async () => {
    const lines = (await run("list_files", {})).split("\n");
    expect(lines[0]).toBe("3 folders, 12 files");
    expect(lines).toEqual(expect.arrayContaining(["src/", "a.txt (13 bytes)", "bad-link -> ../secret.txt"]));
  });

  it("goes into folders when asked to, but not into node_modules, .git and links", async () => {
    const listing = await run("list_files", { recursive: true });
    expect(listing).toContain("src/deep/find.ts");
    expect(listing).not.toMatch(/pkg|config|secret\.txt \(/);
  });

  it("shows 200 entries at most and says how many are left", async () => {
    const many = await folder(Object.fromEntries(Array.from({ length: 257 }, (_, n) => [`f${n}`, ""])));
    const [listFiles] = tools(await workspace(many.root));
    const lines = (await runTool(listFiles!, {})).at(-1)!.split("\n");
    expect(lines).toHaveLength(202);
    expect(lines[0]).toBe("257 files");
    expect(lines.at(-1)).toBe("[57 more entries not shown]");
    await many.remove();
  });

  it("ends with the abort", async () => {
    await expect(run("list_files", { recursive: true }, aborted())).rejects.toThrow("abort");
  });
});

describe("read_file", () => {
  it("gives the lines under a head that counts them", async () => {
    expect(await run("read_file", { path: "a.txt" })).toBe("lines 1–3 of 3, 13 bytes\n\none\ntwo\nthree");
    expect(await run("read_file", { path: "dos.txt" })).toBe("lines 1–2 of 2, 10 bytes\n\none\ntwo");
    expect(await run("read_file", { path: "empty.txt" })).toBe("empty, 0 bytes\n");
  });

  it("gives 400 lines at most and says where to read on", async () => {
    const lines = (await run("read_file", { path: "long.txt" })).split("\n");
    expect(lines[0]).toMatch(/^lines 1–400 of 1000, /);
    expect(lines.slice(-2)).toEqual(["line 400", "[read on with offset 401]"]);
    const rest = await run("read_file", { path: "long.txt", offset: 999, limit: 5 });
    expect(rest).toMatch(/^lines 999–1000 of 1000, .*\n\nline 999\nline 1000$/);
    await expect(run("read_file", { path: "long.txt", offset: 1_001 })).rejects.toThrow("only 1,000 lines");
  });

  it("cuts endless lines, and no character in two", async () => {
    const wide = await run("read_file", { path: "wide.txt" });
    expect(wide.length).toBeLessThan(1_200);
    expect(wide).toMatch(/x… \[line cut\]\nlast$/);
    expect(await run("read_file", { path: "umlaut.txt" })).not.toContain("\ufffd");
  });

  it.each([
    ["picture.png", "binary"],
    ["src", "is a folder"],
    ["pipe", "no regular file"],
    ["nosuch.txt", "no such file or folder: nosuch.txt"],
    ["dangling", "no such file or folder"],
  ])("refuses %s: %s", async (path, message) => {
    await expect(run("read_file", { path })).rejects.toThrow(message);
  });

  it("ends with the abort", async () => {
    await expect(run("read_file", { path: "long.txt" }, aborted())).rejects.toThrow("abort");
  });
});

describe("search_files", () => {
  it("finds lines, capital or small, and skips what is not the user's or not text", async () => {
    expect(await run("search_files", { query: "needle" })).toBe(
      [
        "2 matches in 1 file (7 files searched)",
        "src/deep/find.ts:1: const Needle = 1;",
        "src/deep/find.ts:2: // the needle again",
        "[1 file skipped: binary, unreadable or larger than 1 MB]",
      ].join("\n"),
    );
  });

  it("can tell capitals, and search one file", async () => {
    expect(await run("search_files", { query: "Needle", matchCase: true, path: "src/deep/find.ts" })).toBe(
      "1 match in 1 file (1 file searched)\nsrc/deep/find.ts:1: const Needle = 1;",
    );
  });

  it("takes the query as it stands", async () => {
    expect(await run("search_files", { query: "(.*" })).toMatch(/^0 matches/);
  });

  it("stops after 50 matches and shows little of long lines", async () => {
    expect((await run("search_files", { query: "line" })).split("\n").at(-1)).toBe(
      "[stopped after 50 matches]",
    );
    expect((await run("search_files", { query: "xxx", path: "wide.txt" })).length).toBeLessThan(400);
  });

  it("reports its progress before the result", async () => {
    const texts = await runTool(byName["search_files"]!, { query: "needle" });
    expect(texts.length).toBeGreaterThan(1);
    expect(texts[0]).toBe("1 file searched, 0 matches");
  });

  it("ends with the abort", async () => {
    await expect(run("search_files", { query: "needle" }, aborted())).rejects.toThrow("abort");
  });
});

describe("calculate", () => {
  it("gives as many digits as are certain", async () => {
    expect(await run("calculate", { expression: "0.1 + 0.2" })).toBe("0.3");
    expect(await run("calculate", { expression: "10/4" })).toBe("2.5");
    expect(() => byName["calculate"]!.execute("call", { expression: "1/0" })).toThrow("division by zero");
  });
});
