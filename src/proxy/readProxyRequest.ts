import { normalizeContext, type Message, type TranscriptContext } from "@earendil-works/pi-ai";
import type { ForwardedOptions } from "./ForwardedOptions";
import { HttpError } from "./HttpError";
import { optionTypes } from "./optionTypes";
import type { RequestedModel } from "./ProxyHandlerOptions";

type Json = Record<string, unknown>;

/** What a client asks for, its shape checked. */
interface ProxyRequest {
  readonly requested: RequestedModel;
  readonly context: TranscriptContext;
  readonly options: ForwardedOptions;
}

const ROLES: readonly unknown[] = ["system", "user", "assistant", "toolResult"];

/**
 * Reads the body of a client's request.
 *
 * @remarks Rejects with an {@link HttpError} that names the field: what passes can be handed to a provider. Options that
 * are not on the list of the forwarded ones are dropped.
 */
export async function readProxyRequest(request: Request, maxBytes: number): Promise<ProxyRequest> {
  const body = object(parse(await readText(request, maxBytes)), "body");
  return {
    requested: readModel(object(body.model, "model")),
    context: readContext(object(body.context, "context")),
    options: readOptions(object(body.options ?? {}, "options")),
  };
}

/** Only the model's name: where it is asked, and how, is for the server to say. */
function readModel({ api, id, provider }: Json): RequestedModel {
  for (const [name, value] of Object.entries({ api, id, provider })) {
    check(typeof value === "string", `model.${name}`, "a string");
  }
  return { api, id, provider } as RequestedModel;
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const reader = request.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    bytes += chunk.value.byteLength;
    if (bytes > maxBytes) {
      void reader?.cancel().catch(() => {});
      throw new HttpError(413, `body: expected at most ${maxBytes} bytes`);
    }
    text += decoder.decode(chunk.value, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, "body: expected JSON");
  }
}

function readContext(context: Json): TranscriptContext {
  const { systemPrompt, tools, messages } = context;
  check(systemPrompt === undefined || typeof systemPrompt === "string", "context.systemPrompt", "a string");
  check(tools === undefined || Array.isArray(tools), "context.tools", "an array");
  check(Array.isArray(messages), "context.messages", "an array");
  messages.forEach((message: unknown, index) => checkMessage(message, `context.messages[${index}]`));
  return normalizeContext({ systemPrompt, tools, messages: messages as Message[] });
}

function checkMessage(value: unknown, path: string): void {
  const { role, content } = object(value, path);
  check(ROLES.includes(role), `${path}.role`, ROLES.join(", "));
  const blocks = typeof content === "string" && role !== "assistant" && role !== "toolResult" ? [] : content;
  check(Array.isArray(blocks), `${path}.content`, "an array of blocks");
  blocks.forEach((block: unknown, index) => object(block, `${path}.content[${index}]`));
}

function readOptions(options: Json): ForwardedOptions {
  const names = Object.keys(optionTypes).filter((name) => options[name] !== undefined);
  for (const name of names as (keyof ForwardedOptions)[]) {
    const value = options[name];
    const type = Array.isArray(value) || value === null ? "none" : typeof value;
    check(optionTypes[name].split(" or ").includes(type), `options.${name}`, optionTypes[name]);
  }
  return Object.fromEntries(names.map((name) => [name, options[name]]));
}

function object(value: unknown, path: string): Json {
  check(typeof value === "object" && value !== null && !Array.isArray(value), path, "an object");
  return value as Json;
}

function check(holds: boolean, path: string, expected: string): asserts holds {
  if (!holds) throw new HttpError(400, `${path}: expected ${expected}`);
}
