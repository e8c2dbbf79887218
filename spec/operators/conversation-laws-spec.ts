import type { AssistantMessage, AssistantMessageEvent } from "@earendil-works/pi-ai";
import { describe, expect, it } from "@jest/globals";
import { Agent, type ReactiveAgentOptions } from "pi-agent-rx";
import {
  coalesce,
  conversation,
  retryResponse,
  type ConversationItem,
  type ConversationView,
} from "pi-agent-rx/operators";
import fc from "fast-check";
import { concat, concatMap, delay, filter, from, of, pipe, timer, type Observable } from "rxjs";
import { assistant, call, model, output, tool, user } from "../support/fixtures";
import { start, terminal } from "../support/providerEvents";
import { virtually } from "../support/virtually";

type Block = AssistantMessage["content"][number];

/** What the model and the user do. */
interface Script {
  /** Each response by its blocks; `fails` breaks it off in the middle. */
  responses: { kinds: Block["type"][]; fails: boolean }[];
  /** By call, in turn. */
  tools: ("fine" | "fails" | "slow" | "repeats")[];
  prompts: number;
  abortAt?: number;
  followUpAt?: number;
}

const scripts: fc.Arbitrary<Script> = fc.record(
  {
    responses: fc.array(
      fc.record({
        kinds: fc.array(fc.constantFrom<Block["type"]>("text", "thinking", "toolCall", "toolCall"), {
          minLength: 1,
          maxLength: 4,
        }),
        fails: fc.boolean(),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    tools: fc.array(fc.constantFrom("fine", "fails", "slow", "repeats"), { minLength: 1, maxLength: 4 }),
    prompts: fc.integer({ min: 1, max: 3 }),
    abortAt: fc.integer({ min: 0, max: 60 }),
    followUpAt: fc.integer({ min: 0, max: 40 }),
  },
  { requiredKeys: ["responses", "tools", "prompts"] },
);

function blockOf(kind: Block["type"], id: number, text: string): Block {
  if (kind === "toolCall") return call(`${id}`, "echo", { text });
  return kind === "text" ? { type: "text", text } : { type: "thinking", thinking: text };
}

/** A response that grows in one array, as providers write it. */
function streamed(
  { kinds, fails }: Script["responses"][number],
  request: number,
): Observable<AssistantMessageEvent> {
  const content: Block[] = [];
  const partial = assistant(content);
  const events: (() => AssistantMessageEvent)[] = [() => start(partial)];
  kinds.forEach((kind, contentIndex) => {
    for (const text of ["a", "ab", "abc"]) {
      events.push(() => {
        content[contentIndex] = blockOf(kind, request * 10 + contentIndex, text);
        const type = `${kind.toLowerCase()}_delta` as "text_delta";
        return { type, contentIndex, delta: text.at(-1)!, partial };
      });
    }
  });
  const whole = () => terminal(assistant([...content]));
  const broken = () => terminal(assistant([...content], { stopReason: "error", errorMessage: "503" }));
  const shown = fails ? [...events.slice(0, events.length - 2), broken] : [...events, whole];
  return from(shown)
    .pipe(concatMap((next) => of(next).pipe(delay(1))))
    .pipe(concatMap((next) => of(next())));
}

function optionsOf({ responses, tools }: Script): ReactiveAgentOptions {
  let [requests, calls] = [0, 0];
  const echo = tool("echo", () => {
    switch (tools[calls++ % tools.length]!) {
      case "fine":
        return output("done");
      case "fails":
        throw new Error("no");
      case "slow":
        return timer(7).pipe(concatMap(() => of(output("late"))));
      case "repeats":
        return concat(of(output("half")), of(output("all")).pipe(delay(3)));
    }
  });
  return {
    initialState: { model, tools: [echo] },
    streamFn: () => {
      const next = responses[requests++];
      return next ? streamed(next, requests) : streamed({ kinds: ["text"], fails: false }, requests);
    },
    operators: { response: retryResponse({ attempts: 2, backoff: 2, jitter: 0, afterOutput: true }) },
    abortGraceMs: 5,
  };
}

/** Every view of an observer from the start; the last of others, who come at each event or get few; and the end's transcript. */
function play(script: Script, options: { late: boolean }) {
  const views: ConversationView[] = [];
  const others: { view?: ConversationView; isLast: boolean }[] = [];
  let seeded: ConversationView | undefined;
  virtually(() => {
    const agent = new Agent(optionsOf(script));
    const join = (operator: ReturnType<typeof conversation>, isLast = false) => {
      const other: (typeof others)[number] = { isLast };
      others.push(other);
      agent.events$.pipe(operator).subscribe((view) => (other.view = view));
    };
    agent.events$.pipe(conversation(agent.state)).subscribe((view) => views.push(view));
    join(pipe(coalesce({ ms: 3 }), conversation(agent.state)));
    agent.events$
      .pipe(filter(() => options.late))
      .subscribe(({ type }) => join(conversation(agent.state), type === "agent_end"));
    const runs = Array.from({ length: script.prompts }, (_, n) => agent.prompt$(`prompt ${n}`));
    const end = () =>
      agent.events$.pipe(conversation(agent.state.messages)).subscribe((view) => (seeded = view));
    concat(...runs).subscribe({ complete: end });
    if (script.abortAt !== undefined) timer(script.abortAt).subscribe(() => agent.abort());
    if (script.followUpAt !== undefined)
      timer(script.followUpAt).subscribe(() => agent.followUp(user("more")));
  });
  return { views, others, seeded: seeded! };
}

/** What is drawn of an item; which updates of a call were seen depends on who watched. */
function drawn(item: ConversationItem): unknown {
  if (item.kind !== "toolCall") return item;
  const { progress: _progress, durationMs: _durationMs, ...rest } = item;
  return rest;
}

const check = (predicate: (played: ReturnType<typeof play>) => void, late = false) =>
  fc.assert(
    fc.property(scripts, (script) => predicate(play(script, { late }))),
    { numRuns: 60 },
  );

const isSame = (one: ConversationItem, two: ConversationItem) => JSON.stringify(one) === JSON.stringify(two);

describe("the laws of the conversation", () => {
  it("hold for ids: each there once, and settled for good", () => {
    check(({ views }) => {
      const settled = new Map<string, ConversationItem>();
      const faults = views.flatMap((view) => {
        const twice = new Set(view.items.map(({ id }) => id)).size < view.items.length;
        const changed = view.settled.filter((item) => (settled.get(item.id) ?? item) !== item);
        for (const item of view.settled) settled.set(item.id, item);
        return [...(twice ? [view.items] : []), ...changed];
      });
      expect(faults).toEqual([]);
    });
  });

  it("hold for identities: new for what changed, and only for that", () => {
    check(({ views }) => {
      const faults = views.slice(1).flatMap(({ items }, at) => {
        const before = new Map(views[at]!.items.map((item) => [item.id, item]));
        return items.filter((item) => {
          const old = before.get(item.id);
          return old && old !== item && isSame(old, item);
        });
      });
      expect(faults).toEqual([]);
    });
  });

  it("hold for observers: who comes late, or sees fewer updates, sees the same in the end", () => {
    check(({ views, others }) => {
      const all = views.at(-1)!;
      const items = all.items.map(drawn);
      expect(others.length).toBeGreaterThan(4);
      for (const { view, isLast } of others) {
        expect(view!.items.map(drawn)).toEqual(items);
        // At agent_end the agent's state still streams, and no event follows that says that it has ended.
        if (!isLast) expect([view!.isRunning, view!.outcome]).toEqual([all.isRunning, all.outcome]);
      }
    }, true);
  });

  it("hold for transcripts: one that is read shows what was seen as it grew", () => {
    check(({ views, seeded }) => {
      expect(seeded.items.map(drawn)).toEqual(views.at(-1)!.items.map(drawn));
    });
  });
});
