import { describe, expect, it } from "@jest/globals";
import type { AssistantMessageEvent } from "@earendil-works/pi-ai";
import type { AgentEvent } from "pi-agent-rx";
import { NEVER, of, Subject, type Observable } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { fit } from "../../../examples/terminal/render/fit";
import { render } from "../../../examples/terminal/render/render";
import { screen, type Screen } from "../../../examples/terminal/render/screen";
import { testScreen } from "../support/testScreen";
import { asked, blank } from "../support/transcript";

const text = (value: string) => ({ content: [{ type: "text", text: value }] });
const start = (id: string, path: string): AgentEvent => ({
  type: "tool_execution_start",
  toolCallId: id,
  toolName: "read_file",
  args: { path },
});
const update = (id: string, note: string): AgentEvent => ({
  type: "tool_execution_update",
  toolCallId: id,
  toolName: "read_file",
  args: {},
  partialResult: text(note),
});
const end = (id: string, note: string, isError = false): AgentEvent => ({
  type: "tool_execution_end",
  toolCallId: id,
  toolName: "read_file",
  result: text(note),
  isError,
  durationMs: 4,
});
const says = (assistantMessageEvent: AssistantMessageEvent): AgentEvent => ({
  type: "message_update",
  message: blank(),
  assistantMessageEvent,
});
const partial = blank();
const begin = says({ type: "text_start", contentIndex: 0, partial });
const delta = (value: string) => says({ type: "text_delta", contentIndex: 0, delta: value, partial });
const finish = says({ type: "text_end", contentIndex: 0, content: "", partial });
const turnEnd: AgentEvent = { type: "turn_end", message: blank(), toolResults: [] };

/** Everything that is written for these events at once. */
const written = (display: Screen, events: AgentEvent[], notices$: Observable<string> = NEVER) => {
  const texts: string[] = [];
  of(...events)
    .pipe(render(display, notices$))
    .subscribe((piece) => texts.push(piece))
    .unsubscribe();
  return texts.join("");
};

/** What a terminal shows in the end: lines that were drawn over are gone. */
const shown = (output: string) => {
  const lines = [""];
  for (const [, up, part] of output.matchAll(/\x1b\[(\d+)A\r\x1b\[J|([^\x1b]+)/g)) {
    if (up) lines.splice(lines.length - 1 - Number(up), Infinity, "");
    else if (part) {
      const [first, ...rest] = part.split("\n");
      lines.push(`${lines.pop()}${first}`, ...rest);
    }
  }
  return lines.join("\n");
};

describe("render without a terminal", () => {
  const plain = testScreen(false);

  it("writes the answer as it comes", () => {
    expect(written(plain, [begin, delta("one "), delta("two"), finish])).toBe("\none two\n");
  });

  it("writes each change of a tool call as a line, its state in words", () => {
    const events = [
      start("1", "a.txt"),
      update("1", "half"),
      start("2", "b.txt"),
      end("2", "no", true),
      end("1", "all"),
    ];
    expect(written(plain, events)).toBe(
      [
        "  [running] read_file a.txt",
        "  [progress] read_file a.txt: half",
        "  [running] read_file b.txt",
        "  [failed] read_file b.txt: no, 4 ms",
        "  [done] read_file a.txt: all, 4 ms",
        "",
      ].join("\n"),
    );
  });

  it("ends two calls of one id as two", () => {
    const output = written(plain, [start("1", "a"), start("1", "b"), end("1", "x"), end("1", "y")]);
    expect(output).toContain("[done] read_file a: x");
    expect(output).toContain("[done] read_file b: y");
  });

  it("tells how a run ended and what it took", () => {
    const run = (outcome: "completed" | "aborted", reason?: string): AgentEvent[] => [
      { type: "agent_start" },
      start("1", "a"),
      end("1", "no", true),
      turnEnd,
      { type: "agent_end", messages: [], outcome, reason },
    ];
    expect(written(plain, run("completed"))).toMatch(/\n\n1 turn · 1 tool call \(1 failed\) · \d+ ms\n$/);
    expect(written(plain, run("aborted", "Ctrl-C"))).toMatch(/\n\naborted \(Ctrl-C\) · 1 turn · /);
  });

  it("begins a line of its own for tool calls and notices in the midst of an answer", () => {
    const notices$ = new Subject<string>();
    const events$ = new Subject<AgentEvent>();
    let output = "";
    events$.pipe(render(plain, notices$)).subscribe((piece) => (output += piece));
    [begin, delta("half a")].forEach((event) => events$.next(event));
    notices$.next("stopping");
    expect(output).toBe("\nhalf a\nstopping\n");
  });

  it("lets no control character of a model, a file or a tool through", () => {
    const evil = "a\x1b[2Jb\x9b1mc\rd\u202ee\u0007";
    const output = written(plain, [begin, delta(evil), finish, start("1", evil), end("1", evil)]);
    expect(output).toBe(
      "\na[2Jb1mcde\n  [running] read_file a[2Jb1mc de\n  [done] read_file a[2Jb1mc de: a[2Jb1mc de, 4 ms\n",
    );
  });
});

describe("render on a terminal", () => {
  const live = testScreen(true);

  it("draws running calls over each other and leaves the ended ones above them", () => {
    const events = [start("1", "a"), start("2", "b"), update("1", "half")];
    expect(shown(written(live, events))).toBe("  ⠋ read_file a  <dim>half</dim>\n  ⠋ read_file b\n");
    expect(shown(written(live, [...events, end("2", "all")]))).toBe(
      "  <green>✓</green> read_file b  <dim>all, 4 ms</dim>\n  ⠋ read_file a  <dim>half</dim>\n",
    );
    expect(shown(written(live, [...events, end("2", "all"), end("1", "no", true), begin, delta("so")]))).toBe(
      "  <green>✓</green> read_file b  <dim>all, 4 ms</dim>\n  <red>✗</red> read_file a  <dim>no, 4 ms</dim>\n\nso",
    );
  });

  it("puts a notice above the calls that run", () => {
    const notices$ = new Subject<string>();
    const events$ = new Subject<AgentEvent>();
    let output = "";
    const subscription = events$.pipe(render(live, notices$)).subscribe((piece) => (output += piece));
    events$.next(start("1", "a"));
    notices$.next("stopping");
    events$.next(end("1", "Operation aborted", true));
    subscription.unsubscribe();
    expect(shown(output)).toBe("stopping\n  <red>✗</red> read_file a  <dim>Operation aborted, 4 ms</dim>\n");
  });

  it("turns a wheel while a call runs, and stops with it", () => {
    new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(
      ({ hot, expectObservable }) => {
        const events$ = hot<AgentEvent>("a 199ms b", { a: start("1", "a"), b: end("1", "all") });
        const frame = (wheel: string) => `\x1b[1A\r\x1b[J  ${wheel} read_file a\n`;
        expectObservable(events$.pipe(render(live, NEVER)), "300ms !").toBe("a 79ms b 79ms c 39ms d", {
          a: "  ⠋ read_file a\n",
          b: frame("⠙"),
          c: frame("⠹"),
          d: "\x1b[1A\r\x1b[J  <green>✓</green> read_file a  <dim>all, 4 ms</dim>\n",
        });
      },
    );
  });

  it("says that it waits for a model that stays silent, until it speaks", () => {
    new TestScheduler((actual, expected) => {
      const output = (actual as { notification: { value: string } }[]).map(
        ({ notification }) => notification.value,
      );
      expect(output.some((piece) => piece.includes("waiting for the model"))).toBe(true);
      expect(shown(output.join(""))).toBe("\nat last");
      expect(expected).toEqual([]);
    }).run(({ hot, expectObservable }) => {
      const events$ = hot<AgentEvent>("a 999ms (bc)", {
        a: { type: "turn_start" },
        b: begin,
        c: delta("at last"),
      });
      expectObservable(events$.pipe(render(live, NEVER)), "3s !").toBe("");
    });
  });

  it("never writes a tool line wider than the terminal", () => {
    for (const path of ["x".repeat(300), "漢字".repeat(100), "a"]) {
      const output = written(testScreen(true, 40), [start("1", path), update("1", "note ".repeat(50))]);
      const widths = shown(output)
        .replaceAll(/<\/?\w+>/g, "")
        .split("\n")
        .map((line) => [...line].reduce((sum, character) => sum + (character > "\u2e80" ? 2 : 1), 0));
      expect(Math.max(...widths)).toBeLessThanOrEqual(40);
    }
  });

  it("ignores messages of the user", () => {
    expect(
      written(live, [
        { type: "message_start", message: asked("x") },
        { type: "message_end", message: asked("x") },
      ]),
    ).toBe("");
  });
});

describe("screen", () => {
  const terminal = { isTTY: true, columns: 100, rows: 30 };

  it("has colours on a terminal only, and none with NO_COLOR", () => {
    expect(screen(terminal, {}).style.red("x")).toBe("\x1b[31mx\x1b[0m");
    expect(screen(terminal, { NO_COLOR: "1" }).style.red("x")).toBe("x");
    expect(screen({ ...terminal, isTTY: false }, {}).style.red("x")).toBe("x");
  });

  it("draws nothing over on a dumb terminal or none", () => {
    expect(screen(terminal, {}).live).toBe(true);
    expect(screen(terminal, { TERM: "dumb" }).live).toBe(false);
    expect(screen({ ...terminal, isTTY: false }, {}).live).toBe(false);
  });
});

describe("fit", () => {
  it("cuts at the columns given and says so", () => {
    expect(fit("abcdef", 6)).toBe("abcdef");
    expect(fit("abcdefg", 6)).toBe("abcde…");
    expect(fit("a\nb\t c", 10)).toBe("a b c");
    expect(fit("漢字漢字", 6)).toBe("漢字…");
  });
});
