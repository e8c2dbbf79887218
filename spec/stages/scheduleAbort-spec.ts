import { describe, expect, it, jest } from "@jest/globals";
import { of } from "rxjs";
import { runControl, schedule, type EndedTurn } from "pi-agent-rx";
import { assistant, context, user } from "../support/fixtures";
import { virtually } from "../support/virtually";

const steer = [user("steer")];
const follow = [user("follow")];
const turn = { message: assistant("a"), toolResults: [], context: context() as never, newMessages: [] };
const ended: EndedTurn = { turn, hasToolResults: false };

describe("schedule under an abort", () => {
  it("takes nothing and asks nothing when it came before", () => {
    const control = runControl();
    control.abort();
    const hooks = {
      getSteeringMessages: jest.fn(() => steer),
      getFollowUpMessages: jest.fn(() => follow),
      prepareNextTurn: jest.fn(() => undefined),
    };
    const next = jest.fn();
    of({ ...ended, hasToolResults: true })
      .pipe(schedule({ control, ...hooks }))
      .subscribe(next);
    expect(next).not.toHaveBeenCalled();
    for (const hook of Object.values(hooks)) expect(hook).not.toHaveBeenCalled();
  });

  it("tells of messages that left a queue, and goes no further", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const control = runControl(5);
      cold("-x").subscribe(() => control.abort());
      const [onTaken, prepareNextTurn] = [jest.fn(), jest.fn(() => undefined)];
      const getSteeringMessages = () => cold("---(m|)", { m: steer });
      const next$ = of(ended).pipe(schedule({ control, getSteeringMessages, prepareNextTurn, onTaken }));
      expectObservable(next$).toBe("---|");
      flush();
      expect(onTaken.mock.calls).toEqual([[{ queue: "steering", messages: steer }]]);
      expect(prepareNextTurn).not.toHaveBeenCalled();
    });
  });

  it("drops the update of a prepareNextTurn that was under way", () => {
    virtually(({ cold, expectObservable }) => {
      const control = runControl(5);
      cold("-x").subscribe(() => control.abort());
      const prepareNextTurn = () => cold("--(u|)", { u: {} });
      const getSteeringMessages = jest.fn(() => [] as typeof steer);
      const results = { ...ended, hasToolResults: true };
      expectObservable(of(results).pipe(schedule({ control, getSteeringMessages, prepareNextTurn }))).toBe(
        "--|",
      );
    });
  });

  it("takes no follow-ups when it came while steering was asked for", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const control = runControl(5);
      cold("-x").subscribe(() => control.abort());
      const getFollowUpMessages = jest.fn(() => follow);
      const getSteeringMessages = () => cold<typeof steer>("---(m|)", { m: [] });
      expectObservable(of(ended).pipe(schedule({ control, getSteeringMessages, getFollowUpMessages }))).toBe(
        "---|",
      );
      flush();
      expect(getFollowUpMessages).not.toHaveBeenCalled();
    });
  });

  it("changes nothing that was already decided", () => {
    virtually(({ cold, expectObservable }) => {
      const control = runControl(5);
      cold("---x").subscribe(() => control.abort());
      const getSteeringMessages = () => cold("-(m|)", { m: steer });
      const next = { queued: { queue: "steering", messages: steer } };
      expectObservable(of(ended).pipe(schedule({ control, getSteeringMessages }))).toBe("-(n|)", { n: next });
    });
  });
});
