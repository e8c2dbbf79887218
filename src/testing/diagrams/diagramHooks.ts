import { map, of, take, type Observable } from "rxjs";
import type { AgentMessage } from "../../types/messages";
import type { Diagram } from "./parseDiagram";
import type { Meaning } from "./parseMeaning";
import type { RowSources } from "./RowSources";

type Hook = (input: unknown) => Observable<unknown>;

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 0 });

const VALUES: Record<string, (meaning: Meaning) => unknown> = {
  nothing: () => undefined,
  block: ({ text }) => ({ block: true, reason: text }),
  replace: ({ text = "" }) => ({ content: [{ type: "text", text }] }),
  fault: ({ text = "" }) => ({ content: [{ type: "text", text }], isError: true }),
  end: ({ text }) => ({ action: "end", reason: text }),
  go: () => ({ action: "continue" }),
  add: ({ text = "" }) => ({ messages: [user(text)] }),
  key: ({ text }) => text,
  queued: ({ text = "" }) => [user(text)],
};

// These hooks give back what they were given unless they change it.
const PASSES_ON = ["transformContext", "convertToLlm"];

/** The hooks that have rows: each row is one call; further calls pass at once. */
export function diagramHooks(diagram: Diagram, rows: RowSources): Record<string, Hook> {
  const hook =
    (name: string): Hook =>
    (input) => {
      const nothing = PASSES_ON.includes(name) ? input : undefined;
      const row$ = rows.take("hook", name);
      if (!row$) return of(nothing);
      const valueOf = ({ verb, ...rest }: Meaning) => {
        if (verb === "nothing") return nothing;
        const value = VALUES[verb];
        if (!value) throw new Error(`diagram: ${verb} is nothing that ${name} answers`);
        return value({ verb, ...rest });
      };
      return row$.pipe(
        take(1),
        map(({ meaning }) => valueOf(meaning)),
      );
    };
  const names = diagram.rows.filter(({ kind }) => kind === "hook").map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, hook(name)]));
}
