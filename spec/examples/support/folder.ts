import { mkdtemp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder with these files, and links as `-> target`; `remove` when done. */
export async function folder(files: Record<string, string | Uint8Array>) {
  const base = await mkdtemp(join(tmpdir(), "terminal-"));
  const root = join(base, "inside");
  for (const [name, content] of Object.entries({ "inside/.keep": "", ...prefixed(files) })) {
    const path = join(base, name);
    await mkdir(dirname(path), { recursive: true });
    const target = typeof content === "string" && /^-> (.*)$/.exec(content)?.[1];
    await (target ? symlink(target, path) : writeFile(path, content));
  }
  await rm(join(root, ".keep"));
  return { root, outside: base, remove: () => rm(base, { recursive: true, force: true }) };
}

/** Names beginning with `../` land beside the folder. */
const prefixed = (files: Record<string, string | Uint8Array>) =>
  Object.fromEntries(
    Object.entries(files).map(([name, content]) => [
      name.startsWith("../") ? name.slice(3) : `inside/${name}`,
      content,
    ]),
  );
