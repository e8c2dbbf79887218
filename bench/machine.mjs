// What the numbers were measured on, and with.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { join } from "node:path";

const here = import.meta.dirname;
const root = join(here, "..");
const json = (path) => JSON.parse(readFileSync(path, "utf8"));

function commit() {
  const git = (...words) => execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();
  try {
    const changed = git("status", "--porcelain", "--", "src") === "" ? "" : ", src changed";
    return `commit ${git("rev-parse", "--short", "HEAD")}${changed}`;
  } catch {
    return "no repository";
  }
}

const newest = (folder) =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs),
  );

/** When the package was built. */
export const builtAt = () => (existsSync(join(root, "dist/index.js")) ? newest(join(root, "dist")) : 0);

/** Whether what is built is what is written. */
export const isBuilt = () => builtAt() >= newest(join(root, "src"));

export const machine = () => [
  ["Processor", `${cpus()[0].model}, ${cpus().length} cores`],
  ["Memory", `${Math.round(totalmem() / 2 ** 30)} GB`],
  ["System", `${process.platform} ${release()}`],
  ["Node", process.version],
  ["Date", new Date().toISOString().slice(0, 10)],
  ["Load before", loadavg()[0].toFixed(1)],
];

export function versions() {
  const { dependencies } = json(join(here, "package.json"));
  const packages = Object.keys(dependencies).map((name) => [
    name,
    json(join(here, "node_modules", name, "package.json")).version,
  ]);
  return [...packages, ["rxjs", json(join(root, "node_modules/rxjs/package.json")).version]].map(
    ([name, version]) => [name, name === "pi-agent-rx" ? `${version}, ${commit()}` : version],
  );
}
