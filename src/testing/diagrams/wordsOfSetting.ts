/** One operator as a setting names it: `retry 1 3`, `limits {"turns": 2}`. */
export interface NamedOperator {
  name: string;
  args: unknown[];
}

const ARGUMENT = /"(?:[^"\\]|\\.)*"|\{[^}]*\}|[^\s,]+|,/g;

function argumentOf(word: string): unknown {
  return /^(["{]|-?\d+(\.\d+)?$)/.test(word) ? (JSON.parse(word) as unknown) : word;
}

/** Reads `timeout 5, retryResponse {"attempts": 2}`: names with their arguments, which are numbers, words or JSON. */
export function wordsOfSetting(setting: string): NamedOperator[] {
  const named: NamedOperator[] = [];
  let begins = true;
  for (const [word] of setting.matchAll(ARGUMENT)) {
    if (word === ",") begins = true;
    else if (begins) {
      named.push({ name: word, args: [] });
      begins = false;
    } else named.at(-1)!.args.push(argumentOf(word));
  }
  return named;
}
