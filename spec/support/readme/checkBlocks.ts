import type { Source } from "../architecture/sources";
import { compile, PI_IS_OURS } from "../compile";
import type { CodeBlock } from "./codeBlocks";

const PRELUDE = "spec/support/readme/prelude.ts";

/** What the compiler says against each block, by its place. */
export function checkBlocks(blocks: readonly CodeBlock[], prelude: Source["text"]): Map<string, string[]> {
  const paths = new Map(blocks.map((block, index) => [`spec/support/readme/block${index}.ts`, block]));
  const merges = ([, { text }]: [string, CodeBlock]) => text.includes("declare module");
  const merging = [...paths].filter(merges);
  const plain = [...paths].filter((entry) => !merges(entry));
  const findings = new Map<string, string[]>(blocks.map(({ place }) => [place, []]));
  // A block that merges a declaration changes the types of all others: each of those is compiled alone.
  for (const group of [plain, ...merging.map((entry) => [entry])]) {
    const texts = Object.fromEntries(group.map(([path, { text }]) => [path, `${text}\nexport {};`]));
    for (const line of compile({ [PRELUDE]: prelude, ...texts }, PI_IS_OURS)) {
      const block = paths.get(line.split(":")[0] ?? "");
      if (!block) throw new Error(line);
      findings.get(block.place)?.push(line.replace(/^\S+?:/, "line "));
    }
  }
  return findings;
}
