import assert from "node:assert/strict";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withoutChance } from "./chance";
import { differences, withoutDifference } from "./differences";
import { install, packLibrary } from "./installations";
import { modelServer } from "./modelServer";
import { node22 } from "./node22";
import { observe } from "./observe";
import { scenarios, type Observed } from "./scenarios";

const folder = await realpath(await mkdtemp(join(tmpdir(), "pi-coding-agent-")));
const server = await modelServer();
const met = new Map(differences.map(({ name }) => [name, 0]));

/** What a pi did, without chance and without what only this one has on purpose. */
function comparable(observed: Observed, root: string, who: "stock" | "ours"): Observed {
  return differences
    .filter((difference) => difference.who === who)
    .reduce(
      (before, difference) => {
        const { rest, met: times } = withoutDifference(before, difference);
        met.set(difference.name, met.get(difference.name)! + times);
        return rest;
      },
      withoutChance(observed, root),
    );
}

/** Says what differs, at its beginning. */
function compare(title: string, stock: Observed, ours: Observed): boolean {
  const counts = ["events", "requests"].map(
    (what) => `${(ours[what] as [] | undefined)?.length ?? 0} ${what}`,
  );
  try {
    assert.deepEqual(ours, stock);
    console.log(`${title}: equal (${counts.join(", ")})`);
    return true;
  } catch (error) {
    console.log(`${title}: not equal\n${(error as Error).message.split("\n").slice(0, 60).join("\n")}`);
    return false;
  }
}

try {
  const tarball = process.argv[2] ?? (await packLibrary(folder));
  const [node, stockRoot, oursRoot] = await Promise.all([
    node22(),
    // Their names are of one length: pi counts the tokens of a prompt that holds them.
    install(join(folder, "core-pi")),
    install(join(folder, "core-rx"), tarball),
  ]);
  const place = { node, workspace: join(folder, "workspace"), agentDir: join(folder, "agent") };
  let allEqual = true;
  for (const [title, scenario] of Object.entries(scenarios)) {
    const stock = await observe({ ...place, root: stockRoot }, server, scenario);
    const ours = await observe({ ...place, root: oursRoot }, server, scenario);
    const equal = compare(title, comparable(stock, stockRoot, "stock"), comparable(ours, oursRoot, "ours"));
    allEqual &&= equal;
  }
  // A difference that is never met is none; and without the first, what ran was not this library.
  for (const [name, times] of met) console.log(`${times > 0 ? "as documented" : "NOT MET"}: ${name}`);
  if (!allEqual || [...met.values()].includes(0)) process.exitCode = 1;
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
