import { contentText, type Message } from "@earendil-works/pi-ai";
import type { Reply } from "../terminal/offline/respond";

const SCRIPT = `// the lines of each file
const textOf = (result) => (typeof result === "string" ? result : result.content);
const [, folder] = textOf(await tools.mcp__files__list_allowed_directories({})).split("\\n");
const listing = textOf(await tools.mcp__files__list_directory({ path: folder }));
const names = listing.split("\\n").flatMap((line) => /^\\[FILE\\] (.+)$/.exec(line)?.[1] ?? []);
const read = async (name) => {
  const text = textOf(await tools.mcp__files__read_text_file({ path: folder + "/" + name }));
  return { name, lines: text.split("\\n").length - 1 };
};
const files = await Promise.all(names.map(read));
return files.sort((a, b) => b.lines - a.lines).map(({ name, lines }) => name + ": " + lines + " lines");
`;

const HELP =
  'Ask "how long are the files?" for a script, "add 2 and 3" for a server over HTTP, "work for 2 seconds" for progress.';

/** What a request asks for, in the order in which it asks. */
const skills: [RegExp, (match: RegExpExecArray) => Reply["calls"][number]][] = [
  [/\bfiles?\b/i, () => ({ name: "codemode", arguments: { code: SCRIPT } })],
  [
    /\badd (-?[\d.]+) (?:and|to) (-?[\d.]+)/i,
    ([, a, b]) => ({ name: "mcp__web__get_sum", arguments: { a: Number(a), b: Number(b) } }),
  ],
  [
    /\bwork for ([\d.]+) seconds?/i,
    ([, duration]) => ({
      name: "mcp__all__trigger_long_running_operation",
      arguments: { duration: Number(duration), steps: 4 },
    }),
  ],
];

/** The reply of the offline model, rules without an LLM: calls what the request asks for, then tells what came of it. */
export function respond(messages: Message[]): Reply {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const results = messages.slice(asked + 1).filter((message) => message.role === "toolResult");
  if (results.length > 0)
    return { text: results.map(({ content }) => contentText(content)).join("\n"), calls: [] };
  const request = messages[asked];
  const text = request?.role === "user" ? contentText(request.content) : "";
  const calls = skills.flatMap(([pattern, call]) => {
    const match = pattern.exec(text);
    return match ? [call(match)] : [];
  });
  return { text: calls.length > 0 ? "I will see." : HELP, calls };
}
