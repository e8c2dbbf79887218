/** The text of a module that stands in for a provider module of pi-ai: its providers answer without a network. */
export async function offlineModule(path: string, offlineProvider: string): Promise<string> {
  const factories = Object.keys((await import(path)) as object).filter((name) => name.endsWith("Provider"));
  return [
    `import * as real from "${path}";`,
    `import { offlineProvider } from ${JSON.stringify(offlineProvider)};`,
    ...factories.map(
      (name) => `export const ${name} = (...options) => offlineProvider(real.${name}(...options));`,
    ),
  ].join("\n");
}
