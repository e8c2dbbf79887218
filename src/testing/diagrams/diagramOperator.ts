import { pipe, retry, throwError, timeout, type MonoTypeOperatorFunction } from "rxjs";

type Operator = <T>(count: number, delay?: number) => MonoTypeOperatorFunction<T>;

const OPERATORS: Record<string, Operator> = {
  timeout: (each) => timeout({ each, with: () => throwError(() => new Error(`timed out after ${each}`)) }),
  retry: (count, delay) => (delay ? retry({ count, delay }) : retry(count)),
};

/** Operators of RxJS in words: `timeout 5, retry 1 3` is `pipe(timeout({ each: 5 }), retry({ count: 1, delay: 3 }))`. */
export function diagramOperator<T>(setting: string): MonoTypeOperatorFunction<T> {
  const operators = setting.split(/,\s*/).map((word): MonoTypeOperatorFunction<T> => {
    const [name = "", count, delay] = word.split(/\s+/);
    const operator = OPERATORS[name];
    if (!operator) throw new Error(`diagram: no operator ${JSON.stringify(name)}`);
    return operator(Number(count), delay === undefined ? undefined : Number(delay));
  });
  return pipe(...(operators as [MonoTypeOperatorFunction<T>]));
}
