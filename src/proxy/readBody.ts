import { catchError, defer, map, Observable, of, tap, type MonoTypeOperatorFunction } from "rxjs";
import { describeCause } from "./describeCause";

/**
 * The chunks of a proxy's response.
 *
 * @remarks Fails on a response that cannot be an event stream (an HTTP error, no body, a page of HTML) and on a lost
 * connection, with an error that says which. Unsubscribing cancels the body.
 */
export function readBody(response: Response): Observable<Uint8Array> {
  if (!response.ok) return httpError(response);
  if (!response.body) throw new Error(`Proxy error: the response (${response.status}) has no body`);
  return chunksOf(response.body).pipe(refuseHtml());
}

/** The error that a proxy tells in a JSON body, otherwise its status. */
function httpError(response: Response): Observable<never> {
  return defer(() => response.json() as Promise<{ error?: string | { message?: string } } | null>).pipe(
    catchError(() => of(undefined)),
    map((body) => {
      const error = body?.error;
      const told = typeof error === "object" ? error?.message : error;
      throw new Error(`Proxy error: ${told || `${response.status} ${response.statusText}`.trim()}`);
    }),
  );
}

function chunksOf(body: ReadableStream<Uint8Array>): Observable<Uint8Array> {
  return new Observable((subscriber) => {
    const reader = body.getReader();
    const read = (): void => {
      reader.read().then(
        ({ done, value }) => {
          if (done) return subscriber.complete();
          subscriber.next(value);
          if (!subscriber.closed) read();
        },
        (error) => subscriber.error(new Error(`Proxy error: connection lost: ${describeCause(error)}`)),
      );
    };
    read();
    return () => void reader.cancel().catch(() => {});
  });
}

/** Fails when the first visible character is a `<`, with which no event stream begins. */
function refuseHtml(): MonoTypeOperatorFunction<Uint8Array> {
  return (chunks$) =>
    defer(() => {
      let begun = false;
      return chunks$.pipe(
        tap((chunk) => {
          if (begun) return;
          const visible = chunk.find((byte) => byte > 0x20 && byte < 0x7f);
          if (visible === 0x3c) throw new Error("Proxy error: expected an event stream, got HTML");
          begun = visible !== undefined;
        }),
      );
    });
}
