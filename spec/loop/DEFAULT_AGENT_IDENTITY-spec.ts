import { describe, expect, it } from "@jest/globals";
import { DEFAULT_AGENT_IDENTITY as piIdentity } from "@earendil-works/pi-agent-core";
import { DEFAULT_AGENT_IDENTITY } from "pi-agent-rx";

describe("DEFAULT_AGENT_IDENTITY", () => {
  it("is pi's", () => {
    expect(DEFAULT_AGENT_IDENTITY).toEqual(piIdentity);
  });
});
