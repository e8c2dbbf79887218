import { Observable, tap } from "rxjs";
import type { RunControl } from "../types/gate";
import { runControl } from "./runControl";

// What aborting without a reason gives says nothing.
function reasonOf(signal: AbortSignal | undefined): unknown {
  const reason: unknown = signal?.reason;
  return reason instanceof DOMException && reason.name === "AbortError" ? undefined : reason;
}

/** What {@link withSignal} listens to. */
export interface WithSignalOptions<T> {
  /** Aborting it aborts the run. */
  signal?: AbortSignal;
  /** @defaultValue 2000 */
  abortGraceMs?: number;
  /** Says after which value there is nothing left to abort. */
  isLast?: (value: T) => boolean;
}

/**
 * Joins the two faces of cancelling: an abort of the signal aborts the run, and so does unsubscribing or an error of it.
 *
 * @remarks The listener on the signal lives as long as the subscription.
 */
export function withSignal<T>(
  run: (control: RunControl) => Observable<T>,
  { signal: outer, abortGraceMs, isLast }: WithSignalOptions<T> = {},
): Observable<T> {
  return new Observable<T>((subscriber) => {
    const control = runControl(abortGraceMs);
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
