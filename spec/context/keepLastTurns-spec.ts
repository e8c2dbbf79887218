import { describe, expect, it } from "@jest/globals";
import { keepLastTurns } from "pi-agent-rx/context";
import { map, of } from "rxjs";
import { assistant, system, user } from "../support/fixtures";
import { virtually } from "../support/virtually";
import { apply } from "./support/apply";
import { lines, turn } from "./support/conversation";

const turns = (count: number) => Array.from({ length: count }, (_, n) => turn(`t${n + 1}`)).flat();
const openings = (messages: ReturnType<typeof turns>) =>
  lines(messages.filter(({ role }) => role === "user")).map((line) => line.replace("user: ", ""));

describe("keepLastTurns", () => {
  it("keeps the last turns whole", () => {
    expect(lines(apply(keepLastTurns(1), turns(3)))).toEqual(lines(turn("t3")));
  });

  it("passes a shorter transcript as it is, also an empty one", () => {
    const messages = turns(2);
    expect(apply(keepLastTurns(2), messages)).toBe(messages);
    expect(apply(keepLastTurns(2), [])).toEqual([]);
  });

  it("moves on in steps", () => {
    const first = (count: number) => openings(apply(keepLastTurns(2, { step: 3 }), turns(count)))[0];
    expect([2, 3, 4, 5, 6, 7, 8].map(first)).toEqual(["t1", "t1", "t1", "t4", "t4", "t4", "t7"]);
  });

  it("takes half of the turns as a step by default", () => {
    const left = (count: number) => openings(apply(keepLastTurns(4), turns(count))).length;
    expect([4, 5, 6, 7, 8].map(left)).toEqual([4, 5, 4, 5, 4]);
  });

  it("keeps the system messages of dropped turns, and drops what came before the first turn", () => {
    const messages = [
      system("lead"),
      assistant("hello"),
      user("a"),
      system("later"),
      assistant("b"),
      user("c"),
    ];
    expect(lines(apply(keepLastTurns(1), messages))).toEqual(["system: lead", "system: later", "user: c"]);
  });

  it("works on a stream of transcripts, and passes its error on", () => {
    virtually(({ cold, expectObservable }) => {
      const counts$ = cold("-a-b-#", { a: 3, b: 1 });
      const kept$ = counts$.pipe(map(turns), keepLastTurns(1), map(openings));
      expectObservable(kept$).toBe("-a-b-#", { a: ["t3"], b: ["t1"] });
    });
  });

  it.each([0, -1, 1.5, NaN])("refuses %p turns", (count) => {
    expect(() => keepLastTurns(count)).toThrow("keepLastTurns: expected");
    expect(() => keepLastTurns(3, { step: count })).toThrow("keepLastTurns: step: expected an integer ≥ 1");
  });

  it("completes when its source completes", () => {
    let isComplete = false;
    of(turns(1))
      .pipe(keepLastTurns(1))
      .subscribe({ complete: () => (isComplete = true) });
    expect(isComplete).toBe(true);
  });
});
