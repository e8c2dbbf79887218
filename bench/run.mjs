// Runs the benchmarks: node run.mjs [W1 W2 …] [--quick]. All of them, in full, write RESULTS.md.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { measureCell } from "./cell.mjs";
import { builtAt, isBuilt, machine, versions } from "./machine.mjs";
import { names } from "./names.mjs";
import { plan } from "./plan.mjs";
import { page, section, targetTable } from "./report.mjs";

const peers = ["openai", "tanstack", "ai", "langgraph", "mastra"];

/** The cells of a series in an order that begins with another contender each round. */
const inTurn = (contenders, round) => contenders.map((_, at) => contenders[(at + round) % contenders.length]);

/** Measures a workload in rounds; the slow peers leave the last ones out, as does a contender that failed. */
async function measure(workload, { rounds, times }) {
  const results = new Map(
    workload.series.map(({ label, contenders }) => [
      label,
      new Map(contenders.map((contender) => [contender, { values: [] }])),
    ]),
  );
  for (let round = 0; round < rounds; round++) {
    for (const series of workload.series) {
      for (const contender of inTurn(series.contenders, round)) {
        const result = results.get(series.label).get(contender);
        if (result.error || (peers.includes(contender) && round >= 2) || (series.size && round > 0)) continue;
        const { value, error } = await measureCell(workload, series, contender, times);
        if (error) result.error = error;
        else result.values.push(value);
        console.error(
          `${workload.name}, ${round + 1}/${rounds}: ${series.label}, ${names[contender]}:`,
          error ?? value,
        );
      }
    }
  }
  return { workload, results };
}

const words = process.argv.slice(2);
const isQuick = words.includes("--quick");
const chosen = words.filter((word) => !word.startsWith("-"));
const unknown = chosen.filter((name) => !plan.some((workload) => workload.name === name));
if (unknown.length > 0) throw new Error(`no workload ${unknown.join(", ")}`);
const writesPage = !isQuick && chosen.length === 0;

if (!isBuilt()) {
  const problem = "dist is older than src: npm run build";
  if (writesPage) throw new Error(problem);
  console.error(problem);
}

const before = machine();
const build = builtAt();
const measured = [];
for (const workload of plan) {
  if (chosen.length > 0 && !chosen.includes(workload.name)) continue;
  const rounds = isQuick ? 2 : (workload.rounds ?? 3);
  measured.push(
    await measure(workload, { rounds, times: isQuick ? ["1000", "200"] : (workload.times ?? []) }),
  );
}

if (builtAt() !== build) throw new Error("dist was built anew meanwhile: what was measured is not one thing");

if (writesPage) {
  const path = join(import.meta.dirname, "RESULTS.md");
  const text = page(measured, before, versions());
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), parser: "markdown" }));
  console.log(targetTable(measured));
} else {
  const text = [...measured.map(section), "## Targets", targetTable(measured)].join("\n\n");
  console.log(await format(text, { parser: "markdown" }));
}
