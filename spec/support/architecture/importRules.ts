import { importsOf, resolveImport, type Finding, type Source } from "./sources";

/** What each room may import beside itself, by design section 3. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  types: [],
  internal: ["types"],
  stages: ["internal", "types"],
  loop: ["stages", "internal", "types"],
  agent: ["loop", "stages", "internal", "types"],
  context: ["internal", "types"],
  operators: ["internal", "types"],
  adapters: ["internal", "types"],
  proxy: ["internal", "types"],
  mcp: ["internal", "types"],
  codemode: ["internal", "types"],
  testing: ["internal", "types"],
  index: ["types", "internal", "stages", "loop", "agent", "context", "operators", "adapters", "proxy"],
};

const PEERS = ["rxjs", "@earendil-works/pi-ai", "@earendil-works/pi-schema"];

/** What one room alone may import: its optional peer, and the main door by its name. */
const ROOM_PEERS: Record<string, readonly string[]> = {
  mcp: ["@earendil-works/pi-mcp"],
  codemode: ["@earendil-works/pi-codemode", "pi-agent-rx"],
};

const roomOf = (path: string) => path.split("/")[1]?.replace(/\.ts$/, "") ?? "";

/** Files that may import each other: a room, but in stages one stage, and in adapters one wire format. */
function unitOf(path: string): string {
  const parts = path.split("/");
  return ["stages", "adapters"].includes(roomOf(path))
    ? parts.slice(0, 3).join("/")
    : parts.slice(0, 2).join("/");
}

const isDoor = (path: string) => /^src\/[^/]+\/index\.ts$/.test(path);

function directionFinding(from: string, to: string): Finding[] {
  const [room, target] = [roomOf(from), roomOf(to)];
  const inside = unitOf(from) === unitOf(to) || (isDoor(from) && room === target);
  return inside || MAY_IMPORT[room]?.includes(target) ? [] : [`${from} imports ${to}`];
}

/** Imports go down only, and every file of src lies in a room. */
export function importDirections(sources: readonly Source[]): Finding[] {
  const paths = new Set(sources.map(({ path }) => path));
  return sources.flatMap((source) => {
    if (!(roomOf(source.path) in MAY_IMPORT)) return [`${source.path} lies in no room`];
    return importsOf(source)
      .filter((specifier) => specifier.startsWith("."))
      .flatMap((specifier) => {
        const target = resolveImport(source.path, specifier, paths);
        return target
          ? directionFinding(source.path, target)
          : [`${source.path} imports ${specifier}, which is no file`];
      });
  });
}

/** Packages: the peers anywhere, an optional one in its room, `node:` and others in testing alone. */
export function packageImports(sources: readonly Source[]): Finding[] {
  const isPeer = (path: string, specifier: string) =>
    [...PEERS, ...(ROOM_PEERS[roomOf(path)] ?? [])].some(
      (peer) => specifier === peer || specifier.startsWith(`${peer}/`),
    );
  return sources
    .filter(({ path }) => roomOf(path) !== "testing")
    .flatMap((source) =>
      importsOf(source)
        .filter((specifier) => !specifier.startsWith(".") && !isPeer(source.path, specifier))
        .map((specifier) => `${source.path} imports ${specifier}`),
    );
}

/** No file reaches itself through its imports; type-only imports count. */
export function importCycles(sources: readonly Source[]): Finding[] {
  const paths = new Set(sources.map(({ path }) => path));
  const graph = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source).flatMap((specifier) => resolveImport(source.path, specifier, paths) ?? []),
    ]),
  );
  const done = new Set<string>();
  const findings: Finding[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path);
    if (start >= 0) findings.push([...trail.slice(start), path].join(" → "));
    if (start >= 0 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of paths) visit(path, []);
  return findings;
}
