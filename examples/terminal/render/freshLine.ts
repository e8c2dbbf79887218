import { map, scan, type OperatorFunction } from "rxjs";

/** A piece of output; `block` wants to begin on a line of its own. */
export interface Piece {
  text: string;
  block: boolean;
}

/** Begins a new line before a block when what came before has not ended its own. */
export const freshLine: OperatorFunction<Piece, string> = (pieces$) =>
  pieces$.pipe(
    scan(
      ({ ended }, { text, block }) => ({
        text: block && !ended && text !== "" ? `\n${text}` : text,
        ended: text === "" ? ended : text.endsWith("\n"),
      }),
      { text: "", ended: true },
    ),
    map(({ text }) => text),
  );
