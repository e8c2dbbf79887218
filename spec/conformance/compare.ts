import { inspect } from "node:util";
import type { Entry, Log } from "./log";

type Channel = Entry[];

/** Order is compared within a channel; between channels only the virtual time is. */
function channelOf(entry: Entry): string {
  switch (entry.kind) {
    case "event":
      return `events of listener ${entry.listener}`;
    case "heard":
      return `settling of listener ${entry.listener}`;
    case "hook":
      return `hook ${entry.hook}`;
    case "action":
      return `actions of ${entry.from}`;
    case "observed":
      return `observer ${entry.observer}`;
    default:
      return entry.kind;
  }
}

function channelsOf(log: Log): Map<string, Channel> {
  const channels = new Map<string, Channel>();
  for (const entry of log) {
    const name = channelOf(entry);
    const channel = channels.get(name);
    if (channel) channel.push(entry);
    else channels.set(name, [entry]);
  }
  return channels;
}

interface Gap {
  path: string;
  expected: unknown;
  actual: unknown;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Where two plain values first differ. */
export function firstGap(expected: unknown, actual: unknown, path = ""): Gap | undefined {
  if (Object.is(expected, actual)) return undefined;
  if (!isObject(expected) || !isObject(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    return { path, expected, actual };
  }
  const keys = Array.isArray(expected)
    ? Array.from(
        { length: Math.max(expected.length, (actual as unknown as unknown[]).length) },
        (_, n) => `${n}`,
      )
    : [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
  for (const key of keys) {
    const gap = firstGap(
      expected[key],
      actual[key],
      Array.isArray(expected) ? `${path}[${key}]` : `${path}.${key}`,
    );
    if (gap) return gap;
  }
  return undefined;
}

const show = (value: unknown) =>
  inspect(value, { depth: 4, breakLength: 110, maxStringLength: 300 }).slice(0, 700);

function line(entry: Entry | undefined): string {
  if (!entry) return "nothing";
  const { at, kind } = entry;
  switch (entry.kind) {
    case "event": {
      const message = isObject(entry.event)
        ? (entry.event as { message?: { role?: string; errorMessage?: string } }).message
        : undefined;
      const role = message?.role ? ` ${message.role}` : "";
      const error = message?.errorMessage ? ` "${message.errorMessage}"` : "";
      return `${at}: ${entry.type}${role}${entry.message ? ` (${entry.message})` : ""}${error}`;
    }
    case "step":
      return `${at}: ${entry.step} ${entry.nth} ${entry.phase} ${entry.outcome}`;
    case "request":
      return `${at}: request ${entry.nth} ${entry.identities.join(" ")}`;
    default:
      return `${at}: ${kind} ${JSON.stringify(entry).slice(0, 160)}`;
  }
}

function sideBySide(expected: Channel, actual: Channel, at: number): string {
  const from = Math.max(0, at - 6);
  const lines: string[] = [];
  for (let n = from; n < Math.min(Math.max(expected.length, actual.length), at + 5); n++) {
    const [a, b] = [line(expected[n]), line(actual[n])];
    lines.push(a === b ? `   ${n} ${a}` : `>> ${n} ${a}   |   ${b}`);
  }
  return lines.join("\n");
}

function channelGap(name: string, expected: Channel, actual: Channel): string | undefined {
  for (let n = 0; n < Math.max(expected.length, actual.length); n++) {
    const gap = firstGap(expected[n], actual[n], `${name}[${n}]`);
    if (!gap) continue;
    const values = `expected ${show(gap.expected)}\n  actual ${show(gap.actual)}`;
    return `${gap.path}\n${values}\n(expected | actual)\n${sideBySide(expected, actual, n)}`;
  }
  return undefined;
}

/** The first difference of each channel, events first; undefined when the logs are equal. */
export function difference(expected: Log, actual: Log): string | undefined {
  const [left, right] = [channelsOf(expected), channelsOf(actual)];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  const gaps = names.flatMap((name) => channelGap(name, left.get(name) ?? [], right.get(name) ?? []) ?? []);
  return gaps.length > 0 ? gaps.join("\n\n") : undefined;
}
