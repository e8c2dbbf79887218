import { describe, it } from "@jest/globals";
import { textDeltas } from "pi-agent-rx/operators";
import { assistant } from "../support/fixtures";
import { virtually } from "../support/virtually";
import { event } from "./support/events";

const partial = assistant("");
const alphabet = {
  s: event.start(partial),
  a: event.update(partial, "text_delta", "a"),
  b: event.update(partial, "text_delta", "b"),
  o: event.update(partial, "thinking_delta", "o"),
  c: event.update(partial, "toolcall_delta", "c"),
  e: event.end(assistant("ab")),
};

describe("textDeltas", () => {
  it("gives each piece of text as it comes, and nothing else", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const events$ = cold("-soabce|", alphabet);
      expectObservable(events$.pipe(textDeltas())).toBe("---ab--|");
      expectSubscriptions(events$.subscriptions).toBe("^------!");
    }));

  it("passes the source's error and an early unsubscription", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      expectObservable(cold("sa#", alphabet).pipe(textDeltas())).toBe("-a#");
      const left$ = cold("sa-b|", alphabet);
      expectObservable(left$.pipe(textDeltas()), "^-!").toBe("-a-");
      expectSubscriptions(left$.subscriptions).toBe("^-!");
    }));
});
