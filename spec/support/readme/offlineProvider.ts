import {
  createFauxCore,
  fauxAssistantMessage,
  fauxToolCall,
  getCurrentTools,
  type Message,
  type Provider,
  type Tool,
  type ToolCall,
  type TranscriptContext,
} from "@earendil-works/pi-ai";

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  enum?: unknown[];
  default?: unknown;
}

/** A value that fits a schema, so that a tool of an example can be called. */
function valueOf(schema: JsonSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, part]) => [name, valueOf(part)]),
      );
    case "array":
      return schema.items ? [valueOf(schema.items)] : [];
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    default:
      return "README.md";
  }
}

const callOf = (tool: Tool) => fauxToolCall(tool.name, valueOf(tool.parameters) as ToolCall["arguments"]);

/** Calls every tool there is once after each user message, then answers in words. */
function answerTo({ messages }: TranscriptContext) {
  const asked = messages.findLastIndex(({ role }: Message) => role === "user");
  const tools = messages.slice(asked).some(({ role }) => role === "toolResult")
    ? []
    : getCurrentTools([...messages]);
  if (tools.length > 0) return fauxAssistantMessage(tools.map(callOf), { stopReason: "toolUse" });
  return fauxAssistantMessage("An answer that was made without a network.");
}

/** A provider of pi-ai with its own models, that needs no key and answers without a network. */
export function offlineProvider(real: Provider): Provider {
  const streamSimple: Provider["streamSimple"] = (model, context, options) => {
    const core = createFauxCore({ api: model.api, provider: model.provider, models: [{ id: model.id }] });
    core.setResponses([answerTo]);
    return core.streamSimple(model, context, options);
  };
  return {
    ...real,
    auth: { apiKey: { name: "none", resolve: () => Promise.resolve({ auth: {}, source: "offline" }) } },
    stream: streamSimple as Provider["stream"],
    streamSimple,
  };
}
