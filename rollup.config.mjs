import { existsSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import typescript from "@rollup/plugin-typescript";
import { dts } from "rollup-plugin-dts";

const { exports: doors, peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const peers = Object.keys(peerDependencies);

/** Each door of the exports map is one entry: `./dist/name.js` is built from `src/name/index.ts` (or `src/name.ts`). */
function sourceOf(name) {
  const source = [`src/${name}/index.ts`, `src/${name}.ts`].find(existsSync);
  if (!source)
    throw new Error(`package.json exports ./dist/${name}.js, but src/${name}/index.ts does not exist`);
  return source;
}

const input = Object.fromEntries(
  Object.values(doors)
    .filter((door) => typeof door === "object")
    .map(({ import: file }) => /^\.\/dist\/(.+)\.js$/.exec(file)[1])
    .map((name) => [name, sourceOf(name)]),
);

const shared = {
  input,
  external: (id) => id.startsWith("node:") || peers.some((peer) => id === peer || id.startsWith(`${peer}/`)),
  onwarn: (warning) => {
    throw new Error(`${warning.code}: ${warning.message}`);
  },
};

/** The testing door uses the main door by its name, as users do; both are built into one package all the same. */
const ownName = {
  name: "own-name",
  resolveId: (id) => (id === "pi-agent-rx" ? resolve("src/index.ts") : null),
};

// A file of a door that is gone must not be packed.
rmSync("dist", { recursive: true, force: true });

/** Both passes lay their files out alike: an entry by its door's name, what doors share in chunks/. */
const output = (extension) => ({
  dir: "dist",
  format: "es",
  sourcemap: extension === "js",
  entryFileNames: `[name].${extension}`,
  chunkFileNames: `chunks/[name].${extension}`,
  hoistTransitiveImports: false,
});

/** The runtime is one file: split, each piece would name its imports again. What only other doors use is none of it. */
const manualChunks = (id) =>
  /[\\/]src[\\/](internal|stages|loop|agent)[\\/](?!whenAborted)|[\\/]src[\\/]proxy[\\/]streamProxy/.test(id)
    ? "core"
    : undefined;

export default [
  {
    ...shared,
    output: { ...output("js"), manualChunks },
    plugins: [ownName, typescript({ noEmit: false, include: ["src/**"] })],
  },
  { ...shared, output: output("d.ts"), plugins: [ownName, dts()] },
];
