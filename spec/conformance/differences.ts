import type { HookEntry, Log, Plain } from "./log";
import { nothingEscapes } from "./invariants/nothingEscapes";
import { entriesOf } from "./log";
import type { Script } from "./script";

/**
 * A place where we may differ from pi: what pi's log and ours look like when the difference is taken away, and what must
 * be true of ours before it is.
 */
export interface Difference {
  name: string;
  /** The scripts it can show in; in all others nothing is taken away. */
  concerns: (script: Script) => boolean;
  pi: (log: Log) => Log;
  ours: (log: Log) => Log;
  claim: (ours: Log) => string | undefined;
}

type Fields = { [key: string]: Plain };
const same = (log: Log): Log => log;
const always = (): boolean => true;

function isFields(value: Plain | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Rebuilds plain data from the leaves up. */
function rewrite(value: Plain, change: (value: Plain) => Plain): Plain {
  if (Array.isArray(value)) return change(value.map((item) => rewrite(item, change)));
  if (!isFields(value)) return change(value);
  return change(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewrite(item, change)])));
}

function rewriteLog(log: Log, change: (value: Plain) => Plain): Log {
  return log.map((entry) => rewrite(entry as unknown as Plain, change) as unknown as Log[number]);
}

// --- agent_end says how the run ended (contract: Abort) ----------------------------------------------------------

function expectedOutcome(run: Log): string {
  const answers = entriesOf(run, "event").filter(({ type, event }) => {
    const message = isFields(event) ? event.message : undefined;
    return type === "message_end" && isFields(message) && message.role === "assistant";
  });
  const last = answers.at(-1)?.event as { message: { stopReason: string } } | undefined;
  if (last?.message.stopReason === "error") return "failed";
  if (last?.message.stopReason === "aborted") return "aborted";
  const decision = entriesOf(run, "hook").findLast((entry: HookEntry) => entry.hook === "finishTurn");
  return decision?.act === "end" ? "stopped" : "completed";
}

function outcomeClaim(ours: Log): string | undefined {
  let start = 0;
  for (const [at, entry] of ours.entries()) {
    if (entry.kind !== "event") continue;
    if (entry.type === "agent_start") start = at;
    if (entry.type !== "agent_end") continue;
    const { outcome, reason } = entry.event as { outcome?: string; reason?: string };
    const expected = expectedOutcome(ours.slice(start, at));
    if (outcome !== expected) return `agent_end.outcome is ${outcome}, the run ${expected} (at ${entry.at})`;
    if (reason !== undefined) return `agent_end.reason is ${reason} in a run without one`;
  }
  return undefined;
}

const endOutcome: Difference = {
  name: "agent_end tells its outcome",
  concerns: always,
  pi: same,
  ours: (log) =>
    log.map((entry) => {
      if (entry.kind !== "event" || entry.type !== "agent_end") return entry;
      const { outcome: _outcome, reason: _reason, ...event } = entry.event as Fields;
      return { ...entry, event };
    }),
  claim: outcomeClaim,
};

// --- a message that is open when the stream breaks is ended, not begun again -------------------------------------

const BROKEN = "connection lost";

function assistantOf(entry: Log[number]): Fields | undefined {
  const message = entry.kind === "event" && isFields(entry.event) ? entry.event.message : undefined;
  return isFields(message) && message.role === "assistant" ? message : undefined;
}

const isBroken = (value: Plain): value is Fields =>
  isFields(value) && value.role === "assistant" && value.errorMessage === BROKEN;

/** The failure message is pi's own; ours is what had streamed. Both are an error with that text. */
const withoutContent = (value: Plain): Plain =>
  isBroken(value) ? { role: "assistant", stopReason: value.stopReason ?? null, errorMessage: BROKEN } : value;

/** Takes out the start of pi's failure message wherever another message was open, for every listener. */
function withoutSecondStart(log: Log): Log {
  let open: "none" | "streaming" | "broken" = "none";
  const dropped = new Set<number>();
  return log.filter((entry) => {
    if (entry.kind === "heard" && entry.type === "message_start") return !dropped.delete(entry.listener);
    const message = assistantOf(entry);
    if (entry.kind !== "event" || !message) return true;
    if (entry.type === "message_end") open = "none";
    if (entry.type !== "message_start") return true;
    if (open === "streaming" && isBroken(message)) {
      dropped.add(entry.listener);
      return false;
    }
    open = isBroken(message) ? "broken" : "streaming";
    return true;
  });
}

function brokenClaim(ours: Log): string | undefined {
  const shown = new Map<number, Fields>();
  for (const entry of ours) {
    const message = assistantOf(entry);
    if (!message || entry.kind !== "event") continue;
    const before = shown.get(entry.listener);
    if (entry.type === "message_start" && before) return `a second message_start at ${entry.at}`;
    if (entry.type === "message_start" || entry.type === "message_update") shown.set(entry.listener, message);
    if (entry.type !== "message_end") continue;
    shown.delete(entry.listener);
    const kept = JSON.stringify(message.content) === JSON.stringify(before?.content);
    if (before && isBroken(message) && !isBroken(before) && !kept) {
      return `the broken message lost its content at ${entry.at}: ${JSON.stringify(message.content)}`;
    }
  }
  return undefined;
}

const withoutSeen = (log: Log): Log =>
  log.map((entry) => (entry.kind === "step" ? { ...entry, seen: 0 } : entry));

const brokenStream: Difference = {
  name: "a message open when the stream breaks is ended as the error, with its content so far",
  concerns: breaks,
  pi: (log) => rewriteLog(withoutSeen(withoutSecondStart(log)), withoutContent),
  ours: (log) => rewriteLog(withoutSeen(log), withoutContent),
  claim: brokenClaim,
};

export function breaks(script: Script): boolean {
  return script.responses.some(({ end }) => typeof end === "object" && "breaks" in end);
}

// --- a tool that returns nothing ---------------------------------------------------------------------------------

const PI_NOTHING = "Cannot read properties of undefined (reading 'isError')";
const OUR_NOTHING = /^(?=.*\b(read|write|search)\b)(?=.*(undefined|nothing|no result)).*$/;

function textOf(value: Plain): string | undefined {
  return isFields(value) && value.type === "text" && typeof value.text === "string" ? value.text : undefined;
}

const nothing = (matches: (text: string) => boolean) => (value: Plain) => {
  const text = textOf(value);
  return text !== undefined && matches(text) ? { type: "text", text: "the tool gave nothing" } : value;
};

const toolNothing: Difference = {
  name: "a tool that returns nothing is told so by name, not by a TypeError's text",
  concerns: (script) => JSON.stringify(script).includes('"nothing"'),
  pi: (log) =>
    rewriteLog(
      log,
      nothing((text) => text === PI_NOTHING),
    ),
  ours: (log) =>
    rewriteLog(
      log,
      nothing((text) => OUR_NOTHING.test(text)),
    ),
  claim: (ours) =>
    JSON.stringify(ours).includes(PI_NOTHING.slice(0, 30))
      ? "a TypeError's text reached the transcript"
      : undefined,
};

// --- two calls with one id ---------------------------------------------------------------------------------------

function pendingClaim(ours: Log): string | undefined {
  const running = new Map<string, number>();
  for (const entry of entriesOf(ours, "event").filter(({ listener }) => listener === 0)) {
    const { toolCallId } = entry.event as { toolCallId?: string };
    const step = entry.type === "tool_execution_start" ? 1 : entry.type === "tool_execution_end" ? -1 : 0;
    if (toolCallId !== undefined && step !== 0)
      running.set(toolCallId, (running.get(toolCallId) ?? 0) + step);
    const expected = [...running].filter(([, count]) => count > 0).map(([id]) => id);
    if (JSON.stringify(expected.sort()) === JSON.stringify(entry.state.pending)) continue;
    return `pending is ${entry.state.pending.join()}, running ${expected.join()} at ${entry.at}`;
  }
  return undefined;
}

const withoutPending = (log: Log): Log =>
  log.map((entry) => (entry.kind === "event" ? { ...entry, state: { ...entry.state, pending: [] } } : entry));

const twins: Difference = {
  name: "pendingToolCalls holds an id until the last call with it has ended",
  concerns: (script) => JSON.stringify(script.responses).includes('"id":"twin"'),
  pi: withoutPending,
  ours: withoutPending,
  claim: pendingClaim,
};

// --- messages taken from a queue when a run fails ----------------------------------------------------------------

/** Where the hook that fails sits between the taking of queued messages and their commitment. */
export function losesMessages({ hooks }: Script): boolean {
  const acts = [...(hooks.prepareNextTurn?.acts ?? []), ...(hooks.prepareNextTurnWithContext?.acts ?? [])];
  return acts.includes("throw");
}

/** The claim is law I6, which the invariants hold over such scripts. */
const queueReturn: Difference = {
  name: "messages taken but not committed when a run fails go back to their queue; pi loses them",
  concerns: losesMessages,
  pi: withoutQueueAtRest,
  ours: withoutQueueAtRest,
  claim: () => undefined,
};

function withoutQueueAtRest(log: Log): Log {
  return log.map((entry) => {
    if (entry.kind === "rest") return { ...entry, queued: [], hasQueued: false };
    return entry.kind === "action" && entry.action.do === "peek" ? { ...entry, outcome: [] } : entry;
  });
}

// --- the same tick as prompt() -----------------------------------------------------------------------------------

export function actsInSameTick({ steps }: Script): boolean {
  return steps.some((step) => "sameTick" in step && step.sameTick.length > 0);
}

const withoutLateStartState = (log: Log): Log =>
  log.map((entry) => {
    if (entry.kind !== "event" || entry.type !== "agent_start" || entry.listener === 0) return entry;
    return { ...entry, state: { ...entry.state, count: 0 } };
  });

/** Design rule 6: our gate adds no microtask, so that what the user does after `prompt()` comes after `agent_start`. */
const startInOneGo: Difference = {
  name: "all listeners are told agent_start within prompt(); pi tells the second one a microtask later",
  concerns: actsInSameTick,
  pi: withoutLateStartState,
  ours: withoutLateStartState,
  claim: lateStart,
};

function lateStart(ours: Log): string | undefined {
  let waiting = 0;
  let returned = false;
  for (const entry of ours) {
    if (entry.kind === "step") returned = entry.phase === "returned" && waiting === 0;
    if (entry.kind === "heard" && entry.type === "agent_start") waiting--;
    if (entry.kind !== "event" || entry.type !== "agent_start") continue;
    if (returned)
      return `listener ${entry.listener} was told agent_start after prompt() had returned, at ${entry.at}`;
    waiting++;
  }
  return undefined;
}

// --- leaving the provider's stream -------------------------------------------------------------------------------

const withoutClosingTime = (log: Log): Log =>
  log.map((entry) => (entry.kind === "streamClosed" ? { ...entry, at: 0 } : entry));

function lateClosing(ours: Log): string | undefined {
  const held = new Set(entriesOf(ours, "streamClosed").map(({ nth }) => nth));
  for (const entry of ours) {
    if (entry.kind === "streamClosed") held.delete(entry.nth);
    if (entry.kind === "request" && held.has(entry.nth - 1))
      return `request ${entry.nth} while the last stream was held`;
  }
  return undefined;
}

/** The stage ends on the terminal event (design rule 8); pi holds the iterator until `message_end` was told. */
const earlyClosing: Difference = {
  name: "the provider's iterator is left at its terminal event, and before the next request",
  concerns: always,
  pi: withoutClosingTime,
  ours: withoutClosingTime,
  claim: lateClosing,
};

// --- the low level -----------------------------------------------------------------------------------------------

const withoutSignals = (log: Log): Log =>
  log.map((entry) =>
    entry.kind === "hook" || entry.kind === "tool" || entry.kind === "request"
      ? { ...entry, aborted: false }
      : entry,
  );

const ownSignal: Difference = {
  name: "hooks, tools and providers always get a signal, also when the caller gave none",
  concerns: always,
  pi: withoutSignals,
  ours: withoutSignals,
  claim: (ours) =>
    ours.some((entry) => (entry.kind === "tool" || entry.kind === "request") && entry.aborted !== false)
      ? "a tool or a request without a live signal"
      : undefined,
};

/** Design section 6.2: in pi the stream of a failed loop never ends, and the error is an unhandled rejection. */
const failedStream: Difference = {
  name: "the error of a loop reaches its iterator",
  concerns: () => true,
  pi: (log) => {
    const escaped = entriesOf(log, "trouble").find(({ what }) => what === "unhandled rejection");
    const begun = entriesOf(log, "step")[0];
    if (!escaped || !begun) return withoutSeen(log);
    const settled = {
      ...begun,
      at: escaped.at,
      phase: "settled" as const,
      outcome: `rejected: ${escaped.detail}`,
    };
    return withoutSeen([...log.filter(({ kind }) => kind !== "trouble"), settled]);
  },
  ours: withoutSeen,
  claim: nothingEscapes,
};

export const differences: Difference[] = [
  earlyClosing,
  startInOneGo,
  endOutcome,
  brokenStream,
  toolNothing,
  twins,
  queueReturn,
];

// --- a provider that throws after an abort -----------------------------------------------------------------------

const isThrown = (value: Plain): value is Fields =>
  isFields(value) && value.stopReason === "aborted" && `${value.errorMessage}`.startsWith("provider refuses");

/** With us the aborted message of the turn, with pi the failure message of the run, which knows less. */
const thrownAfterAbort: Difference = {
  name: "what a provider throws after an abort is the error of the aborted message",
  concerns: always,
  pi: (log) => rewriteLog(log, withoutDetails),
  ours: (log) => rewriteLog(log, withoutDetails),
  claim: () => undefined,
};

function withoutDetails(value: Plain): Plain {
  if (!isThrown(value)) return value;
  return { role: "assistant", stopReason: "aborted", errorMessage: value.errorMessage ?? null };
}

export const abortDifferences: Difference[] = [...differences, thrownAfterAbort];

export const lowLevelDifferences: Difference[] = [
  endOutcome,
  earlyClosing,
  toolNothing,
  ownSignal,
  failedStream,
];
