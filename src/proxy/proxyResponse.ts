import { whenAborted } from "../internal/whenAborted";
import type {
  Api,
  AssistantMessage,
  AssistantMessageEvent,
  Model,
  TranscriptContext,
} from "@earendil-works/pi-ai";
import { catchError, concat, filter, map, merge, of, takeWhile, throwError, type Observable } from "rxjs";
import { describeCause } from "./describeCause";
import { emptyMessage } from "./emptyMessage";
import { linger } from "./linger";
import type { ProxyStreamOptions } from "./ProxyStreamOptions";
import { rebuildMessage } from "./rebuildMessage";
import { requestProxy } from "./requestProxy";
import { wireEvents } from "./wireEvents";

/** How long a response may take to end after its last event before the client hangs up. */
const LINGER_MS = 500;

/** The events of one response that a proxy is asked for. Never fails: what goes wrong is the last event. */
export function proxyResponse(
  model: Model<Api>,
  context: TranscriptContext,
  options: ProxyStreamOptions,
): Observable<AssistantMessageEvent> {
  const partial = emptyMessage(model);
  const { signal } = options;
  const abort$ = whenAborted(signal).pipe(map(() => fail("Request aborted by user")));
  const response$ = requestProxy(model, context, options).pipe(linger(LINGER_MS, signal), wireEvents());
  const end$ = throwError(() => new Error("Connection closed by proxy server before the response completed"));
  // The abort first: one that has come already makes no request.
  return merge(abort$, concat(response$, end$)).pipe(
    takeWhile(({ type }) => type !== "done" && type !== "error", true),
    map(rebuildMessage(partial)),
    filter((event) => event !== undefined),
    catchError((error: unknown) => of(failure(partial, error, signal))),
  );
}

function fail(message: string): never {
  throw new Error(message);
}

/** The partial message, ended as it stands. */
function failure(partial: AssistantMessage, error: unknown, signal?: AbortSignal): AssistantMessageEvent {
  const reason = signal?.aborted ? "aborted" : "error";
  partial.stopReason = reason;
  partial.errorMessage = describeCause(error);
  return { type: "error", reason, error: partial };
}
