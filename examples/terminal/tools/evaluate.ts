const functions: Record<string, (...values: number[]) => number> = {
  sqrt: Math.sqrt,
  abs: Math.abs,
  round: Math.round,
  floor: Math.floor,
  ceil: Math.ceil,
  min: Math.min,
  max: Math.max,
  ln: Math.log,
  log10: Math.log10,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
};
const constants: Record<string, number> = { pi: Math.PI, e: Math.E };
const LONGEST = 500;
const TOKEN = /\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)|([a-z][a-z0-9]*)|(\*\*|[-+*/%^(),]))/iy;

const tokensOf = (text: string) => {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.trimEnd().length; at = TOKEN.lastIndex) {
    const match = TOKEN.exec(text);
    if (!match)
      throw new Error(`unexpected ${JSON.stringify(text.slice(at).trim()[0])} in ${JSON.stringify(text)}`);
    tokens.push(match[0].trim().replace("**", "^"));
  }
  return tokens;
};

/**
 * The value of an arithmetic expression: numbers, `+ - * / % ^`, brackets, a few functions, `pi` and `e`.
 *
 * A recursive descent over tokens, since nothing that a model writes should ever be given to `eval`.
 */
export function evaluate(text: string): number {
  if (text.length > LONGEST) throw new Error(`expression longer than ${LONGEST} characters`);
  const tokens = tokensOf(text);
  let at = 0;
  const next = (...wanted: string[]) => (wanted.includes(tokens[at] ?? "") ? tokens[at++] : undefined);
  const expect = (token: string) => {
    if (!next(token))
      throw new Error(`expected ${JSON.stringify(token)}, got ${JSON.stringify(tokens[at] ?? "the end")}`);
  };
  const sum = (): number => {
    let value = product();
    for (let sign = next("+", "-"); sign; sign = next("+", "-"))
      value += sign === "+" ? product() : -product();
    return value;
  };
  const product = (): number => {
    let value = signed();
    for (let sign = next("*", "/", "%"); sign; sign = next("*", "/", "%")) {
      const right = signed();
      if (right === 0 && sign !== "*") throw new Error("division by zero");
      value = sign === "*" ? value * right : sign === "/" ? value / right : value % right;
    }
    return value;
  };
  const signed = (): number => (next("-") ? -signed() : next("+") ? signed() : power());
  const power = (): number => {
    const base = atom();
    return next("^") ? base ** signed() : base;
  };
  const atom = (): number => {
    const token = tokens[at++] ?? "the end";
    if (/^[\d.]/.test(token)) return Number(token);
    if (token === "(") return closed([sum()])[0]!;
    if (Object.hasOwn(constants, token)) return constants[token]!;
    if (!Object.hasOwn(functions, token)) throw new Error(`unexpected ${JSON.stringify(token)}`);
    expect("(");
    const values = [sum()];
    while (next(",")) values.push(sum());
    return functions[token]!(...closed(values));
  };
  const closed = (values: number[]) => (expect(")"), values);
  const value = sum();
  if (at < tokens.length) throw new Error(`unexpected ${JSON.stringify(tokens[at])}`);
  if (!Number.isFinite(value)) throw new Error("the result is no finite number");
  return value;
}
