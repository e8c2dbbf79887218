import { describe, expect, it } from "@jest/globals";
import { parseDiagram } from "pi-agent-rx/testing";

const text = `A title

Some notes: with a colon.

abortGraceMs: 5
b = call read {"path": "a.txt"};  S = steer "Stop, please"

user:      P---S
model:     ------s-b-d
  sub:     ^---------!
tool read:           ---r
events:    (ATMm)M
  of b:    ----X
`;

describe("parseDiagram", () => {
  it("reads title, notes, settings, legend and rows", () => {
    const { title, notes, settings, legend, rows, explained } = parseDiagram(text);
    expect(title).toBe("A title");
    expect(notes.join("").trim()).toBe("Some notes: with a colon.");
    expect(settings).toEqual({ abortGraceMs: "5" });
    expect(legend).toEqual({
      b: { verb: "call", word: "read", data: { path: "a.txt" } },
      S: { verb: "steer", text: "Stop, please" },
    });
    expect(rows.map(({ kind, name, marbles }) => [kind, name, marbles])).toEqual([
      ["user", "", "P---S"],
      ["model", "", "------s-b-d"],
      ["sub", "", "^---------!"],
      ["tool", "read", "          ---r"],
      ["events", "", "(ATMm)M"],
      ["of", "b", "----X"],
    ]);
    expect(explained).toHaveLength(2);
  });

  it.each([
    ["", "the first line is the title"],
    ["A title\n\nuser: P", "there is no row events:"],
    ["A title\n\nuser: P\n??? what\nevents:   A", "line 4 is neither a row nor a legend: ??? what"],
    ["A title\n\nuser: P\nevents:   A", "line 3 (user) begins before frame 0"],
    [`A title\n\nb = call "read\nevents: A`, "explains no letter"],
  ])("names what is wrong with %j", (wrong, message) => {
    expect(() => parseDiagram(wrong)).toThrow(message);
  });
});
