import { Observable, timer, type MonoTypeOperatorFunction } from "rxjs";

/**
 * Stays subscribed for up to `ms` after its subscriber has left, deaf to what still comes; not at all once `signal` is
 * aborted.
 *
 * @remarks For a response whose last event has been read: one that ends by itself leaves its connection usable for the
 * next request, and its server sees no client that hung up.
 */
export function linger<T>(ms: number, signal?: AbortSignal): MonoTypeOperatorFunction<T> {
  return (source$) =>
    new Observable((subscriber) => {
      const upstream = source$.subscribe({
        next: (value) => subscriber.next(value),
        error: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      });
      return () => {
        if (signal?.aborted) upstream.unsubscribe();
        else if (!upstream.closed) upstream.add(timer(ms).subscribe(() => upstream.unsubscribe()));
      };
    });
}
