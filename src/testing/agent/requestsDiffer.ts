import type { FakeRequest } from "../FakeRequest";
import { messageLine } from "../messageLine";
import type { ExpectedRequest } from "./AgentTestKit";
import { difference } from "./difference";

/** How the requests are not as expected; undefined when they are. */
export function requestsDiffer(
  requests: readonly FakeRequest[],
  expected: readonly ExpectedRequest[],
): string | undefined {
  const actual = requests.map((request) => ({
    ...request,
    messages: request.messages.filter(({ role }) => role !== "system").map((message) => messageLine(message)),
  }));
  if (actual.length !== expected.length) {
    const asked = JSON.stringify(actual.map(({ messages }) => messages));
    return `agentTest: expected ${expected.length} requests, got ${actual.length}: ${asked}`;
  }
  const wanted = expected.map((request) => ("length" in request ? { messages: request } : request));
  return difference(actual, wanted, "agentTest: requests");
}
