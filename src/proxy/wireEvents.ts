import { mergeMap, type OperatorFunction } from "rxjs";
import type { ProxyWireEvent } from "./ProxyAssistantMessageEvent";
import { sseEvents } from "./sseEvents";

/**
 * The proxy's events in a response's chunks.
 *
 * @remarks Data that is no JSON as a whole is read line by line: pi's client knows no events of several lines, so a
 * server written for it may end its events with a single newline. JSON that is no object is skipped, as in pi.
 */
export function wireEvents(): OperatorFunction<Uint8Array, ProxyWireEvent> {
  return (chunks$) =>
    chunks$.pipe(
      sseEvents((line) => isObject(parse(line))),
      mergeMap(eventsIn),
    );
}

function* eventsIn(data: string): Iterable<ProxyWireEvent> {
  const whole = parse(data);
  const values = whole === undefined ? valuesIn(data.split("\n")) : [whole];
  for (const value of values) if (isObject(value)) yield value as ProxyWireEvent;
}

function* valuesIn(lines: readonly string[]): Iterable<unknown> {
  for (const line of lines.filter((line) => line.trim() !== "")) {
    const value = parse(line);
    if (value === undefined) throw new Error(`Proxy error: malformed event, not JSON: ${line.slice(0, 120)}`);
    yield value;
  }
}

/** The value of a JSON text, `undefined` where it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
