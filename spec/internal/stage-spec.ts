import { describe, expect, it } from "@jest/globals";
import { count, lastValueFrom, range } from "rxjs";
import { stage, type EventStage, type ValueStage } from "../../src/internal/stage";
import { resultOf } from "../support/sequences";
import { virtually } from "../support/virtually";

const doubled = stage<ValueStage<number, number>>(function* (value) {
  yield undefined;
  return value > 0 ? value * 2 : undefined;
});
const counted = stage<EventStage<number, string>>(function* (value, emit) {
  for (let n = 1; n <= value; n++) {
    yield undefined;
    emit(`${n}`);
  }
});

describe("stage", () => {
  it("is an operator: one value after another, to what each comes to or tells", () => {
    virtually(({ cold, expectObservable }) => {
      const source$ = cold("-a-b-c---|", { a: 1, b: -1, c: 2 });
      expectObservable(source$.pipe(doubled)).toBe("-a---c---|", { a: 2, c: 4 });
      expectObservable(source$.pipe(counted)).toBe("-1---(12)|");
    });
  });

  it("runs in place for one value", () => {
    virtually(({ expectObservable }) => {
      expectObservable(resultOf(() => doubled.run(3))).toBe("(v|)", { v: 6 });
    });
  });

  it("stays flat over thousands of synchronous values", async () => {
    await expect(lastValueFrom(range(1, 20_000).pipe(doubled, count()))).resolves.toBe(20_000);
  });
});
