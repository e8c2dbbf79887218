import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** What the core entry may weigh, without its peers, minified and gzipped. */
const LIMIT = 12 * 1024;

const { peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const { outputFiles } = await build({
  entryPoints: ["dist/index.js"],
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  external: Object.keys(peerDependencies),
  write: false,
});
const minified = outputFiles[0].contents;
const gzipped = gzipSync(minified, { level: 9 }).length;

console.log(
  `dist/index.js without peers: ${minified.length} bytes minified, ${gzipped} gzipped (limit ${LIMIT})`,
);
if (gzipped > LIMIT) process.exitCode = 1;
