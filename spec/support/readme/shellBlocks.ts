import type { Finding } from "../architecture/sources";

/** What a package.json says that a command line may rest on. */
export interface PackageFacts {
  name: string;
  scripts: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** A command line of npm, held against what package.json offers. The gate runs `npm ci && npm test` itself. */
function npmFinding(line: string, facts: PackageFacts): Finding[] {
  const [, command = "", ...words] = line.split(/\s+/);
  if (command === "install" || command === "i") return installFinding(words, facts);
  const script = command === "run" ? (words[0] ?? "") : command;
  if (script === "ci" || script in facts.scripts) return [];
  return [`${line}: package.json has no script ${script}`];
}

/** An install must bring the package and each of its peers but the optional ones, unless it installs what is there. */
function installFinding(
  words: readonly string[],
  { name, peerDependencies, peerDependenciesMeta = {} }: PackageFacts,
): Finding[] {
  const packages = words
    .filter((word) => !word.startsWith("-"))
    .map((word) => word.replace(/(?<=.)@.*$/, ""));
  if (packages.length === 0) return [];
  const needed = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
  const wanted = [name, ...needed];
  return wanted.filter((item) => !packages.includes(item)).map((item) => `npm install leaves out ${item}`);
}

/** What is wrong with a block of shell commands. A command that this does not know is wrong too. */
export function shellFindings(text: string, facts: PackageFacts): Finding[] {
  const commands = text
    .split(/\n|&&/)
    .map((line) =>
      line
        .replace(/(^|\s)#.*$/, "")
        .replace(/^\$ /, "")
        .trim(),
    )
    .filter((line) => line !== "")
    .map((line) => line.replace(/^([A-Z_]+=\S+ )+/, ""));
  return commands.flatMap((line) =>
    line.startsWith("npm ") ? npmFinding(line, facts) : [`${line}: nobody checks this`],
  );
}
