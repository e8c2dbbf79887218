// Renders every diagram of this folder to the SVG beside it: `npm run marbles`.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderDiagram } from "pi-agent-rx/testing";

const root = import.meta.dirname;

for (const path of readdirSync(root, { recursive: true, encoding: "utf8" })) {
  if (!path.endsWith(".marbles")) continue;
  const svg = renderDiagram(readFileSync(join(root, path), "utf8"));
  writeFileSync(join(root, path.replace(/\.marbles$/, ".svg")), svg);
}
