import { StdioTransport, StreamableHttpTransport } from "@earendil-works/pi-mcp";
import { resolve } from "node:path";
import { Agent } from "pi-agent-rx";
import { codemodeTool } from "pi-agent-rx/codemode";
import { mcpTools } from "pi-agent-rx/mcp";
import { combineLatest, firstValueFrom, NEVER, share, tap } from "rxjs";
import { parse } from "../terminal/args";
import { ask } from "../terminal/ask";
import { header } from "../terminal/header";
import { chooseModel } from "../terminal/model/chooseModel";
import { offlineModel } from "../terminal/offline/offlineModel";
import { render } from "../terminal/render/render";
import { screen } from "../terminal/render/screen";
import { everythingOverHttp } from "./everythingOverHttp";
import { program } from "./program";
import { respond } from "./respond";
import { shortScripts } from "./shortScripts";

const QUESTION = "How long are the files of the folder? Also add 2 and 3, and work for 1 second.";
const PROMPT =
  "Your tools come from MCP servers. Use codemode for what takes many calls, and answer briefly.";

const { stdout, stderr, env } = process;
const args = parse(process.argv.slice(2));
const folder = resolve(args.folder);
const question = args.question ?? QUESTION;
const display = screen(stdout, env);

const chosen = await chooseModel(args, display.live);
const isOffline = chosen.model.provider === "offline";
const { model, streamFn } = isOffline ? offlineModel(args.pace ?? 0, respond) : chosen;
const agent = new Agent({ streamFn, initialState: { model, systemPrompt: PROMPT } });

/** A server that is a program, and talks over its input and output. */
const overStdio = (name: string, server: string, ...rest: string[]) =>
  mcpTools({
    name,
    transport: () => new StdioTransport({ command: process.execPath, args: [program(server), ...rest] }),
  });

const remote = await everythingOverHttp();
const tools$ = combineLatest([
  overStdio("files", "server-filesystem", folder),
  overStdio("all", "server-everything", "stdio"),
  mcpTools({ name: "web", transport: () => new StreamableHttpTransport({ url: remote.url }) }),
]).pipe(
  tap((lists) => (agent.state.tools = [...lists.flat(), codemodeTool({ agent })])),
  share(),
);
const connections = tools$.subscribe({ error: (error: Error) => stderr.write(`error: ${error.message}\n`) });

process.on("SIGINT", () => agent.abort("Ctrl-C"));
try {
  await firstValueFrom(tools$);
  stdout.write(header(display, chosen, folder, question));
  agent.events$.pipe(shortScripts, render(display, NEVER)).subscribe((text) => stdout.write(text));
  const outcome = await firstValueFrom(ask(agent, question));
  if (agent.state.errorMessage) stderr.write(`error: ${agent.state.errorMessage}\n`);
  process.exitCode = outcome === "completed" ? 0 : 1;
} catch {
  process.exitCode = 1; // its error is told above
} finally {
  connections.unsubscribe();
  await remote.stop();
}
