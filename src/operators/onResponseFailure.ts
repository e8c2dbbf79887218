import type { AssistantMessage, AssistantMessageEvent } from "@earendil-works/pi-ai";
import { catchError, concatMap, defer, map, of, tap, throwError, type Observable } from "rxjs";
import { errorText } from "../internal/errorText";
import type { ModelRequest } from "../types/hooks";
import { responseFailure } from "./responseFailure";

type Events = Observable<AssistantMessageEvent>;

const SILENT = ["start", "text_start", "thinking_start", "error", "done"];

/**
 * Gives a failed response something to go on with, whether the provider told the failure or threw it.
 *
 * @param recover - Told the failure, and whether anything of the response was visible; `undefined` leaves it as it is.
 * @remarks An aborted response is no failure.
 */
export function onResponseFailure(
  request: ModelRequest,
  recover: (failure: AssistantMessage, visible: boolean) => Events | undefined,
): (events$: Events) => Events {
  return (events$) =>
    defer(() => {
      let visible = false;
      const isAborted = () => request.options.signal?.aborted ?? false;
      return events$.pipe(
        tap(({ type }) => (visible ||= !SILENT.includes(type))),
        // A thrown failure becomes an event, so that what it is recovered with is not caught in turn.
        map((event) => ({ event, thrown: undefined as { error: unknown } | undefined })),
        catchError((error: unknown) =>
          of({
            event: responseFailure(request, errorText(error)),
            thrown: { error },
          }),
        ),
        concatMap(({ event, thrown }) => {
          if (event.type !== "error") return of(event);
          const recovered$ =
            event.reason === "error" && !isAborted() ? recover(event.error, visible) : undefined;
          return recovered$ ?? (thrown ? throwError(() => thrown.error) : of(event));
        }),
      );
    });
}
