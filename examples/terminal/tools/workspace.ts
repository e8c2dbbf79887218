import { constants } from "node:fs";
import { open, realpath, stat, type FileHandle } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";

/** A folder that tools may look into, and nothing beside it. */
export interface Workspace {
  /** The folder, with every link resolved. */
  readonly root: string;
  /** The real place of a path in the folder; throws for whatever lies or leads outside. */
  locate(path: string): Promise<string>;
  /** Opens a regular file for reading. */
  open(path: string): Promise<FileHandle>;
  /** How a real path is called in results: relative to the folder, with slashes. */
  nameOf(place: string): string;
}

const isOutside = (root: string, path: string) => {
  const way = relative(root, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
};

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Makes the folder at `folder` a workspace; throws when there is none. */
export async function workspace(folder: string): Promise<Workspace> {
  const given = resolve(folder);
  const root = await realpath(given).catch(() => undefined);
  if (root === undefined || !(await stat(root)).isDirectory()) throw new Error(`no such folder: ${folder}`);

  const refused = (path: string, how: string) =>
    new Error(`refused: ${JSON.stringify(path)} ${how} outside the folder ${root}`);

  const locate = async (path: string) => {
    if (path.includes("\0")) throw new Error("refused: a path with a NUL character");
    const wanted = resolve(root, path);
    // Before the disk is touched, so that a refusal tells nothing of what exists outside.
    if (isOutside(root, wanted) && isOutside(given, wanted)) throw refused(path, "lies");
    const place = await realpath(wanted).catch((error: NodeJS.ErrnoException) => {
      throw new Error(
        error.code === "ENOENT" ? `no such file or folder: ${path}` : `${path}: ${error.message}`,
      );
    });
    if (isOutside(root, place)) throw refused(path, "leads");
    return place;
  };

  return {
    root,
    locate,
    nameOf: (place) => relative(root, place).split(sep).join("/") || ".",
    open: async (path) => {
      // No link is followed any more, and a pipe without a writer does not block.
      const file = await open(await locate(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      const kind = await file.stat();
      if (kind.isFile()) return file;
      await file.close();
      throw new Error(
        kind.isDirectory() ? `${path} is a folder; list_files shows it` : `${path} is no regular file`,
      );
    },
  };
}
