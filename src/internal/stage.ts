import { concatMap, queueScheduler, subscribeOn, type OperatorFunction } from "rxjs";
import { steps, type Emit, type Steps } from "./steps";

/** A stage that makes one value of another, or none: an operator, and for one value the steps of it. */
export type ValueStage<In, Out> = OperatorFunction<In, Out> & {
  run: (value: In) => Steps<never, Out | void>;
};

/** A stage that tells of events: an operator, and for one value the steps of it. */
export type EventStage<In, Told, Passed = never> = OperatorFunction<In, Told> & {
  /** What its steps pass on by themselves is told too. */
  run: (value: In, emit: Emit<Told>) => Steps<Passed>;
};

function* passed(stepsOf: Steps<unknown, unknown>, emit: Emit<unknown>): Steps<unknown> {
  const result = yield* stepsOf;
  if (result !== undefined) emit(result);
}

/**
 * Makes a stage of what it does with one value. The loop runs it in place; as an operator it takes one value after another.
 *
 * @remarks Each starts from the queue scheduler's loop: `concatMap` alone nests a stack frame per buffered synchronous inner
 * and stops silently after some hundred.
 */
export function stage<S extends ValueStage<never, unknown> | EventStage<never, unknown, unknown>>(
  run: S["run"],
): S {
  const operator: OperatorFunction<never, unknown> = (values$) =>
    values$.pipe(
      concatMap((value) =>
        steps<unknown>((emit) => passed(run(value, emit), emit)).pipe(subscribeOn(queueScheduler)),
      ),
    );
  return Object.assign(operator, { run }) as unknown as S;
}
