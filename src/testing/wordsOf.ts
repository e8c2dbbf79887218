/** The deltas of a text: as given, else a word each. */
export function wordsOf(name: string, text: string, deltas?: readonly string[]): readonly string[] {
  if (deltas && deltas.join("") !== text)
    throw new TypeError(
      `${name}: the deltas make ${JSON.stringify(deltas.join(""))}, the text is ${JSON.stringify(text)}`,
    );
  return deltas ?? text.split(/(?<=\s)(?=\S)/);
}
