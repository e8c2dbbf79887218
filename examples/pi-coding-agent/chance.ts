import type { PiRecord } from "./records";
import type { Observed } from "./scenarios";

const CHANCE = new Set([
  "timestamp",
  "durationMs",
  "wall_time_seconds",
  "id",
  "parentId",
  "firstKeptEntryId",
  "sessionId",
  "sessionFile",
  "prompt_cache_key",
]);

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const WALL_TIME = /(?<=Wall time )[\d.]+/g;

/** Ids that the server gave are the same for all. */
const isGiven = (value: unknown) => typeof value === "string" && value.startsWith("call_");

function masked(value: unknown, root: string): unknown {
  if (typeof value === "string")
    return value.replaceAll(root, "<root>").replaceAll(UUID, "<uuid>").replaceAll(WALL_TIME, "<seconds>");
  if (Array.isArray(value)) return value.map((item) => masked(item, root));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      CHANCE.has(name) && !isGiven(field) ? `<${name}>` : masked(field, root),
    ]),
  );
}

/** When and how often a tool reports depends on the clock: its last report is compared, outside the stream. */
function reportsApart({ events, ...rest }: Observed): Observed {
  if (!events) return rest;
  const isReport = ({ type }: PiRecord) => type === "tool_execution_update";
  const all = events as PiRecord[];
  const last = new Map(all.filter(isReport).map((report) => [report["toolCallId"], report]));
  return { ...rest, events: all.filter((event) => !isReport(event)), reports: [...last.values()] };
}

/** What is left of the things a pi did without times, ids and the folder it is installed in. */
export const withoutChance = (observed: Observed, root: string) =>
  masked(reportsApart(observed), root) as Observed;
