import { Observable, tap } from "rxjs";
import type { RunControl } from "../types/gate";
import { runControl } from "./runControl";

// What aborting without a reason gives says nothing.
function reasonOf(signal: AbortSignal | undefined): unknown {
  const reason: unknown = signal?.reason;
  return reason instanceof DOMException && reason.name === "AbortError" ? undefined : reason;
}

/**
 * Joins the two faces of cancelling: an abort of `outer` aborts the run, and so does unsubscribing or an error of it.
 *
 * @param isLast - Says after which value there is nothing left to abort.
 * @remarks The listener on `outer` lives as long as the subscription.
 */
export function withSignal<T>(
  outer: AbortSignal | undefined,
  graceMs: number | undefined,
  run: (control: RunControl) => Observable<T>,
  isLast?: (value: T) => boolean,
): Observable<T> {
  return new Observable<T>((subscriber) => {
    const control = runControl(graceMs);
    const abort = () => control.abort(reasonOf(outer));
    let ended = false;
    if (outer?.aborted) abort();
    else outer?.addEventListener("abort", abort);
    subscriber.add(() => {
      outer?.removeEventListener("abort", abort);
      if (!ended) control.abort();
    });
    run(control)
      .pipe(
        tap({
          next: (value) => (ended ||= isLast?.(value) ?? false),
          complete: () => (ended = true),
        }),
      )
      .subscribe(subscriber);
  });
}
