import { map, type Observable } from "rxjs";
import type { RunHelpers } from "rxjs/testing";
import { LETTERS } from "./LETTERS";
import type { Diagram, DiagramRow } from "./parseDiagram";
import type { Meaning } from "./parseMeaning";
import type { Span } from "./subscriptionRow";

/** One letter of a row, with what it stands for. */
export interface Letter {
  letter: string;
  meaning: Meaning;
}

interface Spans {
  subscriptions: Span[];
}

/** Hands out the rows that go in, one after the other, and remembers when each was subscribed. */
export class RowSources {
  /** What the diagram asks for and does not have. */
  readonly problems: string[] = [];
  readonly #left: DiagramRow[];
  readonly #spans = new Map<DiagramRow, Spans>();
  readonly #inputs = new Map<string, Observable<Letter>>();

  constructor(
    private readonly diagram: Diagram,
    private readonly helpers: Pick<RunHelpers, "cold" | "hot">,
  ) {
    this.#left = [...diagram.rows];
    for (const row of diagram.rows.filter(({ kind }) => kind === "input")) {
      const letters$ = helpers.hot(row.marbles);
      this.#spans.set(row, letters$);
      this.#inputs.set(row.name, this.#explained("input", letters$));
    }
  }

  /** The row `input` of this name, which runs whether or not somebody is subscribed. */
  input(name: string): Observable<Letter> {
    const input$ = this.#inputs.get(name);
    if (!input$) throw this.#problem(`no row input ${name}: is there`);
    return input$;
  }

  /** The next row of this kind and name; undefined when none is left. */
  take(kind: string, name = ""): Observable<Letter> | undefined {
    const at = this.#left.findIndex((row) => row.kind === kind && row.name === name);
    if (at < 0) return undefined;
    const [row] = this.#left.splice(at, 1);
    const source$ = this.helpers.cold(row!.marbles);
    this.#spans.set(row!, source$);
    return this.#explained(kind, source$);
  }

  /** {@link take}, of a row that has to be there. */
  demand(kind: string, name: string, what: string): Observable<Letter> {
    const source$ = this.take(kind, name);
    if (source$) return source$;
    throw this.#problem(`no row ${[kind, name].join(" ").trim()}: is left for ${what}`);
  }

  meaning(kind: string, letter: string): Meaning {
    const alphabets: Record<string, string> = { stream: "tool", source: "model" };
    const { legend, settings } = this.diagram;
    const isSource = kind === "source" || kind === "input";
    if (isSource && `given ${letter}` in settings) return { verb: "given", word: letter };
    const meaning =
      legend[letter] ??
      LETTERS[alphabets[kind] ?? kind]?.[letter] ??
      (isSource && /\d/.test(letter) ? { verb: "transcript", word: letter } : undefined);
    if (meaning) return meaning;
    throw this.#problem(`${JSON.stringify(letter)} in a row ${kind}: has no meaning`);
  }

  /** When the row was subscribed and left. */
  span(row: DiagramRow): Span | undefined {
    const spans = this.#spans.get(row)?.subscriptions;
    if (spans && spans.length > 1) this.problems.push(`row ${row.kind}: was subscribed more than once`);
    return spans?.[0];
  }

  #explained(kind: string, letters$: Observable<string>): Observable<Letter> {
    return letters$.pipe(map((letter) => ({ letter, meaning: this.meaning(kind, letter) })));
  }

  #problem(text: string): Error {
    this.problems.push(text);
    return new Error(`diagram: ${text}`);
  }
}
