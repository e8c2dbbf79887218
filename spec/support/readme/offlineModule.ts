// Two modules that share a third are not to be linked at once: jest loses it ("is not in cache").
let last: Promise<unknown> = Promise.resolve();

function imported(path: string): Promise<object> {
  const module = last.then(() => import(path) as Promise<object>);
  last = module.catch(() => {});
  return module;
}

/** The text of a module that stands in for a provider module of pi-ai: its providers answer without a network. */
export async function offlineModule(path: string, offlineProvider: string): Promise<string> {
  const factories = Object.keys(await imported(path)).filter((name) => name.endsWith("Provider"));
  return [
    `import * as real from "${path}";`,
    `import { offlineProvider } from ${JSON.stringify(offlineProvider)};`,
    ...factories.map(
      (name) => `export const ${name} = (...options) => offlineProvider(real.${name}(...options));`,
    ),
  ].join("\n");
}
