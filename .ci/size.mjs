import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { minify } from "@swc/core";
import { build } from "esbuild";

/**
 * What the core entry may weigh, without its peers, minified and gzipped: all that importing it loads. The aim is 12 KB; what
 * a turn, a call and a listener cost less since (bench/RESULTS.md) took the rest.
 */
const LIMIT = 12.75 * 1024;

const { peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const { outputFiles, metafile } = await build({
  entryPoints: ["dist/index.js"],
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "browser",
  external: Object.keys(peerDependencies),
  outdir: "size",
  write: false,
  minify: true,
  metafile: true,
});

/** The files that loading one of them loads too; `import()` loads later, and does not count. */
function loadedWith(path, loaded = new Set()) {
  if (loaded.has(path)) return loaded;
  loaded.add(path);
  for (const { path: next, kind, external } of metafile.outputs[path].imports) {
    if (kind === "import-statement" && !external) loadedWith(next, loaded);
  }
  return loaded;
}

const entry = Object.keys(metafile.outputs).find(
  (path) => metafile.outputs[path].entryPoint === "dist/index.js",
);
const files = [...loadedWith(entry)].map(
  (path) => outputFiles.find((file) => file.path === resolve(path)).contents,
);
const codes = await Promise.all(
  files.map(async (contents) => {
    const { code } = await minify(Buffer.from(contents).toString(), {
      module: true,
      ecma: 2022,
      compress: { passes: 3 },
      mangle: true,
    });
    return Buffer.from(code);
  }),
);
const sum = (sizes) => sizes.reduce((total, size) => total + size, 0);
const minified = sum(codes.map(({ length }) => length));
const gzipped = sum(codes.map((code) => gzipSync(code, { level: 9 }).length));

console.log(`dist/index.js without peers: ${minified} bytes minified, ${gzipped} gzipped (limit ${LIMIT})`);
if (gzipped > LIMIT) process.exitCode = 1;
