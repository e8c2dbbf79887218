import { plural } from "../../tools/plural";
import { isPath, pathOf, unquoted } from "../phrases";
import { readMatches } from "../readings";
import type { Call, Result, Skill, Task } from "../task";

const SHOWN = 8;
const SEARCH =
  /^(?:search|grep|look|find|locate)\s+(?:(?:in\s+)?(?:the\s+)?(?:files?|code|folder|everything)\s+)?(?:for\s+)?(?:the\s+)?(?:(?:all\s+)?(?:uses|usages|occurrences|mentions|matches|lines|files)\s+(?:of|for|with|that (?:hold|contain|mention|use))\s+)?(?:(?:word|text|string|phrase)\s+)?(.+)$/i;
const WHERE =
  /^where(?:'s| is| are| do we| does)\s+(.+?)(?:\s+(?:used|defined|mentioned|called|declared|imported|occur|appear))?(\s+(?:in|under)\s+\S+)?$/i;
const WHICH = /^(?:which|what) (?:files|lines) (?:mention|contain|hold|use|import|have)\s+(.+)$/i;
const COUNT =
  /^(?:how many times|how often)\s+(?:does|do|is|are)\s+(.+?)\s+(?:occur|appear|used|mentioned|come up)(\s+(?:in|under)\s+.+)?$|^count\s+(?:the\s+)?(?:(?:occurrences|uses|mentions|matches)\s+(?:of|for)\s+)?(.+)$|^how many\s+(?:(?:occurrences|uses|mentions|matches)\s+(?:of|for)\s+)?(.+?)\s+(?:are there|are)(\s+(?:in|under)\s+.+)?$/i;

/** What to look for, and where: "X in src", `"a in b" under spec`, "X". */
const targetOf = (text: string) => {
  const quoted = /^(["'`“].+?["'`”])(?:\s+(?:in|under|inside|within)\s+(.+))?$/.exec(text.trim());
  const plain =
    /^(.+?)\s+(?:in|under|inside|within)\s+(?:the\s+)?(\S+)(?:\s+(?:folder|directory|file))?$/i.exec(
      text.trim(),
    );
  const [query, place] = quoted
    ? [quoted[1]!, quoted[2]]
    : plain
      ? [plain[1]!, plain[2]]
      : [text.trim(), undefined];
  return {
    query: unquoted(query),
    path: place === undefined || /^(?:here|files?|all.*)$/i.test(place) ? "." : pathOf(place),
  };
};

const searchCall = (query: string, path: string): Call => ({
  name: "search_files",
  arguments: { query, path },
});

const failed = (query: string, result: Result) => `I could not search for “${query}”: ${result.text}`;

const tellMatches = (query: string, result: Result) => {
  if (result.isError) return failed(query, result);
  const { head, matches, note } = readMatches(result);
  if (matches.length === 0) return `“${query}” occurs nowhere: ${head}.`;
  const shown = matches.slice(0, SHOWN).map(({ path, line, text }) => `  ${path}:${line}  ${text}`);
  const more =
    matches.length > SHOWN ? [`  and ${plural(matches.length - SHOWN, "more match", "more matches")}`] : [];
  return [`I found ${head}:`, ...shown, ...more, ...(note ? [note] : [])].join("\n");
};

/** "how often does X occur in src": the search's own count. */
export const countMatches: Skill = (clause) => {
  const parts = COUNT.exec(clause)?.slice(1);
  if (!parts) return undefined;
  const { query, path } = targetOf(parts.filter(Boolean).join(""));
  return {
    intro: `I will search for “${query}”.`,
    calls: [searchCall(query, path)],
    tell: ([result]) => {
      if (result!.isError) return failed(query, result!);
      const { head, matches, note } = readMatches(result!);
      const where = head.slice(head.indexOf(" in "));
      return `“${query}” is on ${note ? "at least " : ""}${plural(matches.length, "line")}${where}.`;
    },
  };
};

/** "search for X in src", "where is X used", "which files mention X". */
export const search: Skill = (clause): Task | undefined => {
  const where = WHERE.exec(clause);
  const wanted = where ? `${where[1]}${where[2] ?? ""}` : (WHICH.exec(clause) ?? SEARCH.exec(clause))?.[1];
  if (wanted === undefined) return undefined;
  // "find README.md" is about a file's name; the search still finds who speaks of it.
  const { query, path } = targetOf(wanted);
  const place = path === "." ? "" : ` in ${isPath(path) ? path : `${path}/`}`;
  return {
    intro: `I will search for “${query}”${place}.`,
    calls: [searchCall(query, path)],
    tell: ([result]) => tellMatches(query, result!),
  };
};
