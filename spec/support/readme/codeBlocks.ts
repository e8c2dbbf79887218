import type { Source } from "../architecture/sources";

/** A fenced block of code, and where it stands. */
export interface CodeBlock {
  /** File and line, as in `README.md:12`. */
  place: string;
  language: string;
  text: string;
  /** The nearest heading above it. */
  heading: string;
}

const FENCE = /^( *)(`{3,})([^`]*)$/;

/** Every fenced block of a Markdown text. A fence that is never closed is an error. */
export function codeBlocks({ path, text }: Source): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let heading = "";
  let open: { block: CodeBlock; fence: string; indent: number; lines: string[] } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const [, indent = "", fence = "", info = ""] = FENCE.exec(line) ?? [];
    if (open && fence.length >= open.fence.length && info.trim() === "") {
      blocks.push({ ...open.block, text: open.lines.join("\n") });
      open = undefined;
    } else if (open) {
      open.lines.push(line.slice(open.indent));
    } else if (fence !== "") {
      const block = { place: `${path}:${index + 1}`, language: info.trim(), text: "", heading };
      open = { block, fence, indent: indent.length, lines: [] };
    } else if (/^#+ /.test(line)) {
      heading = line.replace(/^#+ /, "").trim();
    }
  }
  if (open) throw new Error(`${open.block.place}: this block is never closed`);
  return blocks;
}

const COMMENT = /\/\*\*[\s\S]*?\*\//g;

/** The blocks in a source file's doc comments. */
export function exampleBlocks({ path, text }: Source): CodeBlock[] {
  return [...text.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
    const above = text.slice(0, index).split("\n").length - 1;
    const markdown = comment.replace(/^ *\/?\*{1,2}(?: |\/?$)/gm, "");
    return codeBlocks({ path, text: "\n".repeat(above) + markdown });
  });
}

/** Whether a text uses a name that it does not declare itself. */
function uses(text: string, name: string): boolean {
  const isDeclared = new RegExp(`\\b(class|const|function|interface|let|type) ${name}\\b`).test(text);
  return !isDeclared && new RegExp(`(?<![.\\w])${name}\\b(?!\\??:)`).test(text);
}

/** An example without imports of its own, with those of the names that the package's doors export. */
export function withImports(block: CodeBlock, doors: ReadonlyMap<string, readonly string[]>): CodeBlock {
  if (block.language !== "ts" || /^import /m.test(block.text)) return block;
  const imports = [...doors].flatMap(([door, names]) => {
    const used = names.filter((name) => uses(block.text, name.replace("type ", "")));
    return used.length > 0 ? `import { ${used.join(", ")} } from "${door}"; ` : [];
  });
  return { ...block, text: imports.join("") + block.text };
}
