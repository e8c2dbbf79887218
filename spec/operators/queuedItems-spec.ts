import { describe, expect, it } from "@jest/globals";
import { queuedItems } from "../../src/operators/queuedItems";
import { user } from "../support/fixtures";

describe("queuedItems", () => {
  it("keeps the item of a message while it waits, steering first", () => {
    const toItems = queuedItems();
    const [a, b] = [user("a"), user("b")];
    const [first] = toItems({ steering: [], followUp: [a] });
    const both = toItems({ steering: [b], followUp: [a] });
    expect(both.map(({ id }) => id)).toEqual(["q1", "q0"]);
    expect(both[1]).toBe(first);
  });

  it("makes two items of a message that is queued twice", () => {
    const message = user("a");
    const ids = queuedItems()({ steering: [message], followUp: [message] }).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });
});
