import { describe, expect, it } from "@jest/globals";
import { Agent, type AgentEvent, type AgentMessage } from "pi-agent-rx";
import { drawDiagram, runDiagram, type DiagramOptions } from "pi-agent-rx/testing";
import { filter, map, pipe, tap, withLatestFrom, type Observable } from "rxjs";

const options: DiagramOptions = {
  agent: (given) => new Agent(given),
  operators: {
    as: () => map((value: unknown) => value),
    last: ({ argument }) => map((messages: AgentMessage[]) => messages.slice(-argument<number>())),
    types: ({ argument }) =>
      pipe(
        map(({ type }: AgentEvent) => type),
        filter((type) => type.startsWith(argument())),
      ),
    latest: ({ input }) =>
      pipe(
        withLatestFrom(input("other")),
        map(([, other]) => other),
      ),
    written: () => map((messages: AgentMessage[]) => [7, 12, "large", "very large"][messages.length - 1]),
    told: ({ show }) => tap(() => show("told")),
  },
  policies: {
    count: ({ argument, show }) => {
      let calls = argument<{ from: number }>().from;
      return () => (source$: Observable<unknown>) => {
        show(++calls);
        return source$;
      };
    },
    enough: () => () => ({ action: "end", reason: "enough" }),
  },
};

const draw = (text: string) => drawDiagram(text, options);

/** What the lines `result 1:` … of a diagram with these rows and settings say. */
const results = (text: string) => draw(text).match(/^result \d: .*$/gm);

describe("a diagram's transcripts", () => {
  const words =
    'system "Be brief.", user "Look" image, answer thinking "Hm" "I look" call b read, result b "one", error c "no", answer aborted "So"';

  it("read and are told in the same words", () => {
    expect(results(`T\n\noperator: as\ngiven 1: ${words}\nresult 1: -\n\nsource: 1\nresult: -\n`)).toEqual([
      `result 1: ${words}`,
    ]);
  });

  it("build on one another", () => {
    const text = `T

operator: as
given 1: user "a", answer "b"
given x: 1, user "c"
result 1: -

source: x
result: -
`;
    expect(results(text)).toEqual(['result 1: user "a", answer "b", user "c"']);
  });

  it("say which word begins no message or is no part of one", () => {
    const text = (given: string) => `T\n\noperator: as\ngiven 1: ${given}\n\nsource: 1\nresult: -\n`;
    expect(() => draw(text("nobody"))).toThrow("diagram: nobody begins no message");
    expect(() => draw(text('user "a" loudly'))).toThrow("diagram: loudly is no part of a message");
  });
});

describe("a diagram's operators", () => {
  it("take what stands behind their name", () => {
    const text = "T\n\noperator: last 2\n\nsource: 5-1|\nresult: -\n";
    expect(draw(text)).toContain("\nresult:  2-1|\n");
  });

  it("hang on an agent's events when there is no source", () => {
    const text = `T

operator: types "turn"
x = turn_start; y = turn_end

user:   P
model:  ------s-t-d
result: -
`;
    expect(draw(text)).toContain("\nresult:  x---------y\n");
  });

  it("take an observable of the diagram's, which is hot", () => {
    const text = `T

operator: latest
a = user "one"; b = user "two"
result 1: -
result 2: -

input other: -a---b
source:      --1---2|
result:      -
`;
    const drawn = draw(text);
    expect(drawn).toContain("\nresult:       --o---o|\n");
    expect(drawn).toContain('result 1: {"role":"user","content":"one","timestamp":0}');
    expect(drawn).toContain('result 2: {"role":"user","content":"two","timestamp":0}');
  });

  it("say which input is missing", () => {
    const text = "T\n\noperator: latest\n\nsource: 1\nresult: -\n";
    expect(() => draw(text)).toThrow("diagram: no row input other: is there");
  });

  it("draw values beside their result", () => {
    const text = "T\n\noperator: told\nT = told\n\nsource: 1--2|\nresult: -\n";
    expect(draw(text)).toContain(
      "\nresult:  (T1)‹frame 3: T2›|\n".replace("‹frame 3: T2›|", "‹frame 3: T2›|"),
    );
  });

  it("work on each request when they stand behind context:", () => {
    const text = `T

context: last 1
request 1: -
request 2: -

user:      P-------------P
model:     ------s-t-d
model:     ------s-t-d
events:    -
`;
    expect(draw(text)).toContain('request 1: user "Hi"\nrequest 2: user "Hi"\n');
  });

  it("say which name is none", () => {
    const text = (setting: string) => `T\n\n${setting}\n\nuser:   P\nevents: -\n`;
    expect(() => draw(text("operator: nothing"))).toThrow('diagram: no operator "nothing" was given');
    expect(() => draw(text("context: nothing"))).toThrow('diagram: no operator "nothing" was given');
    expect(() => draw(text("toolCall: nothing"))).toThrow('diagram: no policy "nothing" was given');
  });
});

describe("a diagram's policies", () => {
  it("are made once, wrap what they are named for and draw what they show", () => {
    const text = `T

response: count {"from": 3}, timeout 50
b = call read

user:      P
model:     ------s-b-d
tool read: ----r
model:     -------s-t-d
result:    -
`;
    expect(draw(text)).toContain("\nresult:     4-------------5\n");
  });

  it("decide how turns end", () => {
    const text = "T\n\nfinishTurn: enough\noutcome: -\n\nuser:   P\nmodel:  ------s-t-d\nevents: -\n";
    expect(draw(text)).toContain('\noutcome: stopped "enough"\n');
  });
});

describe("a result's letters", () => {
  it("are digits for small numbers, and the legend's for strings", () => {
    const text = 'T\n\noperator: written\ng = large; h = shown "very large"\n\nsource: 1-2-3-4\nresult: -\n';
    expect(draw(text)).toContain("\nresult:  7-o-g-h\n");
  });

  it("are compared in words where a line asks for them", () => {
    const text = `T

operator: as
given 1: user "a"
result 1: user "b"

source:  1
result:  1
`;
    expect(() => runDiagram(text, options)).toThrow(
      '  result 1\n    expected  user "b"\n    actual    user "a"\n                    ^ here',
    );
  });
});

describe("a diagram's listener", () => {
  it("does what a user does while it is told of an event", () => {
    const text = (letter: string) => `T

does: M#2 ${letter}
outcome: -

user:   P
model:  ------s-t-d
events: -
`;
    expect(draw(text("Q"))).toContain('\noutcome: aborted "closed"\n');
    expect(() => draw(text("?"))).not.toThrow();
    expect(() => runDiagram(text("?"), options)).toThrow('"?" in a row user: has no meaning');
  });
});

describe("a diagram's user", () => {
  it("leaves the result of an operator", () => {
    const text = "T\n\noperator: as\n\nuser:   -----U\nsource: 1--2--3|\n  sub:\nresult: -\n";
    expect(draw(text)).toContain("\n  sub:   ^----!\nresult:  1--2\n");
  });
});
