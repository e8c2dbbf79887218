import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder of one's own outside the project, and the way to be rid of it. */
export async function tempFolder(name: string): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), `pi-agent-rx-${name}-`)));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
