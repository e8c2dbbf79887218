import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../architecture/sources";
import { projectRoot } from "../projectRoot";
import { run, type RunResult } from "../run";
import { tempFolder } from "../tempFolder";
import { bundleBlocks } from "./bundleBlocks";
import { checkBlocks } from "./checkBlocks";
import type { CodeBlock } from "./codeBlocks";
import { diagramProgram } from "./diagramBlocks";
import { shellFindings, type PackageFacts } from "./shellBlocks";

const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");

/** What is done with a block, by its language. */
const KINDS: Record<string, "program" | "shell" | "diagram" | "data"> = {
  ts: "program",
  typescript: "program",
  bash: "shell",
  sh: "shell",
  text: "diagram",
  json: "data",
};

function jsonFindings(text: string): Finding[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [String(error)];
  }
}

const runFindings = ({ code, stdout, stderr }: RunResult): Finding[] =>
  code === 0 ? [] : [`ended with ${code}\n${stdout}\n${stderr}`.trim()];

/** Runs each program in a process of its own, two at a time: it must end by itself, and well. */
async function runBlocks(blocks: readonly CodeBlock[], timeoutMs: number): Promise<RunResult[]> {
  const folder = await tempFolder("blocks");
  try {
    const files = await bundleBlocks(blocks, folder.path);
    const results: RunResult[] = [];
    const work = [...files.entries()];
    const worker = async () => {
      for (let next = work.shift(); next; next = work.shift()) {
        results[next[0]] = await run("node", ["--enable-source-maps", next[1]], { timeoutMs });
      }
    };
    await Promise.all([worker(), worker()]);
    return results;
  } finally {
    await folder.remove();
  }
}

/** What is wrong with each block, in their order: an empty list for one that is right. */
export async function blockReport(blocks: readonly CodeBlock[], timeoutMs = 60_000): Promise<Finding[][]> {
  const facts = JSON.parse(read("package.json")) as PackageFacts;
  const kindOf = ({ language }: CodeBlock) => KINDS[language];
  const programs = blocks.filter((block) => kindOf(block) === "program");
  const diagrams = blocks
    .filter((block) => kindOf(block) === "diagram")
    .map((block) => ({ ...block, text: diagramProgram(block.text) }));
  const checked = checkBlocks([...programs, ...diagrams], read("spec/support/readme/prelude.ts"));
  const results = await runBlocks(programs, timeoutMs);
  return blocks.map((block) => {
    switch (kindOf(block)) {
      case "program":
        return [...(checked.get(block.place) ?? []), ...runFindings(results[programs.indexOf(block)]!)];
      case "diagram":
        return checked.get(block.place) ?? [];
      case "shell":
        return shellFindings(block.text, facts);
      case "data":
        return jsonFindings(block.text);
      default:
        return [`nobody knows how to check a block of "${block.language}"`];
    }
  });
}
