const VERBS =
  "list|read|open|show|print|search|find|grep|look|locate|count|calculate|compute|evaluate|summari[sz]e|explain|describe|tell|what|how|where|which";

/** Quotation marks that people type, and the names of files that have no dot in them. */
const QUOTED = /"([^"]+)"|“([^”]+)”|`([^`]+)`|(?<!\w)'([^']+)'(?!\w)/g;
const KNOWN_NAMES = /^(license|licence|makefile|dockerfile|changelog|readme)$/i;

/** The stages of a request (what comes after a "then" waits), each with its clauses. What is quoted is left whole. */
export function clausesOf(request: string): string[][] {
  const quotes: string[] = [];
  const masked = request.replace(QUOTED, (quote) => `\u0001${quotes.push(quote) - 1}\u0001`);
  const unmask = (text: string) => text.replace(/\u0001(\d+)\u0001/g, (_, index) => quotes[Number(index)]!);
  const split = (text: string, at: RegExp) =>
    text
      .split(at)
      .map((part) => part.trim())
      .filter(Boolean);
  return split(masked, /[,;.]?\s+(?:and\s+)?then\s+|\s+afterwards\s+/i).map((stage) =>
    split(
      stage,
      new RegExp(
        `[;\\n]+|[.!?]+\\s+|,?\\s+(?:and|also)\\s+(?:also\\s+)?(?=(?:${VERBS})\\b)|,\\s+(?=(?:${VERBS})\\b)`,
        "i",
      ),
    ).map((clause) =>
      unmask(clause)
        .replace(
          /^please\s+|^(?:can|could|would|will) you\s+(?:please\s+)?|[,\s]*please(?=[.?!]*$)|(?<![\s./])[.?!]+$/gi,
          "",
        )
        .trim(),
    ),
  );
}

/** A word or phrase without its quotation marks. */
export const unquoted = (text: string) => text.trim().replace(/^(["'`“])(.*)(["'`”])$/, "$2");

/** Whether a word looks like a file or a folder: it has a dot or a slash in it, or is a known name. */
export const isPath = (word: string) => /[\w*]\.\w|\/|^\.{1,2}$|^\.\w/.test(word) || KNOWN_NAMES.test(word);

/** The path that a word means: "the readme" is README.md, "here" is the folder itself. */
export const pathOf = (text: string) => {
  const path = unquoted(text)
    .replace(/^(?:the\s+)?(?:files?|folder|directory)\s+(?=\S)/i, "")
    .replace(/^(?:the\s+)?(?!(?:this|current|my)\b)(\S+)\s+(?:folder|directory|dir|file)$/i, "$1");
  if (/^(?:the\s+)?readme$/i.test(path)) return "README.md";
  if (/^(?:the\s+)?licen[sc]e$/i.test(path)) return "LICENSE";
  if (/^(?:here|(?:the|this|current|my)\b.*|it|all)$/i.test(path) && !isPath(path)) return ".";
  return path;
};

/**
 * All paths in a list like `a.txt, b.txt and "c d.txt"`; nothing when something in it is no path. Where one of them
 * looks like a path the others need not: `a.txt and notes`.
 */
export function pathsOf(text: string): string[] | undefined {
  const words = text.match(/"[^"]+"|“[^”]+”|`[^`]+`|'[^']+'|,|[^\s,]+/g) ?? [];
  const names = words.filter((word) => !/^(,|and|the|files?|contents?|of|both|also|&)$/i.test(word));
  const certain = names.filter((word) => word !== unquoted(word) || isPath(word));
  const separated = words.filter((word) => /^(,|and|&)$/i.test(word)).length >= names.length - 1;
  const fits = certain.length > 0 && (separated || certain.length === names.length);
  return fits ? [...new Set(names.map(pathOf))] : undefined;
}
