import { asapScheduler, ignoreElements, timer, type Observable } from "rxjs";

/** Completes one microtask later, or in the same frame of virtual time. */
export function hop(): Observable<never> {
  return timer(0, asapScheduler).pipe(ignoreElements());
}
