import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { type ImageContent, toToolDeclaration, type Usage } from "@earendil-works/pi-ai";
import type { MessageSpec } from "../script";
import { buildTool } from "./tools";
import type { World } from "./world";

export function usage(n: number): Usage {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: n };
  return { input: n, output: n, cacheRead: 0, cacheWrite: 0, totalTokens: 2 * n, cost };
}

export function images(count: number): ImageContent[] {
  return Array.from({ length: count }, (_, i) => ({
    type: "image",
    data: `image${i}`,
    mimeType: "image/png",
  }));
}

function plainMessage(world: World, spec: MessageSpec, timestamp: number): unknown {
  switch (spec.role) {
    case "user":
      return spec.images === undefined
        ? { role: "user", content: spec.text, timestamp }
        : { role: "user", content: [{ type: "text", text: spec.text }, ...images(spec.images)], timestamp };
    case "note":
      return { role: "note", text: spec.text, timestamp };
    case "system": {
      const added = spec.tools?.map((index) => toToolDeclaration(buildTool(world, index)));
      return {
        role: "system",
        content: spec.text ?? "",
        ...(spec.sections ? { sections: spec.sections } : {}),
        ...(added ? { toolsAdded: added } : {}),
        timestamp,
      };
    }
    case "assistant": {
      const text = { type: "text", text: spec.text };
      const call = { type: "toolCall", id: spec.call, name: "read", arguments: { path: "old" } };
      return {
        role: "assistant",
        content: spec.call === undefined ? [text] : [text, call],
        api: "north-api",
        provider: "north",
        model: "small",
        usage: usage(1),
        stopReason: spec.call === undefined ? "stop" : "toolUse",
        timestamp,
      };
    }
    case "toolResult": {
      const content = [{ type: "text", text: spec.text }];
      return {
        role: "toolResult",
        toolCallId: spec.call,
        toolName: "read",
        content,
        isError: false,
        timestamp,
      };
    }
  }
}

/** Every message built in a world has a name, so that both transcripts can be compared by identity too. */
export function buildMessage(world: World, spec: MessageSpec): AgentMessage {
  const n = world.next("message");
  return world.name(plainMessage(world, spec, 1000 + n) as AgentMessage, `${spec.role}-${n}`);
}
