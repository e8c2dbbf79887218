import { retry, throwError, timeout, type MonoTypeOperatorFunction } from "rxjs";
import type { DiagramPolicy } from "./DiagramParts";
import type { NamedOperator } from "./wordsOfSetting";

type Operator = <T>(count: number, delay?: number) => MonoTypeOperatorFunction<T>;

const OPERATORS: Record<string, Operator> = {
  timeout: (each) => timeout({ each, with: () => throwError(() => new Error(`timed out after ${each}`)) }),
  retry: (count, delay) => (delay ? retry({ count, delay }) : retry(count)),
};

/** An operator of RxJS in words, as a policy: `timeout 5` is `timeout({ each: 5 })`, `retry 1 3` waits three frames. */
export function diagramOperator({ name, args }: NamedOperator): ReturnType<DiagramPolicy> | undefined {
  const [count, delay] = args as [number, number?];
  const operator = OPERATORS[name];
  return operator && (() => operator(count, delay));
}
