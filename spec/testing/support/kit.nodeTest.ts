// Run by testRunners-spec.ts under node:test, where no jest is.
import { test } from "node:test";
import { kitTests } from "./kitTests";

for (const [name, run] of Object.entries(kitTests)) void test(name, run);
