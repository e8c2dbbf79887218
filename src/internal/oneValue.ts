import { asapScheduler, Observable, Subscriber, type MonoTypeOperatorFunction } from "rxjs";

/**
 * Lets exactly one value through; none or several is an error that names `name`.
 *
 * @remarks A source that emits without completing is let go one hop after its first value, so that it cannot hang a run.
 * With `optional`, a source that completes empty gives `undefined`.
 */
export function oneValue<T>(name: string, optional = false): MonoTypeOperatorFunction<T> {
  return (source$) =>
    new Observable<T>((subscriber) => {
      const values: T[] = [];
      const complete = () => {
        const { length } = values;
        if (length !== 1 && (length > 0 || !optional))
          return subscriber.error(new TypeError(`${name}: expected one value, got ${length || "none"}`));
        subscriber.next(values[0] as T);
        subscriber.complete();
      };
      const source = new Subscriber<T>({
        next: (value: T) => {
          if (values.push(value) === 1) subscriber.add(asapScheduler.schedule(complete));
        },
        error: (error: unknown) => subscriber.error(error),
        complete,
      });
      subscriber.add(source);
      source$.subscribe(source);
    });
}
