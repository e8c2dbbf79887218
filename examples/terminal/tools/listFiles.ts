import { lstat, readlink } from "node:fs/promises";
import { bool, obj, opt, str } from "@earendil-works/pi-schema";
import type { ReactiveTool } from "pi-agent-rx";
import { plural } from "./plural";
import { textResult } from "./textResult";
import { walk, type Found } from "./walk";
import type { Workspace } from "./workspace";

const SHOWN = 200;
const COUNTED = 20_000;

const parameters = obj({
  path: opt(str({ description: "Folder, relative to the current one. Default: the current folder" })),
  recursive: opt(bool({ description: "Also what is in its folders, except node_modules and .git" })),
});

const describe = async ({ place, entry }: Found, workspace: Workspace) => {
  const name = workspace.nameOf(place);
  if (entry.isDirectory()) return `${name}/`;
  if (entry.isSymbolicLink()) return `${name} -> ${await readlink(place).catch(() => "?")}`;
  const { size } = await lstat(place).catch(() => ({ size: 0 }));
  return `${name} (${plural(size, "byte")})`;
};

/** The tool that lists a folder: names, sizes, at most 200 of them. */
export const listFiles = (workspace: Workspace): ReactiveTool<typeof parameters> => ({
  name: "list_files",
  label: "List files",
  description: `Lists a folder: names and sizes, at most ${SHOWN} entries.`,
  parameters,
  execute: async (_id, { path = ".", recursive = false }, signal) => {
    const folder = await workspace.locate(path);
    const lines: string[] = [];
    let folders = 0;
    let files = 0;
    for await (const found of walk(folder, recursive, signal)) {
      if (folders + files === COUNTED) break;
      if (found.entry.isDirectory()) folders++;
      else files++;
      if (lines.length < SHOWN) lines.push(await describe(found, workspace));
    }
    const total = folders + files;
    const more = total === COUNTED ? " (counting stopped here)" : "";
    const counts = [
      ...(folders > 0 ? [plural(folders, "folder")] : []),
      ...(files > 0 ? [plural(files, "file")] : []),
    ];
    const head = `${counts.join(", ") || "nothing"}${more}`;
    const note =
      total > lines.length
        ? [`[${plural(total - lines.length, "more entry", "more entries")} not shown]`]
        : [];
    return textResult([head, ...lines, ...note].join("\n"));
  },
});
