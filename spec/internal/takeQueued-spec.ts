import { describe, expect, it, jest } from "@jest/globals";
import { runControl } from "../../src/internal/runControl";
import { takeQueued, type TakeQueuedDeps } from "../../src/internal/takeQueued";
import { user } from "../support/fixtures";
import { resultOf } from "../support/sequences";

const messages = [user("one")];

function taken(deps: Partial<TakeQueuedDeps>, queue: "steering" | "followUp") {
  const results: unknown[] = [];
  resultOf(() => takeQueued({ control: runControl(5), ...deps }, queue)).subscribe((result) =>
    results.push(result),
  );
  return results;
}

describe("takeQueued", () => {
  it("takes from the queue by its hook, and tells of it", () => {
    const onTaken = jest.fn();
    const steering = { queue: "steering", messages };
    expect(taken({ getSteeringMessages: () => messages, onTaken }, "steering")).toEqual([steering]);
    expect(taken({ getFollowUpMessages: () => messages }, "followUp")).toEqual([
      { queue: "followUp", messages },
    ]);
    expect(onTaken.mock.calls).toEqual([[steering]]);
  });

  it("takes nothing without a hook, or from an empty queue, and tells of nothing", () => {
    const onTaken = jest.fn();
    const none = { queue: "steering", messages: [] };
    expect(taken({ onTaken }, "steering")).toEqual([none]);
    expect(taken({ getSteeringMessages: () => [], onTaken }, "steering")).toEqual([none]);
    expect(taken({ getSteeringMessages: () => undefined as never, onTaken }, "steering")).toEqual([none]);
    expect(onTaken).not.toHaveBeenCalled();
  });
});
