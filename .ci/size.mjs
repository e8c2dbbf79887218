import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { minify } from "terser";

/** What the core entry may weigh, without its peers, minified and gzipped. */
const LIMIT = 12 * 1024;

const { peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const { outputFiles, metafile } = await build({
  entryPoints: ["dist/index.js"],
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "browser",
  external: Object.keys(peerDependencies),
  outdir: "out",
  write: false,
  metafile: true,
});
const codes = new Map();
for (const [index, path] of Object.keys(metafile.outputs).entries()) {
  const { code } = await minify(outputFiles[index].text, { module: true, compress: { passes: 3 } });
  codes.set(path, Buffer.from(code));
}

/** A file and all that it imports at once; what it imports later is not loaded with it. */
function loadedWith(path, seen = new Set()) {
  if (seen.has(path) || !codes.has(path)) return seen;
  seen.add(path);
  const now = metafile.outputs[path].imports.filter(({ kind }) => kind === "import-statement");
  for (const { path: imported } of now) loadedWith(imported, seen);
  return seen;
}

function weigh(paths) {
  const code = Buffer.concat([...paths].map((path) => codes.get(path)));
  return { minified: code.length, gzipped: gzipSync(code, { level: 9 }).length };
}

const core = loadedWith("out/index.js");
const later = [...codes.keys()].filter((path) => !core.has(path));
const { minified, gzipped } = weigh(core);
console.log(`dist/index.js without peers: ${minified} bytes minified, ${gzipped} gzipped (limit ${LIMIT})`);
if (later.length > 0) console.log(`loaded on first use of streamProxy: ${weigh(later).gzipped} gzipped`);
if (gzipped > LIMIT) process.exitCode = 1;
