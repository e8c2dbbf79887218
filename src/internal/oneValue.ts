import {
  asapScheduler,
  connect,
  map,
  observeOn,
  take,
  takeUntil,
  toArray,
  type MonoTypeOperatorFunction,
} from "rxjs";

/**
 * Lets exactly one value through; none or several is an error that names `name`.
 *
 * @remarks A source that emits without completing is let go one hop after its first value, so that it cannot hang a run.
 * With `optional`, a source that completes empty gives `undefined`.
 */
export function oneValue<T>(name: string, optional = false): MonoTypeOperatorFunction<T> {
  return (source$) =>
    source$.pipe(
      connect((values$) => values$.pipe(takeUntil(values$.pipe(take(1), observeOn(asapScheduler))))),
      toArray(),
      map((values) => {
        if (values.length === 1 || (optional && values.length === 0)) return values[0] as T;
        throw new TypeError(`${name}: expected one value, got ${values.length || "none"}`);
      }),
    );
}
