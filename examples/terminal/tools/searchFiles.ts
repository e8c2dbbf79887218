import { stat } from "node:fs/promises";
import { bool, obj, opt, str } from "@earendil-works/pi-schema";
import type { ReactiveTool } from "pi-agent-rx";
import { connect, defer, last, map, merge, scan, take, takeWhile, throttleTime } from "rxjs";
import { plural } from "./plural";
import { textResult } from "./textResult";
import { walk } from "./walk";
import type { Workspace } from "./workspace";

const MATCHES = 50;
const LINE_LENGTH = 200;
const FILES = 20_000;
const FILE_BYTES = 1024 * 1024;
const AT_ONCE = 8;
const PROGRESS_MS = 100;

const parameters = obj({
  query: str({ minLength: 1, description: "Text to look for, as it stands (no pattern)" }),
  path: opt(
    str({
      description: "File or folder to search, relative to the current one. Default: the current folder",
    }),
  ),
  matchCase: opt(bool({ description: "Tell capitals from small letters. Default: false" })),
});

interface Finding {
  /** `undefined` when the file was skipped. */
  matches: string[] | undefined;
}

interface Report {
  files: number;
  skipped: number;
  withMatches: number;
  matches: string[];
}

const nothing: Report = { files: 0, skipped: 0, withMatches: 0, matches: [] };

const add = (report: Report, { matches }: Finding): Report =>
  matches === undefined
    ? { ...report, skipped: report.skipped + 1 }
    : {
        ...report,
        files: report.files + 1,
        withMatches: report.withMatches + (matches.length > 0 ? 1 : 0),
        matches: [...report.matches, ...matches].slice(0, MATCHES),
      };

const excerptOf = (line: string, at: number) => {
  const from = Math.max(0, Math.min(at - LINE_LENGTH / 4, line.length - LINE_LENGTH));
  const text = line.slice(from, from + LINE_LENGTH).trim();
  return `${from > 0 ? "…" : ""}${text}${from + LINE_LENGTH < line.length ? "…" : ""}`;
};

interface Search {
  query: string;
  matchCase: boolean;
  workspace: Workspace;
}

/** Never rejects: a file that cannot be read is one that was skipped. */
async function searchFile(place: string, { query, matchCase, workspace }: Search): Promise<Finding> {
  const name = workspace.nameOf(place);
  const file = await workspace.open(place).catch(() => undefined);
  if (!file) return { matches: undefined };
  try {
    if ((await file.stat()).size > FILE_BYTES) return { matches: undefined };
    const content = await file.readFile();
    if (content.includes(0)) return { matches: undefined };
    const fold = (text: string) => (matchCase ? text : text.toLowerCase());
    const wanted = fold(query);
    const text = content.toString("utf8");
    if (!fold(text).includes(wanted)) return { matches: [] };
    const matches = text.split(/\r?\n/).flatMap((line, index) => {
      const at = fold(line).indexOf(wanted);
      return at < 0 ? [] : [`${name}:${index + 1}: ${excerptOf(line, at)}`];
    });
    return { matches };
  } catch {
    return { matches: undefined };
  } finally {
    await file.close();
  }
}

/**
 * One finding a file, in the order of the files, a few of them searched at once. A generator, so that no folder is
 * walked further than its findings are wanted.
 */
async function* findings(path: string, search: Search, signal?: AbortSignal): AsyncGenerator<Finding> {
  const place = await search.workspace.locate(path);
  if ((await stat(place)).isFile()) return yield await searchFile(place, search);
  const running: Promise<Finding>[] = [];
  for await (const found of walk(place, true, signal)) {
    if (!found.entry.isFile()) continue;
    running.push(searchFile(found.place, search));
    if (running.length === AT_ONCE) yield running.shift()!;
  }
  yield* running;
}

const progress = ({ files, matches }: Report) =>
  textResult(`${plural(files, "file")} searched, ${plural(matches.length, "match", "matches")}`);

const conclusion = ({ files, skipped, withMatches, matches }: Report) => {
  const found = `${plural(matches.length, "match", "matches")} in ${plural(withMatches, "file")}`;
  const notes = [
    ...(matches.length === MATCHES ? [`[stopped after ${MATCHES} matches]`] : []),
    ...(files + skipped === FILES ? [`[stopped after ${plural(FILES, "file")}]`] : []),
    ...(skipped > 0 ? [`[${plural(skipped, "file")} skipped: binary, unreadable or larger than 1 MB]`] : []),
  ];
  return textResult([`${found} (${plural(files, "file")} searched)`, ...matches, ...notes].join("\n"));
};

/** The tool that searches files for a text. It is an observable: what it emits on the way is its progress. */
export const searchFiles = (workspace: Workspace): ReactiveTool<typeof parameters> => ({
  name: "search_files",
  label: "Search files",
  description: `Finds lines that hold a text, at most ${MATCHES}. Skips node_modules, .git and binary files.`,
  parameters,
  execute: (_id, { query, path = ".", matchCase = false }, signal) =>
    defer(() => findings(path, { query, matchCase, workspace }, signal)).pipe(
      take(FILES),
      scan(add, nothing),
      takeWhile(({ matches }) => matches.length < MATCHES, true),
      connect((reports$) =>
        merge(
          reports$.pipe(throttleTime(PROGRESS_MS), map(progress)),
          reports$.pipe(last(undefined, nothing), map(conclusion)),
        ),
      ),
    ),
});
