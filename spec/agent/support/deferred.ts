/** A promise and what settles it. */
export function deferred<T = void>() {
  let resolve!: (value: T | PromiseLike<T>) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((give, fail) => {
    resolve = give;
    reject = fail;
  });
  return { promise, resolve, reject };
}

/** Lets every promise settle that can without time. */
export function drain(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
