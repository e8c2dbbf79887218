import { describe, expect, it } from "@jest/globals";
import { concat, ignoreElements, Observable, of, range, take, timer } from "rxjs";
import { steps } from "../../src/internal/steps";
import { virtually } from "../support/virtually";

describe("steps", () => {
  it("passes on what is emitted and what its steps give, in order", () => {
    virtually(({ cold, expectObservable }) => {
      const told$ = steps<string>(function* (emit) {
        emit("a");
        yield cold("--b|");
        yield undefined;
        emit("c");
      });
      expectObservable(told$).toBe("a-b(c|)");
    });
  });

  it("runs synchronous steps at once, without growing the stack", () => {
    let count = 0;
    let completed = false;
    steps<never>(function* () {
      for (let n = 0; n < 100_000; n++) {
        yield n % 2 ? undefined : concat(of(1)).pipe(ignoreElements());
        count++;
      }
    }).subscribe({ complete: () => (completed = true) });
    expect([count, completed]).toEqual([100_000, true]);
  });

  it("throws the error of a step where it was yielded", () => {
    virtually(({ cold, expectObservable }) => {
      const caught$ = steps<string>(function* (emit) {
        try {
          yield cold<string>("--#", {}, "lost");
        } catch (error) {
          emit(error as string);
        }
      });
      expectObservable(caught$).toBe("--(e|)", { e: "lost" });
      const failed$ = steps<string>(function* () {
        yield cold<string>("--#", {}, "lost");
      });
      expectObservable(failed$).toBe("--#", undefined, "lost");
    });
  });

  it("fails with what the sequence throws", () => {
    virtually(({ expectObservable }) => {
      const failed$ = steps<never>(function* () {
        yield undefined;
        throw "error";
      });
      expectObservable(failed$).toBe("#");
    });
  });

  it("leaves the step and then the sequence when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const log: string[] = [];
      const step$ = cold<string>("-a----|");
      const sequence$ = steps<string>(function* () {
        try {
          yield step$;
        } finally {
          log.push("left");
        }
      });
      expectObservable(sequence$, "^--!").toBe("-a--");
      expectSubscriptions(step$.subscriptions).toBe("^--!");
      flush();
      expect(log).toEqual(["left"]);
    });
  });

  it("ends when it is left while it runs: no later step begins, a synchronous one stops", () => {
    const log: unknown[] = [];
    const given: number[] = [];
    steps<number>(function* (emit) {
      try {
        emit(1);
        yield range(2, 1_000_000_000);
        log.push("went on");
      } finally {
        log.push("left");
      }
    })
      .pipe(take(3))
      .subscribe((value) => given.push(value));
    expect(given).toEqual([1, 2, 3]);
    expect(log).toEqual(["left"]);
  });

  it("goes on when the teardown of a step is done", () => {
    const log: string[] = [];
    const step = (name: string) =>
      new Observable<never>((subscriber) => {
        log.push(`${name} begins`);
        subscriber.add(timer(0).subscribe(() => subscriber.complete()));
        return () => log.push(`${name} is torn down`);
      });
    return new Promise<void>((resolve) => {
      steps<never>(function* () {
        yield step("one");
        yield step("two");
      }).subscribe({
        complete: () => {
          expect(log.slice(0, 3)).toEqual(["one begins", "one is torn down", "two begins"]);
          resolve();
        },
      });
    });
  });
});
