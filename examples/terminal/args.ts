import { parseArgs } from "node:util";
import { UsageError } from "./usageError";

/** What the command line asks for. */
export interface Args {
  question?: string;
  folder: string;
  /** `provider/id`, or the model's plain name when there is a `baseUrl`. */
  model?: string;
  baseUrl?: string;
  apiKey?: string;
  offline: boolean;
  /** Time between two words of the offline model, in ms. */
  pace?: number;
  listModels: boolean;
  help: boolean;
}

const options = {
  folder: { type: "string", short: "C" },
  model: { type: "string", short: "m" },
  "base-url": { type: "string" },
  "api-key": { type: "string" },
  offline: { type: "boolean" },
  pace: { type: "string" },
  "list-models": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const EXPECTED: Record<string, string> = {
  folder: "a folder",
  model: "provider/id, or a model's name along with --base-url",
  "base-url": "the http(s) address of an OpenAI-compatible server, e.g. http://localhost:11434/v1",
  "api-key": "the key of the server at --base-url",
  pace: "a whole number of milliseconds, 0 to 10000",
};

/** The message names the flag and what was expected of it. */
const wrong = (flag: string, got?: string) =>
  new UsageError(
    `--${flag}: expected ${EXPECTED[flag]}${got === undefined ? "" : `, got ${JSON.stringify(got)}`}`,
  );

const baseUrlOf = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw wrong("base-url", text);
  // What these servers print as their address is often the host alone; the API is under /v1.
  if (url.pathname === "/") url.pathname = "/v1";
  return url.href.replace(/\/$/, "");
};

const paceOf = (text: string) => {
  const pace = Number(text);
  if (!/^\d+$/.test(text) || pace > 10_000) throw wrong("pace", text);
  return pace;
};

/** Refuses unknown flags, and values where none or some are due. Node's own words for it speak of its own API. */
function check(argv: string[]) {
  const { values, positionals, tokens } = parseArgs({
    args: argv,
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name)
      ? options[token.name as keyof typeof options]
      : undefined;
    if (!option) throw new UsageError(`${token.rawName}: unknown flag; --help lists all`);
    if (option.type === "boolean" && token.value !== undefined)
      throw new UsageError(`--${token.name}: takes no value`);
    const next = token.inlineValue === false && token.value?.startsWith("-") ? token.value : undefined;
    if (option.type === "string" && (!token.value || next)) throw wrong(token.name, next);
  }
  const texts = values as Record<string, string | undefined>;
  return { texts, is: (flag: keyof typeof options) => values[flag] === true, positionals };
}

/** Reads the command line; throws an error that names the flag and what was expected. */
export function parse(argv: string[]): Args {
  const { texts, is, positionals } = check(argv);
  const { model, pace } = texts;
  const baseUrl = texts["base-url"] === undefined ? undefined : baseUrlOf(texts["base-url"]);
  const question = positionals.join(" ").trim();
  if (positionals.length > 0 && question === "") throw new UsageError("question: expected some text");
  if (baseUrl !== undefined && model === undefined && !is("list-models")) {
    throw new UsageError(
      "--base-url: expected --model NAME along with it; --base-url URL --list-models tells the names",
    );
  }
  if (texts["api-key"] !== undefined && baseUrl === undefined) {
    throw new UsageError(
      "--api-key: expected --base-url along with it; the keys of providers are read from the environment",
    );
  }
  if (is("offline") && (baseUrl !== undefined || model !== undefined)) {
    throw new UsageError("--offline: expected neither --model nor --base-url along with it");
  }
  return {
    ...(question && { question }),
    folder: texts["folder"] ?? ".",
    ...(model !== undefined && { model }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(texts["api-key"] !== undefined && { apiKey: texts["api-key"] }),
    offline: is("offline"),
    ...(pace !== undefined && { pace: paceOf(pace) }),
    listModels: is("list-models"),
    help: is("help"),
  };
}
