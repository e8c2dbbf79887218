import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { checkAbort } from "./checkAbort";

/** Folders that hold no files of the user's own. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** What `walk` comes across. */
export interface Found {
  place: string;
  entry: Dirent;
}

/** Everything under a folder, by name, folders before what they hold. Links are told, never followed. */
export async function* walk(folder: string, deep: boolean, signal?: AbortSignal): AsyncGenerator<Found> {
  checkAbort(signal);
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    checkAbort(signal);
    const place = join(folder, entry.name);
    yield { place, entry };
    if (!deep || !entry.isDirectory() || SKIPPED_FOLDERS.has(entry.name)) continue;
    try {
      yield* walk(place, true, signal);
    } catch (error) {
      // A folder that may not be read is no reason to stop; an abort is.
      if (signal?.aborted) throw error;
    }
  }
}
