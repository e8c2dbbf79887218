import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { builtinModels } from "@earendil-works/pi-ai/providers/all";
import { parse } from "../../../examples/terminal/args";
import { chooseModel } from "../../../examples/terminal/model/chooseModel";
import { defaultModels } from "../../../examples/terminal/model/defaultModels";
import { availableModels } from "../../../examples/terminal/model/providers";

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

describe("availableModels", () => {
  it("lists the models of providers with a key, and none without", async () => {
    expect(await availableModels()).toEqual([]);
    process.env["GROQ_API_KEY"] = "k";
    const names = await availableModels();
    expect(names).toContain("groq/openai/gpt-oss-120b");
    expect(names.every((name) => name.startsWith("groq/"))).toBe(true);
  });
});
