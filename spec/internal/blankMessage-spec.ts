import { describe, expect, it } from "@jest/globals";
import { timer } from "rxjs";
import { blankMessage } from "../../src/internal/blankMessage";
import { assistant, call, model } from "../support/fixtures";
import { virtually } from "../support/virtually";

describe("blankMessage", () => {
  it("names the model, the stop reason and the error", () => {
    expect(blankMessage({ model, stopReason: "error", errorMessage: "no answer" })).toMatchObject({
      role: "assistant",
      content: [{ type: "text", text: "" }],
      api: model.api,
      provider: model.provider,
      model: model.id,
      stopReason: "error",
      errorMessage: "no answer",
      usage: { totalTokens: 0, cost: { total: 0 } },
    });
  });

  it("bears the time at which it was made", () => {
    virtually(({ flush }) => {
      let timestamp: number | undefined;
      timer(7).subscribe(() => {
        ({ timestamp } = blankMessage({ model, stopReason: "aborted", errorMessage: "" }));
      });
      flush();
      expect(timestamp).toBe(7);
    });
  });

  it("keeps what had streamed, as a deep copy", () => {
    const partial = assistant([call("a", "read", { path: "x" })], { timestamp: 3 });
    const message = blankMessage({ model, stopReason: "aborted", errorMessage: "stopped", partial });
    expect(message).toEqual({ ...partial, stopReason: "aborted", errorMessage: "stopped" });
    (partial.content[0] as { arguments: Record<string, unknown> }).arguments.path = "changed";
    expect(message.content).toEqual([call("a", "read", { path: "x" })]);
  });

  it("copies the blocks of a partial that cannot be cloned", () => {
    const partial = assistant([{ type: "text", text: "so far", extra: () => {} } as never]);
    const message = blankMessage({ model, stopReason: "aborted", errorMessage: "stopped", partial });
    (partial.content[0] as { text: string }).text = "changed";
    expect(message.content[0]).toMatchObject({ text: "so far" });
  });
});
