import type { Finding, Source } from "./sources";

// Put together here, so that no file holds a registry's address, this one included.
const REGISTRIES = [
  ["registry", "npmjs", "org"],
  ["registry", "yarnpkg", "com"],
  ["registry", "npmmirror", "com"],
  ["npm", "pkg", "github", "com"],
  ["deb", "debian", "org"],
].map((labels) => labels.join("."));

/** No file names a package registry; `others` are hosts of the machine's own configuration. */
export function registryHosts(files: readonly Source[], others: readonly string[] = []): Finding[] {
  const hosts = [...REGISTRIES, ...others];
  return files.flatMap(({ path, text }) =>
    hosts.filter((host) => text.includes(host)).map((host) => `${path} names ${host}`),
  );
}

/** A lock file records what is installed, not where from. */
export function lockedAddresses(files: readonly Source[]): Finding[] {
  return files
    .filter(({ path }) => /(^|\/)package-lock\.json$/.test(path))
    .flatMap(({ path, text }) =>
      (text.match(/"resolved": *"http[^"]*/g) ?? []).map((line) => `${path}: ${line}`),
    );
}
