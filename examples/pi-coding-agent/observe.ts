import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { modelServer } from "./modelServer";
import { prepare, type Pi } from "./pi";
import type { Observed, Scenario } from "./scenarios";

/** The files under a folder, by their names. */
async function filesOf(folder: string): Promise<[name: string, text: string][]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    paths.sort().map(async (path): Promise<[string, string]> => [path, await readFile(path, "utf8")]),
  );
}

/** Lets a pi go through a scenario in empty folders; gives what it did, asked its model, wrote, and kept as its session. */
export async function observe(
  pi: Pi,
  server: Awaited<ReturnType<typeof modelServer>>,
  scenario: Scenario,
): Promise<Observed> {
  await prepare(pi, server.url);
  const seen = await scenario(pi);
  const sessions = await filesOf(join(pi.agentDir, "sessions"));
  return {
    ...seen,
    requests: server.takeRequests(),
    files: await filesOf(pi.workspace),
    sessions: sessions.map(([, lines]) =>
      lines
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ),
  };
}
