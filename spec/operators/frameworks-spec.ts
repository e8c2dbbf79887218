import { beforeAll, describe, expect, it } from "@jest/globals";
import { build, type Plugin } from "esbuild";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compile } from "svelte/compiler";
import { inBrowser, type BrowserOutcome } from "../support/inBrowser";
import { projectRoot } from "../support/projectRoot";
import type { Shown } from "./frameworks/page";

const folder = join(projectRoot, "spec/operators/frameworks");

const svelte: Plugin = {
  name: "svelte",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => ({
      contents: compile(await readFile(path, "utf8"), { filename: path, generate: "client" }).js.code,
      loader: "js",
    })),
};

/** The page with all components, for a browser. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, "page.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    define: { "process.env.NODE_ENV": '"development"' },
    logLevel: "silent",
    plugins: [svelte],
  });
  return outputFiles[0]!.text;
}

/** The lines of the README's table of frameworks, by framework. */
function documentedLines(): Record<string, string> {
  const readme = readFileSync(join(projectRoot, "README.md"), "utf8");
  const section = readme.split(/^#+ UI frameworks$/m)[1]!.split(/^## /m)[0]!;
  return Object.fromEntries(
    [...section.matchAll(/^\| (\w+) +\| `([^`]+)`/gm)].map(([, name, line]) => [name!, line!]),
  );
}

describe("the README's lines for UI frameworks", () => {
  const FILES = [
    ["React", "react.ts"],
    ["Vue", "vue.ts"],
    ["Svelte", "Chat.svelte"],
    ["Solid", "solid.ts"],
  ] as const;
  const lines = documentedLines();
  let outcome: BrowserOutcome;

  beforeAll(async () => {
    outcome = await inBrowser(await bundle());
  }, 300_000);

  it("name each framework", () => {
    expect(Object.keys(lines)).toEqual([...FILES.map(([name]) => name), "Angular"]);
  });

  it.each(FILES)("are those of the %s component", (name, file) => {
    const words = (text: string) => text.replaceAll(/\s+/g, " ");
    expect(words(readFileSync(join(folder, file), "utf8"))).toContain(words(lines[name]!));
  });

  it.each(FILES.map(([name]) => name))(
    "draw an answer as it grows, in %s; unmounting leaves the run alone",
    (name) => {
      const shown = (outcome.result as Record<string, Shown>)[name];
      expect(shown).toEqual({
        texts: [
          ": ",
          "user+text: H",
          "user+text: He",
          "user+text: Hey",
          "user+text: Hey.",
          "user+text+user+text: B",
        ],
        listeners: [1, 0],
        afterwards: "",
        said: "Bye.",
        outcome: "completed",
      });
    },
  );

  it("make no framework complain", () => {
    expect(outcome.errors).toEqual([]);
  });
});
