import { describe, expect, it } from "@jest/globals";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as context from "pi-agent-rx/context";
import * as operators from "pi-agent-rx/operators";
import { parseDiagram, renderDiagram, runDiagram } from "pi-agent-rx/testing";
import { agents } from "../marbles/agents";
import { projectRoot } from "./support/projectRoot";
import { codeBlocks } from "./support/readme/codeBlocks";

const root = join(projectRoot, "marbles");
const ROOMS = ["run", "stages", "tools", "agent", "context", "operators", "proxy"];

/** Every diagram that lies under marbles/, wherever. */
const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".marbles"))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

const rooms = ROOMS.map((room) => ({
  room,
  diagrams: files.filter(({ path }) => path.startsWith(`${room}/`)),
}));

const titleOf = ({ text }: { text: string }) => parseDiagram(text).title;

describe("marbles", () => {
  for (const { room, diagrams } of rooms.filter((one) => one.diagrams.length > 0)) {
    describe(room, () => {
      for (const diagram of diagrams) {
        it(titleOf(diagram), () => {
          runDiagram(diagram.text, agents);
        });
      }
    });
  }

  it("have fresh pictures (npm run marbles draws them)", () => {
    const stale = files.filter(({ path, text }) => {
      const picture = join(root, path.replace(/\.marbles$/, ".svg"));
      return !existsSync(picture) || readFileSync(picture, "utf8") !== renderDiagram(text);
    });
    expect(stale.map(({ path }) => path)).toEqual([]);
  });

  it("have no picture of a diagram that is gone", () => {
    const pictures = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".svg"),
    );
    const drawn = files.map(({ path }) => path.replace(/\.marbles$/, ".svg"));
    expect(pictures.filter((path) => !drawn.includes(path))).toEqual([]);
  });

  it("are at least 60", () => {
    expect(files.length).toBeGreaterThanOrEqual(60);
  });

  it("lie in rooms that are run", () => {
    const run = new Set(rooms.flatMap(({ diagrams }) => diagrams));
    expect(files.filter((file) => !run.has(file)).map(({ path }) => path)).toEqual([]);
  });

  it("have titles of their own", () => {
    const titles = files.map(titleOf);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });
});

/** The settings in which a diagram names what it draws. */
const NAMING = ["operator", "context", "response", "toolCall", "finishTurn"];

/** What the two doors export that has no order or time to draw in a diagram, and why. */
const NOT_DRAWN: Record<string, string> = {
  ConversationView: "a picture, which conversation draws",
  RateBudget: "what rateLimit waits for",
  repair: "a function on a transcript, which repairTranscript calls",
  toAsyncIterable: "read by promises, which virtual time does not drive",
  toReadableStream: "read by promises, which virtual time does not drive",
};

describe("the doors context and operators", () => {
  const named = files
    .map(({ text }) => parseDiagram(text).settings)
    .flatMap((settings) => NAMING.map((name) => settings[name] ?? ""))
    .join("\n");
  const isDrawn = (name: string) => new RegExp(`\\b${name}\\b`).test(named);
  const exported = [...Object.keys(context), ...Object.keys(operators)];

  it.each(exported.filter((name) => !(name in NOT_DRAWN)))("%s has a diagram", (name) => {
    expect(isDrawn(name)).toBe(true);
  });

  it("leave out of the diagrams only what they export", () => {
    expect(Object.keys(NOT_DRAWN).filter((name) => !exported.includes(name) || isDrawn(name))).toEqual([]);
  });

  it("are drawn with every operator that a diagram can name", () => {
    const names = [...Object.keys(agents.operators ?? {}), ...Object.keys(agents.policies ?? {})];
    expect(names.filter((name) => !isDrawn(name))).toEqual([]);
  });
});

describe("marbles/README.md", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const shown = files.find(({ path }) => path === "run/one-tool-call.marbles")!.text;

  it("shows diagrams as they are", () => {
    const blocks = codeBlocks({ path: "marbles/README.md", text: readme }).filter(
      ({ language, heading }) => language === "text" && heading === "The format in a minute",
    );
    const texts = files.map(({ text }) => text.trimEnd());
    expect(blocks.length).toBeGreaterThan(1);
    expect(blocks.filter(({ text }) => !texts.includes(text)).map(({ place }) => place)).toEqual([]);
  });

  it("shows what a wrong diagram says", () => {
    const wrong = shown.replace("(mX)(xMmtT)", "(mX)-(xMmtT)");
    const [, told] = /```text\n("A tool call[^`]*)```/.exec(readme) ?? [];
    expect(() => runDiagram(wrong, agents)).toThrow(told);
  });

  it("embeds pictures that are there, as the main README does", () => {
    const main = readFileSync(join(projectRoot, "README.md"), "utf8");
    const picturesIn = (text: string, folder: string) =>
      [...text.matchAll(/\]\(([^)]+\.svg)\)/g)].map(([, path]) => join(folder, path!));
    const [here, there] = [picturesIn(readme, root), picturesIn(main, projectRoot)];
    expect([here.length, there.length].every((count) => count > 3)).toBe(true);
    expect([...here, ...there].filter((path) => !existsSync(path))).toEqual([]);
  });

  it("says under each picture what its title says", () => {
    const main = readFileSync(join(projectRoot, "README.md"), "utf8");
    const pictures = [...main.matchAll(/!\[([^\]]+)\]\(marbles\/([^)]+)\.svg\)/g)];
    const wrong = pictures.filter(
      ([, words, path]) => titleOf(files.find((file) => file.path === `${path}.marbles`)!) !== words,
    );
    expect(wrong.map(([picture]) => picture)).toEqual([]);
  });
});
