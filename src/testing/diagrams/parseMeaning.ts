/** What a letter stands for: a verb, a word after it, a text in quotes, and data in braces. */
export interface Meaning {
  verb: string;
  word?: string;
  text?: string;
  data?: Record<string, unknown>;
}

const MEANING = /^(\w+)(?:\s+([\w.-]+))?(?:\s+("(?:[^"\\]|\\.)*"))?(?:\s+(\{.*\}))?$/;

/** Reads the right side of a legend entry, such as `call read {"path": "a.txt"}` or `steer "Wait"`. */
export function parseMeaning(source: string): Meaning {
  const found = MEANING.exec(source.trim());
  if (!found) throw new Error(`diagram: ${JSON.stringify(source)} explains no letter`);
  const [, verb = "", word, text, data] = found;
  const meaning: Meaning = { verb };
  if (word !== undefined) meaning.word = word;
  if (text !== undefined) meaning.text = JSON.parse(text) as string;
  if (data !== undefined) meaning.data = JSON.parse(data) as Record<string, unknown>;
  return meaning;
}
