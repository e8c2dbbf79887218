import { clausesOf } from "./phrases";
import { readMatches } from "./readings";
import { calculate } from "./skills/calculate";
import { countLines } from "./skills/countLines";
import { countFiles, extremeFile, list } from "./skills/list";
import { read, readCall, readTask } from "./skills/read";
import { countMatches, search } from "./skills/search";
import { help, talk } from "./skills/talk";
import type { Memory, Skill, Task } from "./task";

/** The narrow ones first: "count the lines of a.txt" is no search for them. */
const skills: Skill[] = [
  talk,
  countLines,
  countFiles,
  extremeFile,
  calculate,
  list,
  read,
  countMatches,
  search,
];

const FIRST_MATCH =
  /^(?:read|open|show|print|summari[sz]e|explain|describe)\s+(?:me\s+)?(?:it|that(?: file)?|the\s+(?:first|best|top)(?:\s+(?:match|hit|file|one|result))?|the file)$/i;

/** A search that goes on to read the file of its first match. */
const thenRead = (task: Task): Task => ({
  ...task,
  next: (results) => {
    const first = readMatches(results[0]!).matches[0];
    if (!first) return undefined;
    const reading = readTask([readCall(first.path)], false);
    return { ...reading, intro: `${task.tell(results)}\n\nI will read the first, ${first.path}.` };
  },
});

const isSearch = (task: Task | undefined) => task?.calls[0]?.name === "search_files";

const unknown = (clause: string): Task => ({
  calls: [],
  tell: () => help(`I am the offline model, rules without an LLM, and did not understand “${clause}”.`),
});

/** The tasks of a request, stage after stage; the tasks of one stage make their calls together. */
export function understand(request: string, memory: Memory): Task[][] {
  const stages: Task[][] = [];
  for (const clauses of clausesOf(request)) {
    const tasks: Task[] = [];
    for (const clause of clauses) {
      const before = tasks.length > 0 ? tasks : stages.at(-1);
      const last = before?.at(-1);
      if (FIRST_MATCH.test(clause) && before && last && isSearch(last))
        before[before.length - 1] = thenRead(last);
      else
        tasks.push(
          skills.reduce<Task | undefined>((task, skill) => task ?? skill(clause, memory), undefined) ??
            unknown(clause),
        );
    }
    if (tasks.length > 0) stages.push(tasks);
  }
  return stages.length > 0 ? stages : [[unknown(request)]];
}
