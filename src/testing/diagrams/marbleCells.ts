/** One letter of a row: where it is drawn, and when it happened. */
export interface Cell {
  letter: string;
  column: number;
  frame: number;
  /** Column of the bracket that holds it together with what happened in the same frame. */
  group?: number;
}

/** The letters of a row with their columns. Time that is written out (` 50ms `) takes the columns it is written in. */
export function marbleCells(marbles: string): Cell[] {
  const cells: Cell[] = [];
  let group: number | undefined;
  let extra = 0;
  for (let column = 0; column < marbles.length; column++) {
    const letter = marbles[column]!;
    const pause = /^ (\d+)ms /.exec(marbles.slice(column));
    if (pause) {
      extra += Number(pause[1]) - pause[0].length;
      column += pause[0].length - 1;
    } else if (letter === "(") group = column;
    else if (letter === ")") group = undefined;
    else if (letter !== "-" && letter !== " ") {
      const cell: Cell = { letter, column, frame: (group ?? column) + extra };
      if (group !== undefined) cell.group = group;
      cells.push(cell);
    }
  }
  // A group is drawn from the frame it stands for, so its letters move to the place of the bracket.
  return cells.map((cell) => (cell.group === undefined ? cell : { ...cell, column: cell.column - 1 }));
}
