import { contentText, type Message } from "@earendil-works/pi-ai";
import type { Call, Memory, Result, Task } from "./task";
import { readMatches } from "./readings";
import { understand } from "./understand";

/** What the model says and which tools it calls, in one turn. */
export interface Reply {
  text: string;
  calls: Call[];
}

/** The results of each turn since the request, in the order of their calls. */
const roundsOf = (messages: Message[]): Result[][] => {
  const rounds: Result[][] = [];
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    const calls = message.content.filter((block) => block.type === "toolCall");
    rounds.push(
      calls.map((call) => {
        const result = messages.find((other) => other.role === "toolResult" && other.toolCallId === call.id);
        const known = result?.role === "toolResult" ? result : undefined;
        return {
          call: { name: call.name, arguments: call.arguments as Call["arguments"] },
          text: known ? contentText(known.content) : "there is no result",
          isError: known?.isError ?? true,
        };
      }),
    );
  }
  return rounds;
};

const memoryOf = (messages: Message[]): Memory => {
  const file = roundsOf(messages)
    .flat()
    .filter(({ isError }) => !isError)
    .map((result) =>
      result.call.name === "read_file"
        ? String(result.call.arguments["path"])
        : result.call.name === "search_files"
          ? readMatches(result).matches[0]?.path
          : undefined,
    )
    .filter((path) => path !== undefined)
    .at(-1);
  return file === undefined ? {} : { file };
};

/** Hands a turn's results to its tasks; gives what they say, and the tasks that follow from them. */
const settle = (tasks: Task[], results: Result[]) => {
  const rest = [...results];
  const said: string[] = [];
  const following: Task[] = [];
  for (const task of tasks) {
    const own = rest.splice(0, task.calls.length);
    const next = task.next?.(own);
    if (next) following.push(next);
    else said.push(task.tell(own));
  }
  return { said, following };
};

/**
 * The reply to a transcript.
 *
 * Like any model it keeps nothing between two requests: the request is understood anew, and the turns since are
 * replayed to find out where it stands.
 */
export function respond(messages: Message[]): Reply {
  const asked = messages.findLastIndex((message) => message.role === "user");
  const request = messages[asked];
  const [first = [], ...later] = understand(
    request?.role === "user" ? contentText(request.content) : "",
    memoryOf(messages.slice(0, asked)),
  );
  let tasks = first;
  let said: string[] = [];
  const rounds = roundsOf(messages.slice(asked + 1));
  for (;;) {
    const calls = tasks.flatMap((task) => task.calls);
    const results = calls.length > 0 ? rounds.shift() : [];
    if (!results) {
      const intros = tasks.flatMap((task) => (task.calls.length > 0 && task.intro ? [task.intro] : []));
      return { text: [...said, intros.join(" ")].filter(Boolean).join("\n\n"), calls };
    }
    const settled = settle(tasks, results);
    // What a turn with calls has said before is in the transcript already.
    said = calls.length > 0 ? settled.said : [...said, ...settled.said];
    tasks = settled.following.length > 0 ? settled.following : (later.shift() ?? []);
    if (tasks.length === 0) return { text: said.join("\n\n"), calls: [] };
  }
}
