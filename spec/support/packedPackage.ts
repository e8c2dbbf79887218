import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot } from "./projectRoot";
import { runOk } from "./run";
import { tempFolder } from "./tempFolder";

const modified = (path: string) => statSync(join(projectRoot, path)).mtimeMs;

function isBuilt(): boolean {
  if (!existsSync(join(projectRoot, "dist/index.d.ts"))) return false;
  const sources = readdirSync(join(projectRoot, "src"), { recursive: true, encoding: "utf8" }).map(
    (name) => `src/${name}`,
  );
  return ["package.json", "rollup.config.mjs", ...sources].every(
    (path) => modified(path) <= modified("dist/index.d.ts"),
  );
}

function packageJson() {
  return JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
    peerDependencies: Record<string, string>;
    peerDependenciesMeta: Record<string, { optional: boolean }>;
  };
}

export interface PackedPackage {
  /** The tarball. */
  tarball: string;
  /** The paths in it. */
  files: string[];
  /** A project that has installed the tarball under its own name and under pi-agent-core's, and the optional peers. */
  consumer: string;
  remove: () => Promise<void>;
}

/** Packs the package into a folder as npm would publish it, building it first when dist is old. */
export async function packTarball(folder: string): Promise<Pick<PackedPackage, "tarball" | "files">> {
  if (!isBuilt()) await runOk("npm", ["run", "build"]);
  const packed = await runOk("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder]);
  const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
  return { tarball: join(folder, filename), files: files.map((file) => file.path) };
}

/** Packs the package and installs it in an empty project. */
export async function packedPackage(): Promise<PackedPackage> {
  const { path, remove } = await tempFolder("package");
  const { tarball, files } = await packTarball(path);
  const consumer = join(path, "consumer");
  await mkdir(consumer);
  await writeFile(
    join(consumer, "package.json"),
    JSON.stringify({ name: "consumer", private: true, type: "module" }),
  );
  const names = ["pi-agent-rx", "@earendil-works/pi-agent-core"].map((name) => `${name}@file:${tarball}`);
  const { peerDependencies, peerDependenciesMeta } = packageJson();
  const optional = Object.keys(peerDependenciesMeta).map((name) => `${name}@${peerDependencies[name]}`);
  const quietly = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  await runOk("npm", ["install", ...quietly, ...names, ...optional], { cwd: consumer, timeoutMs: 240_000 });
  return { tarball, files, consumer, remove };
}
