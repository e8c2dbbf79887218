import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";
import { describe, expect, it } from "@jest/globals";
import { concat, finalize, map, merge, NEVER, of, timer, type Observable } from "rxjs";
import { answer, delta, lines, started, terminal, transcript } from "./support/messages";
import { deferred, drain } from "./support/deferred";
import { strayErrors } from "./support/rejections";
import { endOf, setUp } from "./support/setUp";
import { virtually } from "./support/virtually";

const afterwards = <T>(ms: number, event: T): Observable<T> => timer(ms).pipe(map(() => event));
const stalled$ = concat(of(started(), delta("half")), NEVER);

describe("a provider that outlasts the grace", () => {
  it(
    "is left: what it does later reaches nothing",
    virtually(({ at, flush }) => {
      let left: number | undefined;
      const late$ = merge(stalled$, afterwards(200, terminal(answer("too late")))).pipe(
        finalize(() => (left ??= 1)),
      );
      const { agent, events } = setUp({ responses: [late$], abortGraceMs: 50 });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      at(61, () => expect(left).toBe(1));
      flush();
      expect(transcript(agent.state.messages)).toEqual(["user hello", "assistant aborted"]);
      expect(lines(events).at(-1)).toBe("agent_end aborted");
      expect.assertions(3);
    }),
  );

  it("has its iterator returned", async () => {
    const stalled = deferred();
    let returned = 0;
    const stream = {
      [Symbol.asyncIterator]: () => ({
        next: () => stalled.promise.then(() => ({ done: true as const, value: undefined })),
        return: async () => ({ done: true as const, value: void returned++ }),
      }),
    };
    const { agent } = setUp({ responses: [() => stream], abortGraceMs: 0 });
    const settled = agent.prompt("hello");
    await drain();
    agent.abort();
    await settled;
    expect(returned).toBe(1);
  });

  it("may reject or break long after it was left", async () => {
    const opening = deferred<never>();
    const reading = deferred<never>();
    const stream = {
      [Symbol.asyncIterator]: () => ({ next: () => reading.promise, return: () => reading.promise }),
    };
    const stray = await strayErrors(async () => {
      const { agent, events } = setUp({
        responses: [() => opening.promise, () => stream],
        abortGraceMs: 0,
      });
      for (const late of [opening, reading]) {
        const settled = agent.prompt("hello");
        await drain();
        agent.abort();
        await settled;
        events.length = 0;
        late.reject(new Error("too late"));
        await drain();
        expect(events).toEqual([]);
      }
    });
    expect(stray).toEqual([]);
  });

  it("is not read when its stream arrives after the grace", async () => {
    const opening = deferred<ReturnType<typeof createAssistantMessageEventStream>>();
    const { agent, events } = setUp({ responses: [() => opening.promise], abortGraceMs: 0 });
    const settled = agent.prompt("hello");
    await drain();
    agent.abort();
    await settled;
    const stream = createAssistantMessageEventStream();
    stream.push(terminal(answer("too late")));
    opening.resolve(stream);
    await drain();
    expect(transcript(agent.state.messages)).toEqual(["user hello", "assistant aborted"]);
    expect(endOf(events).outcome).toBe("aborted");
  });
});
