import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { normalizeContext } from "@earendil-works/pi-ai";
import { builtinModels } from "@earendil-works/pi-ai/providers/all";
import { parse } from "../../../examples/terminal/args";
import { listModels } from "../../../examples/terminal/listModels";
import { chooseModel } from "../../../examples/terminal/model/chooseModel";
import { defaultModels } from "../../../examples/terminal/model/defaultModels";
import { availableModels } from "../../../examples/terminal/model/providers";
import { openAiServer, sendEvents } from "../support/openAiServer";
import { asked } from "../support/transcript";

const before = process.env;

beforeEach(() => {
  process.env = { HOME: "/nonexistent" };
});

afterEach(() => {
  process.env = before;
});

const choose = async (env: Record<string, string>, ...argv: string[]) => {
  process.env = { HOME: "/nonexistent", ...env };
  const { label, model } = await chooseModel(parse(argv), false);
  return { label, provider: model.provider };
};

describe("defaultModels", () => {
  it("has a model of pi-ai's catalog for every provider that has models", () => {
    const models = builtinModels();
    const missing = models
      .getProviders()
      .filter(
        ({ id }) => models.getModels(id).length > 0 && !models.getModel(id, defaultModels.get(id) ?? ""),
      )
      .map(({ id }) => id);
    expect(missing).toEqual([]);
  });
});

describe("chooseModel", () => {
  it("takes the provider whose key is in the environment", async () => {
    expect(await choose({ ANTHROPIC_API_KEY: "k" })).toEqual({
      label: "anthropic/claude-sonnet-5-5 (ANTHROPIC_API_KEY)",
      provider: "anthropic",
    });
  });

  it("prefers a key that is there for this to one that lies around", async () => {
    expect((await choose({ HF_TOKEN: "k", GROQ_API_KEY: "k" })).provider).toBe("groq");
    expect((await choose({ HF_TOKEN: "k" })).provider).toBe("huggingface");
  });

  it("takes the offline model without a key, and when it is asked for", async () => {
    expect((await choose({})).label).toBe("offline model: rule-based, no LLM");
    expect((await choose({ OPENAI_API_KEY: "k" }, "--offline")).provider).toBe("offline");
  });

  it("takes the model that --model names", async () => {
    const env = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" };
    expect((await choose(env, "--model", "openai/gpt-4.1")).label).toBe("openai/gpt-4.1 (OPENAI_API_KEY)");
  });

  it.each([
    ["nonsense", '--model: expected provider/id, got "nonsense"; the providers are anthropic, openai,'],
    ["nobody/x", '--model: expected provider/id, got "nobody/x"'],
    ["anthropic/sonnet", '--model: expected a model of anthropic, got "sonnet"; it has claude-sonnet'],
    ["anthropic/claude-sonnet-5-5", "--model: expected Anthropic API key in the environment, found none"],
  ])("refuses %s", async (model, message) => {
    await expect(choose({}, "--model", model)).rejects.toThrow(message);
  });
});

describe("a provider's key in the environment", () => {
  it("reaches the provider, with its default model", async () => {
    const item = {
      type: "message",
      id: "m",
      role: "assistant",
      status: "completed",
      content: [] as object[],
    };
    const part = { type: "output_text", text: "Hello from the provider.", annotations: [] };
    const at = { item_id: "m", output_index: 0, content_index: 0 };
    const response = { id: "r", object: "response", status: "in_progress", output: [] };
    const done = { ...item, content: [part] };
    const server = await openAiServer((answer) =>
      sendEvents(answer, [
        { type: "response.created", response },
        { type: "response.output_item.added", output_index: 0, item },
        { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
        { type: "response.output_text.delta", ...at, delta: part.text },
        { type: "response.output_item.done", output_index: 0, item: done },
        { type: "response.completed", response: { ...response, status: "completed", output: [done] } },
      ]),
    );
    process.env = { AZURE_OPENAI_API_KEY: "azure-key", AZURE_OPENAI_BASE_URL: server.url };
    const { model, label, streamFn } = await chooseModel(parse([]), false);
    const stream = await streamFn(model, normalizeContext({ messages: [asked("hello")] }));
    const { content, errorMessage } = await stream.result();
    await server.close();
    expect(errorMessage).toBeUndefined();
    expect(label).toMatch(/^azure\/gpt-\S+ \(AZURE_OPENAI_API_KEY\)$/);
    expect(content).toMatchObject([{ type: "text", text: "Hello from the provider." }]);
    expect(JSON.stringify(server.seen[0]!.body)).toContain(model.id);
  });
});

describe("listModels", () => {
  it("lists the models of a server", async () => {
    const data = [{ id: "one" }, { id: "two" }];
    const server = await openAiServer((response) => response.end(JSON.stringify({ data })));
    const names = await listModels(parse(["--base-url", server.url, "--list-models"]));
    await server.close();
    expect(names).toBe("one\ntwo\n");
    expect(server.seen[0]!.path).toBe("/v1/models");
  });

  it("says that there is no key, or what a server answered", async () => {
    expect(await listModels(parse(["--list-models"]))).toBe("No provider's key is in the environment.\n");
    const server = await openAiServer((response) => response.writeHead(404).end());
    const args = parse(["--base-url", server.url, "--list-models"]);
    await expect(listModels(args)).rejects.toThrow(`${server.url}/v1/models: HTTP 404`);
    await server.close();
    await expect(listModels(args)).rejects.toThrow(`${server.url}/v1: `);
  });
});

describe("availableModels", () => {
  it("lists the models of providers with a key, and none without", async () => {
    expect(await availableModels()).toEqual([]);
    process.env["GROQ_API_KEY"] = "k";
    const names = await availableModels();
    expect(names).toContain("groq/openai/gpt-oss-120b");
    expect(names.every((name) => name.startsWith("groq/"))).toBe(true);
  });
});
