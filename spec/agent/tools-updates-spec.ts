import { describe, expect, it } from "@jest/globals";
import { map, timer } from "rxjs";
import { answer, call, calls, lines, textOf } from "./support/messages";
import { only, setUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

const lateUpdates = (events: Parameters<typeof lines>[0]) =>
  only(events, "tool_execution_update").filter(({ partialResult }) => textOf(partialResult) === "late");

describe("updates of a tool", () => {
  it(
    "are told between its start and its end, each with what it reported",
    virtually(({ flush }) => {
      const { agent, events } = setUp({
        responses: [calls("a")],
        tools: [
          tool((_id, _args, _signal, onUpdate) => {
            onUpdate!(result("10%"));
            return timer(5).pipe(
              map(() => {
                onUpdate!(result("90%"));
                return result("done");
              }),
            );
          }),
        ],
      });
      agent.prompt$("hello").subscribe();
      flush();
      const told = only(events, "tool_execution_update").map(({ partialResult }) => textOf(partialResult));
      expect(told).toEqual(["10%", "90%", "done"]);
      const order = lines(events).filter((line) => line.startsWith("tool_execution"));
      expect(order[0]).toBe("tool_execution_start a");
      expect(order.at(-1)).toBe("tool_execution_end a");
    }),
  );

  it(
    "are ignored after the tool has settled, in this run and in every later one",
    virtually(({ at, flush }) => {
      const updates: (() => void)[] = [];
      const { agent, events } = setUp({
        responses: [calls("a", "b")],
        tools: [
          tool((id, _args, _signal, onUpdate) => {
            updates.push(() => onUpdate!(result("late")));
            return timer(id === "a" ? 5 : 50).pipe(map(() => result(id)));
          }),
        ],
      });
      agent.prompt$("hello").subscribe();
      at(10, () => updates[0]!());
      flush();
      const { length } = events;
      updates.forEach((update) => update());
      expect(events).toHaveLength(length);
      agent.prompt$("again").subscribe();
      updates.forEach((update) => update());
      flush();
      expect(lateUpdates(events)).toEqual([]);
    }),
  );

  it(
    "are ignored after a tool has thrown, and when a finished tool goes on",
    virtually(({ at, flush }) => {
      let update!: () => void;
      const { agent, events } = setUp({
        responses: [answer([call("a"), call("b", "slow")])],
        tools: [
          tool((_id, _args, _signal, onUpdate) => {
            update = () => onUpdate!(result("late"));
            throw new Error("broken");
          }),
          tool(() => timer(20).pipe(map(() => result("slow"))), { name: "slow" }),
        ],
      });
      agent.prompt$("hello").subscribe();
      at(10, () => update());
      flush();
      expect(lateUpdates(events)).toEqual([]);
    }),
  );
});
