import { describe, expect, it } from "@jest/globals";
import { defer, type Observable } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { reconnecting } from "../../src/mcp/reconnecting";
import type { Session } from "../../src/mcp/session";

const values = { s: { tools: [] } as unknown as Session, u: undefined };

/** Expects what comes of sessions that follow each other; the last is made again and again. */
function expectSessions(rows: string[], expected: string, message?: string) {
  new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted)).run(({ cold, expectObservable }) => {
    const sessions = rows.map((row) => cold(row, values, new Error("no"))) as Observable<Session>[];
    let count = 0;
    const session$ = defer(() => sessions[Math.min(count++, sessions.length - 1)]!);
    const reconnect = { attempts: 3, delayMs: 2, maxDelayMs: 6 };
    const error = message === undefined ? undefined : new Error(message);
    expectObservable(reconnecting("one", session$, reconnect), "^ 99ms !").toBe(expected, values, error);
  });
}

describe("reconnecting", () => {
  it("fails at once when the first session does", () => {
    expectSessions(["--#"], "--(u#)", "no");
  });

  it("says that a session has ended, and makes the next after the delay", () => {
    expectSessions(["-s-|", "-s---"], "-s-u--s-");
  });

  it("doubles the delay for each attempt that fails, and forgets them when a session lasts", () => {
    // Ended, 2 ms, failed, 4 ms, a session that lasts 8 ms, 2 ms.
    expectSessions(["s|", "-#", "s-------|", "s-"], "su--u---s 7ms u-s");
  });

  it("gives up after its attempts", () => {
    const message = 'MCP server "one": is gone, 3 attempts failed; the last: no';
    expectSessions(["s|", "#"], "su-u---u-----(u#)", message);
  });

  it("gives up a server that dies each time", () => {
    const message =
      'MCP server "one": is gone, 3 attempts failed; the last: MCP server "one": closed the connection';
    expectSessions(["s|"], "su-su---su-----s(u#)", message);
  });
});
