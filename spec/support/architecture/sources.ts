import { readFileSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import ts from "typescript";

/** One source file of the project: where it lies, from the project's root, and what it says. */
export interface Source {
  path: string;
  text: string;
}

/** What a rule found: the place and what is wrong there. */
export type Finding = string;

/** The TypeScript files under a folder of the project. */
export function readSources(root: string, folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
    .filter((path) => /\.tsx?$/.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

export function parse({ path, text }: Source): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/** Every node of a file, in source order. */
export function nodesOf(file: ts.SourceFile): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return nodes;
}

export function lineOf(node: ts.Node): number {
  const file = node.getSourceFile();
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}

/** The module a node names, for each way of naming one: import, re-export, `import()`, `typeof import()`. */
function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literal(node.moduleSpecifier);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return literal(node.argument.literal);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return literal(node.arguments[0]);
  }
  return undefined;
}

const literal = (node?: ts.Node) => (node && ts.isStringLiteralLike(node) ? node.text : undefined);

/** The modules a file names, as it names them. */
export function importsOf(source: Source): string[] {
  return nodesOf(parse(source))
    .map(specifierOf)
    .filter((specifier) => specifier !== undefined);
}

/** The file that a relative import means, among the sources there are. */
export function resolveImport(
  from: string,
  specifier: string,
  paths: ReadonlySet<string>,
): string | undefined {
  const target = posix.join(posix.dirname(from), specifier);
  return [`${target}.ts`, `${target}.tsx`, `${target}/index.ts`, target].find((path) => paths.has(path));
}
