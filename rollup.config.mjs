import { existsSync, readFileSync } from "node:fs";
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

export default [
  {
    ...shared,
    output: {
      dir: "dist",
      format: "es",
      sourcemap: true,
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name].js",
    },
    plugins: [typescript({ noEmit: false, include: ["src/**"] })],
  },
  {
    ...shared,
    output: {
      dir: "dist",
      format: "es",
      entryFileNames: "[name].d.ts",
      chunkFileNames: "chunks/[name].d.ts",
    },
    plugins: [dts()],
  },
];
