import { describe, expect, it } from "@jest/globals";
import { Agent } from "pi-agent-rx";
import { drawDiagram, runDiagram, type DiagramOptions } from "pi-agent-rx/testing";
import { map, timer } from "rxjs";
import { output, tool } from "../support/fixtures";

const options: DiagramOptions = { agent: (given) => new Agent(given) };

const diagram = (events: string, model = "------s-t-d", sub = "^---------!") => `An answer

outcome: completed

user:    P
model:   ${model}
  sub:   ${sub}
events:  ${events}
`;

/** What running the diagram says is wrong. */
function failure(text: string): string {
  try {
    runDiagram(text, options);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

describe("runDiagram", () => {
  it("is content with a true diagram", () => {
    expect(failure(diagram("(ATMm)M-u-(mta)"))).toBe("");
  });

  it("does not mind how a row spells its pauses", () => {
    expect(failure(diagram("(ATMm)M 1ms u-(mta)----"))).toBe("");
  });

  it("shows rows that differ one above the other and points at the first difference", () => {
    expect(failure(diagram("(ATMm)M---u-(mta)"))).toBe(`"An answer" did not run as it is drawn:

  events
    expected  (ATMm)M---u-(mta)
    actual    (ATMm)M-u-(mta)
                      ^ column 8
`);
  });

  it("compares when inputs were subscribed, and where they are drawn", () => {
    const wrong = failure(diagram("(ATMm)M-u-(mta)", "  ------s-t-d", "^-----!"));
    expect(wrong).toContain("  model\n    expected    ------s-t-d\n    actual    ------s-t-d\n");
    expect(wrong).toContain("  sub, of model\n    expected  ^-----!\n    actual    ^---------!\n");
  });

  it("compares the outcome", () => {
    const text = diagram("(ATMm)M-u-(mta)").replace("completed", "aborted");
    expect(failure(text)).toContain("  outcome\n    expected  aborted\n    actual    completed\n");
  });

  it("says which row is missing", () => {
    const text = diagram("(ATMm)M-u-(mXxMm)").replace("outcome: completed", "t = call read");
    expect(failure(text)).toContain("no row model: is left for request 2");
  });

  it("says which letter has no meaning", () => {
    expect(failure(diagram("(ATMm)M", "------s-?-d"))).toContain(`"?" in a row model: has no meaning`);
  });

  it("says where a row has no room for what happened", () => {
    expect(failure(diagram("(ATMm)M-u-(mta)", "---s-t-d", "^------!"))).toContain("‹frame 3: M›");
  });

  it("does not take a row without room for a true one", () => {
    const crowded = drawDiagram(diagram("-", "---s-t-d"), options);
    expect(failure(crowded)).toContain("line 8 has no room for what happened: let the inputs wait longer");
  });

  it("takes tools of the user", () => {
    const text = `A tool of one's own

b = call echo

user:    P
model:   ------s-b-d
model:                 --------s-d
events:  (ATMm)M-u-(mX)(pxMmtT)M-(mta)
`;
    const echo = tool("echo", () => timer(4).pipe(map(() => output("done"))));
    const own = { ...options, tools: [echo] };
    expect(drawDiagram(text, own)).toBe(text);
    expect(() => runDiagram(text, own)).not.toThrow();
  });
});

describe("runDiagram with a tool that leaves virtual time", () => {
  it("names the tool that returned a promise", () => {
    const text = diagram("-").replace("outcome: completed", "t = call read");
    const read = tool("read", async () => output("late"));
    expect(() => runDiagram(text, { ...options, tools: [read] })).toThrow(
      'tool "read" returned a promise; in virtual time it has to return an observable',
    );
  });
});

describe("runDiagram of an operator", () => {
  const text = `The last two messages

operator: lastTwo

source:  5---1---|
result:  2---1---|
`;
  const lastTwo = () => map((messages: unknown[]) => messages.slice(-2));

  it("runs one of the user's own", () => {
    expect(() => runDiagram(text, { ...options, operators: { lastTwo } })).not.toThrow();
  });

  it("compares what it gives", () => {
    const wrong = text.replace("2---1", "2---2");
    expect(() => runDiagram(wrong, { ...options, operators: { lastTwo } })).toThrow(
      "  result\n    expected  2---2---|\n    actual    2---1---|\n                  ^ column 4",
    );
  });

  it("says which operator is missing", () => {
    expect(() => runDiagram(text, options)).toThrow('no operator "lastTwo" was given');
  });
});

describe("drawDiagram", () => {
  it("fills in what comes out", () => {
    const stub = diagram("-", "------s-t-d", "-").replace("completed", "?");
    expect(drawDiagram(stub, options)).toBe(diagram("(ATMm)M-u-(mta)"));
  });

  it("moves an input to where it is subscribed", () => {
    const late = diagram("-").replace("P", "---P");
    expect(drawDiagram(late, options)).toContain("\nmodel:      ------s-t-d\n  sub:   ---^---------!\n");
  });
});
