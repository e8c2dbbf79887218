import type { AnyAgentTool } from "pi-agent-rx";
import { calculate } from "./calculate";
import { listFiles } from "./listFiles";
import { readFile } from "./readFile";
import { searchFiles } from "./searchFiles";
import type { Workspace } from "./workspace";

/** What the agent can do in a folder. Nothing here writes. */
export const tools = (workspace: Workspace): AnyAgentTool[] => [
  listFiles(workspace),
  readFile(workspace),
  searchFiles(workspace),
  calculate(),
];
