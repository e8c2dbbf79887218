import { Observable } from "rxjs";
import type { RunControl } from "../types/gate";
import { runControl } from "./runControl";

/**
 * Joins the two faces of cancelling: an abort of `outer` aborts the run, and so does unsubscribing or an error of it.
 *
 * @remarks The listener on `outer` lives as long as the subscription.
 */
export function withSignal<T>(
  outer: AbortSignal | undefined,
  graceMs: number | undefined,
  run: (control: RunControl) => Observable<T>,
): Observable<T> {
  return new Observable<T>((subscriber) => {
    const control = runControl(graceMs);
    const abort = () => control.abort(outer?.reason);
    let completed = false;
    if (outer?.aborted) abort();
    else outer?.addEventListener("abort", abort);
    subscriber.add(() => {
      outer?.removeEventListener("abort", abort);
      if (!completed) control.abort();
    });
    run(control).subscribe({
      next: (value) => subscriber.next(value),
      error: (error: unknown) => subscriber.error(error),
      complete: () => {
        completed = true;
        subscriber.complete();
      },
    });
  });
}
