import { bool, int, obj, opt, str } from "@earendil-works/pi-schema";
import type { AgentTool } from "pi-agent-rx";

const parameters = obj({
  city: str({ description: "City" }),
  days: int({ minimum: 1 }),
  metric: opt(bool()),
});

export type WeatherTool<TOutput> = AgentTool<typeof parameters, object, TOutput>;

/** A tool with parameters from pi-schema's builders; `execute` decides what it does. */
export function weather<TOutput>(
  execute: WeatherTool<TOutput>["execute"],
  over: Partial<WeatherTool<TOutput>> = {},
): WeatherTool<TOutput> {
  return { name: "weather", label: "Weather", description: "Forecast", parameters, execute, ...over };
}

/** The result of a tool that only says something. */
export function says(text: string) {
  return { content: [{ type: "text" as const, text }], details: {} };
}
