// Fills the rows that come out into diagrams: `npx tsx marbles/draw.ts marbles/run/prompt.marbles …`.
import { readFileSync, writeFileSync } from "node:fs";
import { drawDiagram } from "pi-agent-rx/testing";
import { agents } from "./agents";

for (const file of process.argv.slice(2)) {
  writeFileSync(file, drawDiagram(readFileSync(file, "utf8"), agents));
}
