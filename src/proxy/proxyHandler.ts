import { defer, lastValueFrom, takeUntil, tap, type Observable } from "rxjs";
import { check } from "../internal/check";
import { errorText } from "../internal/errorText";
import { expected } from "../internal/expected";
import { fromHook } from "../internal/fromHook";
import { whenAborted } from "../internal/whenAborted";
import type { HookOutput } from "../types/hooks";
import type { ForwardedOptions } from "./ForwardedOptions";
import { HttpError } from "./HttpError";
import { proxyEvents } from "./proxyEvents";
import type { ProxyHandlerOptions } from "./ProxyHandlerOptions";
import { readProxyRequest } from "./readProxyRequest";
import { sseBody, type PacedData } from "./sseBody";

const PATH = "/api/stream";
const HEARTBEAT_MS = 15_000;
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/**
 * The server of `streamProxy`: answers `POST …/api/stream` with the events of a provider's response.
 *
 * @remarks A Web-standard handler, from `Request` to `Response`: `Deno.serve(handler)`, `Bun.serve({ fetch: handler })`,
 * a worker's `fetch`, and on Node `serve({ fetch: handler })` of `@hono/node-server`. It checks in this order: path
 * (404), method (405), `authorize` (401), body (413, 400), `resolveModel` (403); what fails there is answered as JSON,
 * `{ error }`. Then the response is an event stream, and what fails is its last event. The provider is pulled as the
 * client reads, and aborted when the client hangs up.
 *
 * @example
 * ```ts
 * const handler = proxyHandler({
 *   streamFn: (model, context, options) => models.streamSimple(model, context, options),
 *   authorize: (token) => sessions.has(token),
 *   resolveModel: ({ provider, id }) => models.getModel(provider, id),
 * });
 * ```
 */
export function proxyHandler(options: ProxyHandlerOptions): (request: Request) => Promise<Response> {
  checkOptions(options);
  return (request) => respond(options, request).catch((error: unknown) => refuse(options, request, error));
}

function checkOptions(options: ProxyHandlerOptions): void {
  for (const name of ["streamFn", "authorize", "resolveModel"] as const) {
    if (typeof options[name] !== "function")
      throw expected(`proxyHandler: ${name}`, "a function", options[name]);
  }
  check.functions("proxyHandler: ", { ...options }, ["prepareOptions", "onError"]);
  check.ms("proxyHandler: heartbeatMs", options.heartbeatMs);
  check.limit("proxyHandler: maxBodyBytes", options.maxBodyBytes);
}

async function respond(options: ProxyHandlerOptions, request: Request): Promise<Response> {
  await admit(options, request);
  const {
    requested,
    context,
    options: sent,
  } = await readProxyRequest(request, options.maxBodyBytes ?? MAX_BODY_BYTES);
  const model = await call("resolveModel", () => options.resolveModel(requested, request));
  if (!model) throw new HttpError(403, `model: ${requested.provider}/${requested.id} is not available`);
  const prepared = await call("prepareOptions", () =>
    (options.prepareOptions ?? withoutDetours)(sent, request),
  );
  const events = (pace: Parameters<PacedData>[0]) =>
    abortedWhenLeft((signal) =>
      proxyEvents(model, () => options.streamFn(model, context, { ...prepared, signal }), pace),
    ).pipe(takeUntil(whenAborted(request.signal)));
  const body = sseBody(events, options.heartbeatMs ?? HEARTBEAT_MS);
  return new Response(body, { headers: STREAM_HEADERS });
}

/** Nothing of the body is read for who may not come in. */
async function admit(options: ProxyHandlerOptions, request: Request): Promise<void> {
  if (!new URL(request.url).pathname.endsWith(PATH))
    throw new HttpError(404, `expected a path that ends in ${PATH}`);
  if (request.method !== "POST") throw new HttpError(405, "expected POST", { headers: { allow: "POST" } });
  const token = /^Bearer\s+(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  const admitted = await call("authorize", () => options.authorize(token, request));
  if (admitted === true) return;
  throw new HttpError(401, "not authorized", { headers: { "www-authenticate": "Bearer" } });
}

function call<T>(name: string, hook: () => HookOutput<T>): Promise<T> {
  return lastValueFrom(fromHook(name, hook)).catch((cause: unknown) => {
    throw new HttpError(500, `${name} failed`, { cause });
  });
}

/** Hands over a signal that is aborted when the subscriber leaves before the end. */
function abortedWhenLeft<T>(run: (signal: AbortSignal) => Observable<T>): Observable<T> {
  return defer(() => {
    const controller = new AbortController();
    return run(controller.signal).pipe(tap({ unsubscribe: () => controller.abort() }));
  });
}

function withoutDetours({
  headers: _headers,
  samplingParams: _samplingParams,
  ...options
}: ForwardedOptions) {
  return options;
}

function refuse({ onError }: ProxyHandlerOptions, request: Request, error: unknown): Response {
  const refusal = error instanceof HttpError ? error : new HttpError(400, `request: ${errorText(error)}`);
  if (refusal.status === 500) onError?.(refusal.cause, request);
  return Response.json({ error: refusal.message }, { status: refusal.status, headers: refusal.headers });
}
