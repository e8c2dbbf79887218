import { concatMap, defer, queueScheduler, subscribeOn, type Observable, type OperatorFunction } from "rxjs";

/**
 * `concatMap` that stays flat: each inner starts from the queue scheduler's loop.
 *
 * @remarks RxJS's own nests a stack frame per buffered synchronous inner and stops silently after some hundred.
 */
export function concatEach<T, R>(project: (value: T) => Observable<R>): OperatorFunction<T, R> {
  return concatMap((value) => defer(() => project(value)).pipe(subscribeOn(queueScheduler)));
}
