import { asapScheduler, Observable } from "rxjs";

/** Completes one microtask later, or in the same frame of virtual time. */
export function hop(): Observable<never> {
  return new Observable((subscriber) => asapScheduler.schedule(() => subscriber.complete()));
}
