import { describe, expect, it } from "@jest/globals";
import { timer } from "rxjs";
import { resultMessage } from "../../../src/stages/tools/resultMessage";
import { call, output } from "../../support/fixtures";
import { virtually } from "../../support/virtually";

const toolCall = call("1", "read");
const usage = { totalTokens: 3 } as never;

describe("resultMessage", () => {
  it("is the transcript's message of an outcome", () => {
    const result = output("text", { details: { lines: 1 }, usage });
    expect(resultMessage({ toolCall, result, isError: true, durationMs: 4 })).toEqual({
      role: "toolResult",
      toolCallId: "1",
      toolName: "read",
      content: result.content,
      details: { lines: 1 },
      usage,
      isError: true,
      durationMs: 4,
      timestamp: expect.any(Number),
    });
  });

  it("counts missing content as empty, and has no duration when the tool did not run", () => {
    const message = resultMessage({ toolCall, result: { details: 1 } as never, isError: false });
    expect(message.content).toEqual([]);
    expect(message).not.toHaveProperty("durationMs");
  });

  it("bears the time at which it was made", () => {
    virtually(({ flush }) => {
      let timestamp: number | undefined;
      timer(6).subscribe(() => {
        ({ timestamp } = resultMessage({ toolCall, result: output("text"), isError: false }));
      });
      flush();
      expect(timestamp).toBe(6);
    });
  });
});
