import { expect } from "@jest/globals";
import { TestScheduler, type RunHelpers } from "rxjs/testing";

/** Runs a spec in the virtual time of RxJS: what it expects of streams is compared when it has ended. */
export function virtually<T>(run: (helpers: RunHelpers) => T): T {
  return new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(run);
}
