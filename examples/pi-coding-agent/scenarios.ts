import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { start, type Pi } from "./pi";
import { records, type PiRecord } from "./records";
import { rpcClient } from "./rpcClient";

/** What pi did in a scenario: all that can be compared. */
export type Observed = Record<string, unknown>;

/** A way to use pi's command line. */
export type Scenario = (pi: Pi) => Promise<Observed>;

const print: Scenario = async (pi) => {
  const child = start(pi, ["--print", "Make a note", "Fail a little"]);
  child.stdin.end();
  const closed = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr, code: (await closed)[0] as unknown };
};

const json: Scenario = async (pi) => {
  const child = start(pi, [
    "--mode",
    "json",
    "Make a note",
    "Fail a little",
    "Write a script",
    "Break the request",
  ]);
  child.stdin.end();
  const closed = once(child, "close");
  const events: PiRecord[] = [];
  const stderr = text(child.stderr);
  for await (const record of records(child.stdout)) events.push(record);
  return { events, stderr: await stderr, code: (await closed)[0] as unknown };
};

const settled = ({ type }: PiRecord) => type === "agent_settled";
const started = (tool: string) => (record: PiRecord) =>
  record.type === "tool_execution_start" && record["toolName"] === tool;
const ended = (tool: string) => (record: PiRecord) =>
  record.type === "tool_execution_end" && record["toolName"] === tool;
const reported = (text: string) => (record: PiRecord) =>
  record.type === "tool_execution_update" && JSON.stringify(record["partialResult"]).includes(text);
const said = (delta: string) => (record: PiRecord) =>
  record.type === "message_update" && (record["assistantMessageEvent"] as { delta?: string }).delta === delta;

/** Runs a session in RPC mode. */
const session =
  (drive: (client: ReturnType<typeof rpcClient>, pi: Pi) => Promise<void>): Scenario =>
  async (pi) => {
    const client = rpcClient(pi);
    try {
      await drive(client, pi);
      return { events: client.seen, responses: client.responses, ...(await client.close()) };
    } finally {
      client.kill();
    }
  };

const rpc = session(async ({ send, until }, { workspace }) => {
  const prompt = async (message: string) => {
    await send("prompt", { message });
    await until(settled);
  };
  await send("get_state");
  await prompt("Make a note");

  // Steering and a follow-up, while a tool runs that waits for them.
  await send("prompt", { message: "Work for a while" });
  await until(started("bash"));
  await send("steer", { message: "Change the plan" });
  await send("follow_up", { message: "And then this" });
  await writeFile(join(workspace, "go"), "");
  await until(settled);

  await send("set_model", { provider: "local", modelId: "two" });
  await prompt("Say hello");
  await send("set_model", { provider: "local", modelId: "three" });
  await send("compact");
  await prompt("Say hello");
  await send("get_messages");
  await send("get_state");
});

const aborts = session(async ({ send, until }) => {
  // While one tool runs and another has ended.
  await send("prompt", { message: "Never end" });
  await until(reported("begun"));
  await until(ended("read"));
  await send("abort");
  await until(settled);
  await send("prompt", { message: "Say hello" });
  await until(settled);

  // In the middle of an answer.
  await send("prompt", { message: "Stream and stall" });
  await until(said(" on"));
  await send("abort");
  await until(settled);
  await send("prompt", { message: "Say hello" });
  await until(settled);
  await send("get_messages");
});

/** Every way to use it. */
export const scenarios: Record<string, Scenario> = {
  "print mode": print,
  "JSON mode": json,
  "RPC mode": rpc,
  "RPC mode, aborted": aborts,
};
