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

  constructor(
    private readonly diagram: Diagram,
    private readonly cold: RunHelpers["cold"],
  ) {
    this.#left = [...diagram.rows];
  }

  /** The next row of this kind and name; undefined when none is left. */
  take(kind: string, name = ""): Observable<Letter> | undefined {
    const at = this.#left.findIndex((row) => row.kind === kind && row.name === name);
    if (at < 0) return undefined;
    const [row] = this.#left.splice(at, 1);
    const source$ = this.cold(row!.marbles);
    this.#spans.set(row!, source$);
    return source$.pipe(map((letter) => ({ letter, meaning: this.meaning(kind, letter) })));
  }

  /** {@link take}, of a row that has to be there. */
  demand(kind: string, name: string, what: string): Observable<Letter> {
    const source$ = this.take(kind, name);
    if (source$) return source$;
    const problem = `no row ${[kind, name].join(" ").trim()}: is left for ${what}`;
    this.problems.push(problem);
    throw new Error(`diagram: ${problem}`);
  }

  meaning(kind: string, letter: string): Meaning {
    const alphabets: Record<string, string> = { stream: "tool", source: "model" };
    const meaning =
      this.diagram.legend[letter] ??
      LETTERS[alphabets[kind] ?? kind]?.[letter] ??
      (kind === "source" && /\d/.test(letter) ? { verb: "transcript", word: letter } : undefined);
    if (meaning) return meaning;
    const problem = `${JSON.stringify(letter)} in a row ${kind}: has no meaning`;
    this.problems.push(problem);
    throw new Error(`diagram: ${problem}`);
  }

  /** When the row was subscribed and left. */
  span(row: DiagramRow): Span | undefined {
    const spans = this.#spans.get(row)?.subscriptions;
    if (spans && spans.length > 1) this.problems.push(`row ${row.kind}: was subscribed more than once`);
    return spans?.[0];
  }
}
