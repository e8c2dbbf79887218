import {
  asyncScheduler,
  catchError,
  concat,
  defer,
  of,
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
 * @remarks A server that does not start at all is an error at once; one that was there gets its attempts. A session that ends
 * within `maxDelayMs` counts as an attempt that failed, so that a server that dies each time is given up, too.
 */
export function reconnecting(
  name: string,
  session$: Observable<Session>,
  { attempts = 10, delayMs = 500, maxDelayMs = 10_000 }: McpReconnectOptions,
): Observable<Session | undefined> {
  const closed$ = throwError(() => serverError(name, "", "closed the connection"));
  return defer(() => {
    let wasThere = false;
    let since: number | undefined;
    let failed = 0;
    const again = (error: unknown) => {
      if (!wasThere) return throwError(() => error);
      const lasted = since === undefined ? 0 : asyncScheduler.now() - since;
      since = undefined;
      failed = lasted > maxDelayMs ? 1 : failed + 1;
      if (failed <= attempts) return timer(Math.min(delayMs * 2 ** (failed - 1), maxDelayMs));
      return throwError(() => serverError(name, `is gone, ${attempts} attempts failed; the last: `, error));
    };
    return concat(session$, closed$).pipe(
      tap(() => {
        wasThere = true;
        since ??= asyncScheduler.now();
      }),
      catchError((error: unknown) =>
        concat(
          of(undefined),
          throwError(() => error),
        ),
      ),
      retry({ delay: again }),
    );
  });
}
