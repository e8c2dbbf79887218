import type { Result } from "./task";

/** One line of a file listing. */
export interface Listed {
  path: string;
  bytes?: number;
}

/** What the text of a `list_files` result says. */
export const readListing = ({ text }: Result) => {
  const [head = "", ...lines] = text.split("\n");
  const entries = lines.filter((line) => !line.startsWith("["));
  const files: Listed[] = [];
  for (const entry of entries) {
    const file = /^(.*) \(([\d,]+) bytes?\)$/.exec(entry);
    if (file) files.push({ path: file[1]!, bytes: Number(file[2]!.replaceAll(",", "")) });
  }
  return {
    counts: head,
    files,
    folders: entries.filter((entry) => entry.endsWith("/")),
    note: lines.find((line) => line.startsWith("[")),
  };
};

/** What the text of a `read_file` result says. */
export const readContent = ({ text }: Result) => {
  const [head = "", , ...lines] = text.split("\n");
  const cut = lines.at(-1)?.startsWith("[read on") ?? false;
  const counted = / of (\d+)( or more)?, /.exec(head);
  return { lines: cut ? lines.slice(0, -1) : lines, total: counted ? Number(counted[1]) : 0, cut };
};

/** What the text of a `search_files` result says. */
export const readMatches = ({ text }: Result) => {
  const [head = "", ...lines] = text.split("\n");
  const matches = lines.flatMap((line) => {
    const match = /^(.+?):(\d+): (.*)$/.exec(line);
    return match ? [{ path: match[1]!, line: Number(match[2]), text: match[3]! }] : [];
  });
  return { head, matches, note: lines.find((line) => line.startsWith("[stopped")) };
};
