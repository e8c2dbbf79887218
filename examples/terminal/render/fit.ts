import { printable } from "./printable";

const widthOf = (character: string) => {
  if (/\p{M}|\u200d|\ufe0f/u.test(character)) return 0;
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
    character,
  )
    ? 2
    : 1;
};

/** How many columns a text takes. */
export const width = (text: string) => [...text].reduce((sum, character) => sum + widthOf(character), 0);

/** Text on one line of at most `columns`, ended by "…" where something was left out. */
export function fit(text: string, columns: number): string {
  const line = printable(text.replace(/\s+/g, " ")).trim();
  let taken = 0;
  let end = 0;
  let lastFit = 0;
  for (const character of line) {
    taken += widthOf(character);
    if (taken > columns) return `${line.slice(0, lastFit)}…`;
    end += character.length;
    if (taken < columns) lastFit = end;
  }
  return line;
}
