import { estimateMessageTokens } from "@earendil-works/pi-ai/utils/estimate";
import { describe, expect, it } from "@jest/globals";
import type { AgentMessage } from "pi-agent-rx";
import fc from "fast-check";
import {
  dedupeReads,
  dropThinking,
  elideImages,
  elideToolResults,
  fitBudget,
  inject,
  keepLastTurns,
  repair,
  repairTranscript,
  summarize,
} from "pi-agent-rx/context";
import { BehaviorSubject, pipe, type MonoTypeOperatorFunction } from "rxjs";
import { assistant, model, user } from "../support/fixtures";
import { response } from "../support/providerEvents";
import { apply } from "./support/apply";
import { brokenLaws, frozen, refusals } from "./support/laws";
import { messyTranscripts, tidyTranscripts } from "./support/transcripts";

type Operator = MonoTypeOperatorFunction<AgentMessage[]>;

/** Writes summaries, and fails every third time. */
function writer() {
  let request = 0;
  return () => response(assistant(request++ % 3 === 2 ? "" : "what happened"));
}

const nat = (max: number, min = 0) => fc.integer({ min, max });

const tokensOf = (messages: AgentMessage[]) =>
  messages.reduce(
    (sum, message) => sum + ((message.role as string) === "note" ? 5 : estimateMessageTokens(message)),
    0,
  );
const estimate = (message: AgentMessage) => tokensOf([message]);

/** Every operator with any options, shown as it would be written. */
const operators: Record<string, fc.Arbitrary<Operator>> = {
  keepLastTurns: fc.tuple(nat(5, 1), nat(3, 1)).map(([count, step]) => keepLastTurns(count, { step })),
  elideToolResults: fc
    .record({ maxChars: nat(200), olderThanTurns: nat(3), step: nat(3, 1) })
    .map((options) => elideToolResults(options)),
  elideImages: fc
    .record({ maxBytes: nat(50), olderThanTurns: nat(3), step: nat(3, 1) })
    .map((options) => elideImages(options)),
  dropThinking: fc
    .record({ olderThanTurns: nat(3, 1), step: nat(3, 1) })
    .map((options) => dropThinking(options)),
  dedupeReads: nat(3, 1).map((step) =>
    dedupeReads(({ name, arguments: args }) => (name === "read" ? String(args.path) : undefined), { step }),
  ),
  inject: fc
    .constantFrom("end" as const, "beforeUser" as const, "start" as const)
    .map((at) => inject(new BehaviorSubject(user("live")), { at })),
  summarize: fc
    .record({ threshold: nat(600, 1), step: fc.constantFrom(0.2, 0.5, 0.9) })
    .map((options) => summarize({ ...options, streamFn: writer(), model, estimate })),
};

const check = <T>(arbitrary: fc.Arbitrary<T>, predicate: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, predicate), { numRuns: 150 });

describe("the laws of context operators", () => {
  const transcripts = fc.oneof(tidyTranscripts, messyTranscripts);

  it.each(Object.entries(operators))("hold for %s over any transcript", (_name, operator) => {
    check(fc.tuple(operator, transcripts), ([prune, messages]) => {
      expect(brokenLaws(messages, apply(prune, frozen(messages)))).toEqual([]);
    });
  });

  it("hold for any composition", () => {
    const chain = fc.array(fc.oneof(...Object.values(operators)), { minLength: 2, maxLength: 6 });
    check(fc.tuple(chain, transcripts), ([chained, messages]) => {
      const [first, ...rest] = chained;
      const composed = rest.reduce((all, next) => pipe(all, next), first!);
      expect(brokenLaws(messages, apply(composed, frozen(messages)))).toEqual([]);
    });
  });

  it("hold for any composition with fitBudget and repairTranscript anywhere in it", () => {
    const fit = fc
      .record({ budget: nat(2000, 200), step: fc.constantFrom(0, 0.25, 0.9) })
      .map((options) => fitBudget({ ...options, estimate }));
    const any = fc.oneof(...Object.values(operators), fit, fit, fc.constant(repairTranscript()));
    // What repairTranscript has nothing to change in, before pruning and after it.
    const complete = tidyTranscripts.filter(
      (messages) =>
        repair(messages).repairs.length === 0 &&
        messages.find(({ role }) => role !== "system")?.role === "user",
    );
    let fitted = 0;
    check(fc.tuple(fc.array(any, { minLength: 2, maxLength: 6 }), complete), ([chained, messages]) => {
      let after = frozen(messages);
      try {
        for (const next of chained) after = apply(next, after);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        return;
      }
      fitted++;
      expect(brokenLaws(messages, after)).toEqual([]);
    });
    expect(fitted).toBeGreaterThan(10);
  });

  it("hold for any composition that ends in fitBudget, within the budget whenever that is possible", () => {
    const chain = fc.array(fc.oneof(...Object.values(operators)), { maxLength: 3 });
    const budgets = fc.record({ budget: nat(800, 1), step: fc.constantFrom(0, 0.25, 0.9) });
    let [fitted, refused] = [0, 0];
    check(fc.tuple(chain, budgets, transcripts), ([chained, options, messages]) => {
      const before = chained.reduce((pruned, next) => apply(next, pruned), frozen(messages));
      const fit = fitBudget({ ...options, estimate });
      const tightest = keepsOnly(before);
      if (tokensOf(tightest) > options.budget) {
        refused++;
        expect(() => apply(fit, before)).toThrow(RangeError);
        return;
      }
      fitted++;
      const after = apply(fit, before);
      expect(brokenLaws(messages, after)).toEqual([]);
      expect(tokensOf(after)).toBeLessThanOrEqual(options.budget);
    });
    expect(Math.min(fitted, refused)).toBeGreaterThan(10);
  });

  it("hold for repairTranscript over transcripts in order, which then are valid", () => {
    check(tidyTranscripts, (messages) => {
      const repaired = apply(repairTranscript(), frozen(messages));
      expect(refusals(repaired)).toEqual([]);
      const dropped = messages.filter(
        ({ role, timestamp }) =>
          role !== "assistant" && !repaired.some((kept) => kept.timestamp === timestamp),
      );
      expect(dropped).toEqual([]);
    });
  });

  it("make any transcript valid after repairTranscript, whatever pruned it before or prunes it then", () => {
    const chain = fc.array(fc.oneof(...Object.values(operators)), { maxLength: 3 });
    check(fc.tuple(chain, chain, messyTranscripts), ([first, then, messages]) => {
      const pruned = first.reduce((left, next) => apply(next, left), frozen(messages));
      const { messages: repaired } = repair(pruned);
      expect(refusals(repaired)).toEqual([]);
      expect(repair(repaired).repairs).toEqual([]);
      const after = then.reduce((left, next) => apply(next, left), repaired);
      expect(refusals(after)).toEqual([]);
    });
  });

  it("give the same request for the same transcript, however often", () => {
    const chain = fc.array(fc.oneof(...Object.values(operators)), { minLength: 1, maxLength: 4 });
    check(fc.tuple(chain, transcripts), ([chained, messages]) => {
      const once = () => chained.reduce((left, next) => apply(next, left), frozen(messages));
      expect(brief(once())).toEqual(brief(once()));
    });
  });
});

/** Without the times at which summaries were written. */
const brief = (messages: AgentMessage[]) => messages.map((message) => ({ ...message, timestamp: 0 }));

/** What no budget may drop: system and injected messages, the newest user message, the newest message with its unit. */
function keepsOnly(messages: AgentMessage[]): AgentMessage[] {
  const isPinned = ({ role, timestamp }: AgentMessage) =>
    role === "system" || timestamp === 0 || timestamp > 1000;
  const user = messages.findLast((message) => message.role === "user" && !isPinned(message));
  const unit = newestUnit(messages.filter((message) => !isPinned(message)));
  return messages.filter((message) => isPinned(message) || message === user || unit.includes(message));
}

/** The unit that began last. */
function newestUnit(messages: AgentMessage[]): AgentMessage[] {
  const open: { id: string; unit: AgentMessage[] }[] = [];
  let newest: AgentMessage[] = [];
  for (const message of messages) {
    const at = message.role === "toolResult" ? open.findLastIndex(({ id }) => id === message.toolCallId) : -1;
    if (at >= 0) {
      open.splice(at, 1)[0]!.unit.push(message);
      continue;
    }
    const unit = (newest = [message]);
    if (message.role !== "assistant") continue;
    for (const block of message.content) if (block.type === "toolCall") open.push({ id: block.id, unit });
  }
  return newest;
}
