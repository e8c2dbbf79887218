import { Agent } from "pi-agent-rx";
import type { ChosenModel } from "./model/chosenModel";
import { tools } from "./tools/tools";
import type { Workspace } from "./tools/workspace";

const systemPrompt = (folder: string) =>
  [
    "You answer questions in a terminal. Your tools list, read and search the files of one folder, and calculate.",
    `The folder is ${folder}; paths are relative to it, and nothing outside can be read.`,
    "Look things up rather than guess, call tools together when they do not depend on each other, and answer briefly,",
    "in plain text without Markdown.",
  ].join("\n");

/** The agent of this program: a model, the tools, and what it is told about them. */
export const createAgent = ({ model, streamFn }: ChosenModel, workspace: Workspace) =>
  new Agent({
    streamFn,
    initialState: { model, systemPrompt: systemPrompt(workspace.root), tools: tools(workspace) },
    identity: { attribution: null },
  });
