import { once } from "node:events";
import { filter, firstValueFrom, from, ReplaySubject } from "rxjs";
import { start, type Pi } from "./pi";
import { records, type PiRecord } from "./records";

/** A pi in RPC mode: commands go in, records come out. */
export function rpcClient(pi: Pi) {
  const child = start(pi, ["--mode", "rpc"]);
  const ended = once(child, "close");
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const seen: PiRecord[] = [];
  const responses: PiRecord[] = [];
  let records$ = new ReplaySubject<PiRecord>();
  from(records(child.stdout)).subscribe({
    next: (record) => {
      (record.type === "response" ? responses : seen).push(record);
      records$.next(record);
    },
    error: (error: unknown) => records$.error(error),
    complete: () => records$.error(new Error(`pi ended\n${errors}`)),
  });
  const until = (test: (record: PiRecord) => boolean) => firstValueFrom(records$.pipe(filter(test)));
  let count = 0;
  return {
    /** What came so far, the responses apart: when they come between the events is a matter of chance. */
    seen,
    responses,
    until,
    /** Sends a command and gives its response; what `until` waits for comes from here on. */
    async send(type: string, fields: object = {}): Promise<PiRecord> {
      const id = `${++count}`;
      records$.complete();
      records$ = new ReplaySubject();
      child.stdin.write(`${JSON.stringify({ id, type, ...fields })}\n`);
      return until((record) => record.type === "response" && record.id === id);
    },
    /** Closes its input; gives its exit code and what it complained of. */
    async close(): Promise<{ code: unknown; errors: string }> {
      child.stdin.end();
      const [code] = (await ended) as unknown[];
      return { code, errors };
    },
    kill: () => child.kill("SIGKILL"),
  };
}
