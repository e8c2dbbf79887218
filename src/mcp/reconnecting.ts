import {
  catchError,
  concat,
  defer,
  endWith,
  of,
  repeat,
  retry,
  tap,
  throwError,
  timer,
  type Observable,
} from "rxjs";
import type { McpReconnectOptions } from "./McpServer";
import { serverError } from "./serverError";
import type { Session } from "./session";

/**
 * A session that is made again whenever it has ended: emits what it emits, and `undefined` while there is none.
 *
 * @remarks A server that does not start at all is an error at once; one that was there gets its attempts.
 */
export function reconnecting(
  name: string,
  session$: Observable<Session>,
  { attempts = 10, delayMs = 500, maxDelayMs = 10_000 }: McpReconnectOptions,
): Observable<Session | undefined> {
  return defer(() => {
    let wasThere = false;
    let failed = 0;
    return session$.pipe(
      tap(() => {
        wasThere = true;
        failed = 0;
      }),
      endWith(undefined),
      catchError((error: unknown) =>
        concat(
          of(undefined),
          throwError(() => error),
        ),
      ),
      retry({
        delay: (error: unknown) => {
          if (!wasThere) return throwError(() => error);
          if (++failed < attempts) return timer(Math.min(delayMs * 2 ** failed, maxDelayMs));
          return throwError(() => serverError(name, `is gone, ${failed} attempts failed; the last: `, error));
        },
      }),
      repeat({ delay: () => timer(Math.min(delayMs, maxDelayMs)) }),
    );
  });
}
