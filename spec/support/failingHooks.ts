import { throwError, timer, mergeMap } from "rxjs";

/** What the hooks below fail with. */
export const hookError = new Error("the hook failed");

/** Every way in which a hook can fail, for `it.each`. */
export const failingHooks: [string, () => never][] = [
  [
    "throws",
    () => {
      throw hookError;
    },
  ],
  ["rejects", () => Promise.reject(hookError) as never],
  ["gives an observable that fails", () => throwError(() => hookError) as never],
  [
    "gives an observable that fails in its time",
    () => timer(1).pipe(mergeMap(() => throwError(() => hookError))) as never,
  ],
];
