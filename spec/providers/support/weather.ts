import { bool, int, obj, opt, str } from "@earendil-works/pi-schema";
import type { AgentTool } from "./runtime";

const parameters = obj({
  city: str({ description: "City" }),
  days: int({ minimum: 1 }),
  metric: opt(bool()),
});

export type WeatherTool = AgentTool<typeof parameters>;

/** A tool with parameters from pi-schema's builders; `execute` decides what it does. */
export function weather(execute: WeatherTool["execute"], over: Partial<WeatherTool> = {}): WeatherTool {
  return { name: "weather", label: "Weather", description: "Forecast", parameters, execute, ...over };
}

/** The result of a tool that only says something. */
export function says(text: string) {
  return { content: [{ type: "text" as const, text }], details: {} };
}
