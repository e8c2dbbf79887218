import { plural } from "../../tools/plural";
import { isPath, pathOf } from "../phrases";
import { readListing } from "../readings";
import type { Call, Skill, Task } from "../task";
import { readCall, readTask } from "./read";

const SHOWN = 20;
const LIST =
  /^(?:list|ls|dir|show|tree|what|which|tell me(?: what| which)?)\b(?:\s+(?:me|us))?(?:\s+(?:all|every|the|this|my|current|whole))*\s*(?:files?|folders?|director(?:y|ies)|contents?|entries|everything)?(?:\s+(?:and|or)\s+(?:folders?|files?))?(?:\s+(?:are|is|do you see|can you see|there))*(?:\s+(?:in|of|under|inside|at|here|recursively)\b\s*(.*))?$/i;
const THINGS = /^(?:files?|folders?|director(?:y|ies)|contents?|everything|entries|all|it)$/i;
const SUBJECT =
  /\b(files?|folders?|director(y|ies)|contents?|everything|recursively)\b|^(ls|dir|tree|list)\b|^what(?:'s| is) in\b/i;
const EXTREME =
  /\b(biggest|largest|longest|smallest|shortest)\s+file(?:\s+(?:here|(?:in|of|under)\s+(\S+)))?/i;

const listCall = (path: string, recursive: boolean): Call => ({
  name: "list_files",
  arguments: recursive ? { path, recursive } : { path },
});

const failed = (path: string, text: string) => `I could not list ${path}: ${text}`;

/** "how many files are in src": the listing's own count. */
export const countFiles: Skill = (clause) => {
  const asked =
    /^(?:how many|count(?: all)?(?: the)?) (files|folders|files and folders)\b(?:\s+(?:are|there|do|we|have|is))*(?:\s+(?:in|under|inside)\s+(.+?))?(?:\s+have)?$/i.exec(
      clause,
    );
  if (!asked) return undefined;
  const path = pathOf(asked[2] ?? ".");
  return {
    intro: `I will list ${path} with everything under it.`,
    calls: [listCall(path, true)],
    tell: ([result]) =>
      result!.isError
        ? failed(path, result!.text)
        : `Under ${path} there are ${readListing(result!).counts}.`,
  };
};

/** "what is the largest file in src", "read the smallest file": a listing, and what follows from it. */
export const extremeFile: Skill = (clause) => {
  const asked = EXTREME.exec(clause);
  if (!asked) return undefined;
  const path = pathOf(asked[2] ?? ".");
  const small = /smallest|shortest/i.test(asked[1]!);
  const find = (text: Parameters<typeof readListing>[0]) =>
    readListing(text).files.reduce<{ path: string; bytes?: number } | undefined>(
      (best, file) =>
        !best || (small ? file.bytes! < best.bytes! : file.bytes! > best.bytes!) ? file : best,
      undefined,
    );
  const task: Task = {
    intro: `I will look at the sizes of all files under ${path}.`,
    calls: [listCall(path, true)],
    tell: ([result]) => {
      if (result!.isError) return failed(path, result!.text);
      const best = find(result!);
      const note = readListing(result!).note ? " (of those that the listing shows)" : "";
      return best
        ? `The ${asked[1]!.toLowerCase()} file under ${path} is ${best.path} with ${plural(best.bytes!, "byte")}${note}.`
        : `There is no file under ${path}.`;
    },
  };
  if (!/^(read|open|show|print|summari[sz]e|explain|describe)\b/i.test(clause)) return task;
  return {
    ...task,
    next: ([result]) => {
      const best = result!.isError ? undefined : find(result!);
      return (
        best && { ...readTask([readCall(best.path)], false), intro: `It is ${best.path}; I will read it.` }
      );
    },
  };
};

/** "list files", "what files are in src", "ls -r spec". */
export const list: Skill = (clause) => {
  const shell = /^(ls|dir|tree)\b\s*((?:-\w+\s*)*)(.*)$/i.exec(clause);
  const direct = /^list\s+(?:the\s+)?(\S+)$/i.exec(clause)?.[1];
  const named = direct !== undefined && (isPath(direct) || !THINGS.test(direct)) ? direct : shell?.[3];
  const words = LIST.exec(clause);
  if (named === undefined && !(words && SUBJECT.test(clause))) return undefined;
  const recursive =
    /\brecursive(ly)?\b|\btree\b|-\w*[rR]|\b(everything|all)\b.*\b(under|below)\b|\bsubfolders\b/i.test(
      clause,
    );
  const path = pathOf((named ?? words?.[1] ?? "").replace(/,?\s*recursively$/i, "").trim() || ".");
  return {
    intro: `I will list ${path === "." ? "the current folder" : path}.`,
    calls: [listCall(path, recursive)],
    tell: ([result]) => {
      if (result!.isError) return failed(path, result!.text);
      const { counts, files, folders, note } = readListing(result!);
      const within = (name: string) => (name.startsWith(`${path}/`) ? name.slice(path.length + 1) : name);
      const names = [...folders, ...files.map((file) => file.path)].map(within);
      const more = names.length > SHOWN ? `, and ${plural(names.length - SHOWN, "more name")}` : "";
      const shown = names.length > 0 ? `: ${names.slice(0, SHOWN).join(", ")}${more}` : "";
      return `${path === "." ? "The current folder" : path} holds ${counts}${shown}.${note ? ` ${note}` : ""}`;
    },
  };
};
