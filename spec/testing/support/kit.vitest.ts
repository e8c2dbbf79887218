// Run by testRunners-spec.ts under vitest, where no jest is.
import { test } from "vitest";
import { kitTests } from "./kitTests";

for (const [name, run] of Object.entries(kitTests)) test(name, run);
