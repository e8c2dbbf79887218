import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const PI = { "@earendil-works/pi-coding-agent": "1.6.0" };

const INSTALL = "install --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error".split(" ");

/** Builds and packs this library into a folder; gives the tarball. */
export async function packLibrary(folder: string): Promise<string> {
  const cwd = new URL("../..", import.meta.url);
  await run("npm", ["run", "build"], { cwd });
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await run("npm", pack, { cwd });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, filename);
}

/** Installs pi, with a tarball in the place of its core when there is one; gives the folder. */
export async function install(root: string, core?: string): Promise<string> {
  const overrides = core && { "@earendil-works/pi-agent-core": `file:${core}` };
  await mkdir(root);
  await writeFile(join(root, "package.json"), JSON.stringify({ private: true, dependencies: PI, overrides }));
  await run("npm", INSTALL, { cwd: root });
  return root;
}
