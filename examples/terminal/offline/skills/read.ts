import { plural } from "../../tools/plural";
import { beginning, describe } from "../describe";
import { isPath, pathOf, pathsOf, unquoted } from "../phrases";
import { readContent } from "../readings";
import type { Call, Result, Skill, Task } from "../task";

const VERB =
  /^(read|open|show|print|cat|display|view|look at|quote|summari[sz]e|sum up|explain|describe)\s+(?:me\s+|us\s+)?(?:the\s+(?=\S+$))?/i;
const ABOUT =
  /^(?:what does (.+?) (?:do|say|contain|hold)|what(?:'s| is) in (.+)|what(?:'s| is) (\S+)(?: about)?|tell me about (.+))$/i;
const SLICE =
  /^(?:the\s+)?(?:first\s+(\d+)\s+lines?|lines?\s+(\d+)(?:\s*(?:-|–|to)\s*(\d+))?)\s+(?:of|in|from)\s+/i;
const MOST_LINES = 400;

const tellOne = (result: Result, whole: boolean) => {
  const path = String(result.call.arguments["path"]);
  if (result.isError) return `I could not read ${path}: ${result.text}`;
  const { lines, total } = readContent(result);
  if (lines.length === 0) return `${path} is empty.`;
  return [
    `${path} has ${plural(total, "line")}.`,
    ...(whole ? beginning(lines) : describe(path, lines)),
  ].join("\n");
};

/** The task of reading these files and telling what is in them; `whole` shows their beginning as it stands. */
export const readTask = (calls: Call[], whole: boolean): Task => ({
  intro: `I will read ${calls.map((call) => call.arguments["path"]).join(" and ")}.`,
  calls,
  tell: (results) => results.map((result) => tellOne(result, whole)).join("\n\n"),
});

/** One call of `read_file`. */
export const readCall = (path: string, lines: { offset?: number; limit?: number } = {}): Call => ({
  name: "read_file",
  arguments: { path, ...lines },
});

/** "read README.md", "show lines 3 to 9 of a.txt and b.txt", "what does src/index.ts do". */
export const read: Skill = (clause, memory) => {
  const about = ABOUT.exec(clause)?.slice(1).find(Boolean);
  if (about && (isPath(about) || unquoted(about) !== about) && !about.endsWith("/")) {
    return readTask([readCall(pathOf(about))], false);
  }
  const verb = VERB.exec(clause);
  if (!verb) return undefined;
  const rest = clause.slice(verb[0].length).trim();
  const slice = SLICE.exec(rest);
  const [first, from, to] = (slice?.slice(1) ?? []).map((text) =>
    text === undefined ? undefined : Number(text),
  );
  const offset = Math.max(1, from ?? 1);
  const limit = first ?? (from === undefined ? undefined : Math.max(1, (to ?? from) - offset + 1));
  const wanted = slice ? rest.slice(slice[0].length) : rest;
  const spoken = /^(it|that|this|that file|this file|the file)$/i.test(wanted) ? memory.file : undefined;
  // "read notes" can mean nothing else; "explain monads" can.
  const bare =
    /^(read|open|cat|print)$/i.test(verb[1]!) && /^[^\s,]+$/.test(wanted) ? [pathOf(wanted)] : undefined;
  const paths = spoken ? [spoken] : (pathsOf(wanted) ?? bare);
  if (!paths) return undefined;
  const lines = slice
    ? { offset, ...(limit === undefined ? {} : { limit: Math.min(Math.max(1, limit), MOST_LINES) }) }
    : {};
  const whole = slice !== null || /^(show|print|cat|display|view|quote)/i.test(verb[1]!);
  return readTask(
    paths.map((path) => readCall(path, lines)),
    whole,
  );
};
