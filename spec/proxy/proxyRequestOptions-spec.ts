import { describe, expect, it } from "@jest/globals";
import { proxyRequestOptions } from "../../src/proxy/proxyRequestOptions";
import { everyOption } from "./support/everyOption";

describe("proxyRequestOptions", () => {
  it("takes every option that JSON can carry", () => {
    const forwarded = proxyRequestOptions(everyOption);
    expect(forwarded).toEqual(everyOption);
    expect(JSON.parse(JSON.stringify(forwarded))).toEqual(everyOption);
  });

  it("takes nothing else", () => {
    const local = {
      apiKey: "secret",
      env: { KEY: "secret" },
      fetch,
      signal: new AbortController().signal,
      telemetry: {},
      onPayload: () => {},
      onResponse: () => {},
      onProviderStreamEvent: () => {},
      model: { id: "m" },
      beforeToolCall: () => {},
      authToken: "secret",
      proxyUrl: "https://proxy.example",
    };
    expect(proxyRequestOptions({ ...local, maxTokens: 1 })).toEqual({ maxTokens: 1 });
  });

  it("leaves out what is undefined and keeps what is falsy", () => {
    const options = { temperature: 0, sessionId: "", disableContinuation: false, maxTokens: undefined };
    expect(Object.entries(proxyRequestOptions(options))).toEqual([
      ["disableContinuation", false],
      ["sessionId", ""],
      ["temperature", 0],
    ]);
  });
});
