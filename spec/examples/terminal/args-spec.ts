import { describe, expect, it } from "@jest/globals";
import { parse } from "../../../examples/terminal/args";

const defaults = { folder: ".", offline: false, listModels: false, help: false };

describe("parse", () => {
  it.each([
    [[], {}],
    [["list", "files"], { question: "list files" }],
    [["-C", "src", "hi"], { folder: "src", question: "hi" }],
    [["-m", "openai/gpt-5", "hi"], { model: "openai/gpt-5", question: "hi" }],
    [["--model=a/b=c"], { model: "a/b=c" }],
    [
      ["--base-url", "http://localhost:11434", "--model", "qwen3"],
      { baseUrl: "http://localhost:11434/v1", model: "qwen3" },
    ],
    [
      ["--base-url", "https://x.test/api/", "--model", "m", "--api-key", "k"],
      { baseUrl: "https://x.test/api", model: "m", apiKey: "k" },
    ],
    [["--base-url", "http://x", "--list-models"], { baseUrl: "http://x/v1", listModels: true }],
    [["--offline", "--pace", "0", "hi"], { offline: true, pace: 0, question: "hi" }],
    [["-h"], { help: true }],
    [["--", "--help", "me"], { question: "--help me" }],
    [["what is 3-4?"], { question: "what is 3-4?" }],
  ])("%j", (argv: string[], args: object) => {
    expect(parse(argv)).toEqual({ ...defaults, ...args });
  });

  it.each([
    [["--bogus"], "--bogus: unknown flag"],
    [["-x"], "-x: unknown flag"],
    [["--toString"], "--toString: unknown flag"],
    [["--model"], "--model: expected provider/id"],
    [["--model="], "--model: expected provider/id"],
    [
      ["--model", "--offline"],
      '--model: expected provider/id, or a model\'s name along with --base-url, got "--offline"',
    ],
    [["--base-url", "ftp://x", "--model", "m"], "--base-url: expected the http(s) address"],
    [["--base-url", "nonsense", "--model", "m"], 'got "nonsense"'],
    [["--base-url", "http://x"], "--base-url: expected --model NAME along with it"],
    [["--api-key", "k"], "--api-key: expected --base-url along with it"],
    [["--pace", "fast"], '--pace: expected a whole number of milliseconds, 0 to 10000, got "fast"'],
    [["--pace", "1.5"], "--pace: expected"],
    [["--pace", "99999"], "--pace: expected"],
    [["--offline=yes"], "--offline: takes no value"],
    [["--offline", "--model", "a/b"], "--offline: expected neither --model nor --base-url"],
    [["--folder", ""], "--folder: expected a folder"],
    [["  "], "question: expected some text"],
  ])("refuses %j: %s", (argv: string[], message: string) => {
    expect(() => parse(argv)).toThrow(message);
  });
});
