// Measures one cell of a table in a fresh process.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = import.meta.dirname;
const packages = {
  ours: "pi-agent-rx",
  pi: "@earendil-works/pi-agent-core",
  "pi-ai": "@earendil-works/pi-ai",
  rxjs: "rxjs",
};

async function output(words, cwd = here) {
  const { stdout } = await run(process.execPath, words, { cwd, timeout: 120_000 });
  return stdout;
}

async function size() {
  // It fails above its own limit, and says the size all the same.
  const text = await output([".ci/size.mjs"], join(here, "..")).catch(({ stdout }) => stdout);
  return Number(/(\d+) gzipped/.exec(text)[1]) / 1024;
}

/** What the contender costs, in the unit of the series. */
async function cost(workload, series, contender, times) {
  if (series.size) return size();
  if (series.import) {
    return JSON.parse(await output(["import.mjs", packages[contender]]))[series.import] / 1000;
  }
  const words = ["--expose-gc", "measure.mjs", contender, series.workload, String(series.count), ...times];
  const { bytes, microseconds } = JSON.parse(await output(words));
  return bytes === undefined ? microseconds / (workload.perRun ?? series.count) : bytes / 1024;
}

/** The cost, or why there is none. */
export async function measureCell(workload, series, contender, times) {
  try {
    return { value: await cost(workload, series, contender, times) };
  } catch (error) {
    if (error.killed) return { error: "took longer than two minutes" };
    const lines = (error.stderr || error.message).split("\n");
    return { error: lines.find((line) => /^\w*Error\b/.test(line)) ?? lines[0] };
  }
}
