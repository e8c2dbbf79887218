import ts from "typescript";
import { lineOf, nodesOf, parse, type Finding, type Source } from "./sources";

const STREAM_ROOMS = /^src\/(stages|loop|context|operators)\//;
const PROMISE_CALLS = ["firstValueFrom", "lastValueFrom", "then", "toPromise"];

/** The word for what makes or awaits a promise at a node, if anything does. */
function promiseWord(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return "async";
  if (node.kind === ts.SyntaxKind.AwaitKeyword || ts.isAwaitExpression(node)) return "await";
  if (ts.isNewExpression(node) && node.expression.getText() === "Promise") return "new Promise";
  if (!ts.isPropertyAccessExpression(node) || node.expression.getText() !== "Promise") return undefined;
  return `Promise.${node.name.text}`;
}

/** The name of a call that leads from an observable to a promise, or on from there. */
function promiseCall(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
  return PROMISE_CALLS.find((name) => callee.getText() === name);
}

/** No promises in the stream rooms. The low-level entry points in loop/ may turn a whole run into one, as pi's do. */
export function promisesInStreams(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ path }) => STREAM_ROOMS.test(path))
    .flatMap((source) =>
      nodesOf(parse(source)).flatMap((node) => {
        const word =
          promiseWord(node) ?? (source.path.startsWith("src/loop/") ? undefined : promiseCall(node));
        return word ? [`${source.path}:${lineOf(node)} ${word}`] : [];
      }),
    );
}

/** Rooms that make generators per turn, call or event. */
const RUNTIME = /^src\/(internal|stages|loop|agent)\//;

/** Generators stand at the top of their file: each that is made anew has a shape of its own, which V8 runs slowly. */
export function nestedGenerators(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ path }) => RUNTIME.test(path))
    .flatMap((source) =>
      nodesOf(parse(source)).flatMap((node) => {
        const isGenerator =
          (ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node)) &&
          node.asteriskToken !== undefined;
        return isGenerator && !ts.isSourceFile(node.parent) ? [`${source.path}:${lineOf(node)}`] : [];
      }),
    );
}

/** The lines from `start` to `end` that hold code: neither blank nor comment alone. */
function codeLines(file: ts.SourceFile, start: number, end: number): number {
  const lines = new Set<number>();
  const visit = (node: ts.Node) => {
    const children = node.getChildren(file).filter((child) => !ts.isJSDoc(child));
    if (children.length > 0) return children.forEach(visit);
    const [from, to] = [node.getStart(file), node.getEnd()];
    if (from === to || from < start || to > end) return;
    const last = file.getLineAndCharacterOfPosition(to).line;
    for (let line = file.getLineAndCharacterOfPosition(from).line; line <= last; line++) lines.add(line);
  };
  visit(file);
  return lines.size;
}

/** A file holds 150 lines of code at most. */
export function fileLength(sources: readonly Source[], limit = 150): Finding[] {
  return sources.flatMap((source) => {
    const file = parse(source);
    const lines = codeLines(file, 0, file.getEnd());
    return lines > limit ? [`${source.path} has ${lines} lines of code (limit ${limit})`] : [];
  });
}

/** A function holds 60 lines of code at most. */
export function functionLength(sources: readonly Source[], limit = 60): Finding[] {
  return sources.flatMap((source) => {
    const file = parse(source);
    return nodesOf(file)
      .filter((node) => ts.isFunctionLike(node) && "body" in node && node.body !== undefined)
      .map((node) => ({ node, lines: codeLines(file, node.getStart(file), node.getEnd()) }))
      .filter(({ lines }) => lines > limit)
      .map(
        ({ node, lines }) => `${source.path}:${lineOf(node)} a function of ${lines} lines (limit ${limit})`,
      );
  });
}

/** The names a statement exports, and whether they are there at run time. */
function exportsOfStatement(statement: ts.Statement): { name: string; isValue: boolean }[] {
  if (ts.isExportAssignment(statement)) return [{ name: "default", isValue: true }];
  if (ts.isExportDeclaration(statement)) return exportList(statement);
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  const isValue = !ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement);
  const names = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.map(({ name }) => name.getText())
    : [(statement as ts.DeclarationStatement).name?.text ?? "default"];
  return names.map((name) => ({ name, isValue }));
}

function exportList({ exportClause, isTypeOnly }: ts.ExportDeclaration) {
  if (!exportClause || !ts.isNamedExports(exportClause)) return [];
  return exportClause.elements.map((item) => ({
    name: item.name.text,
    isValue: !isTypeOnly && !item.isTypeOnly,
  }));
}

/** The names a file exports, as an import would list them. */
export const importableNames = (source: Source): string[] =>
  parse(source)
    .statements.flatMap(exportsOfStatement)
    .map(({ name, isValue }) => (isValue ? name : `type ${name}`));

/** `maxItems` and `MAX_ITEMS` are one name, so that a constant may keep its case. */
const bare = (name: string) => name.replaceAll("_", "").toLowerCase();

/** Outside types/ and the doors, a file exports one value or type of its own name, and types beside it. */
export function oneExport(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ path }) => !path.startsWith("src/types/") && !path.endsWith("/index.ts"))
    .flatMap((source) => {
      const name = /([^/]+)\.tsx?$/.exec(source.path)?.[1] ?? "";
      const exported = parse(source).statements.flatMap(exportsOfStatement);
      const strangers = exported.filter((item) => item.isValue && bare(item.name) !== bare(name));
      const own = exported.some((item) => bare(item.name) === bare(name));
      return [
        ...(own ? [] : [`${source.path} does not export ${name}`]),
        ...strangers.map((item) => `${source.path} exports ${item.name}`),
      ];
    });
}

/** No `export *`: every export is named where it leaves. */
export function starExports(sources: readonly Source[]): Finding[] {
  return sources.flatMap((source) =>
    parse(source)
      .statements.filter(ts.isExportDeclaration)
      .filter(({ exportClause }) => !exportClause || ts.isNamespaceExport(exportClause))
      .map((node) => `${source.path}:${lineOf(node)} export *`),
  );
}

/** types/ holds no runtime code. */
export function runtimeInTypes(sources: readonly Source[]): Finding[] {
  const isType = (node: ts.Statement) =>
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    (ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) ||
    (ts.isExportDeclaration(node) && node.isTypeOnly);
  return sources
    .filter(({ path }) => path.startsWith("src/types/"))
    .flatMap((source) =>
      parse(source)
        .statements.filter((node) => !isType(node))
        .map((node) => `${source.path}:${lineOf(node)} is there at run time`),
    );
}

const RUNNERS = ["it", "test", "describe"];
const SWITCHES = ["skip", "only", "todo", "failing"];
const SHORT = ["xit", "fit", "xtest", "xdescribe", "fdescribe"];

/** Whether a name is jest's short form, not something of the file's own that is called the same. */
function isShort(callee: ts.Expression): boolean {
  const name = callee.getText();
  const isOwn = () =>
    new RegExp(`import [^;]*\\b${name}\\b[^;]* from "\\.`).test(callee.getSourceFile().text);
  return SHORT.includes(name) && !isOwn();
}

/** No spec is skipped, focused, promised or expected to fail. */
export function switchedSpecs(sources: readonly Source[]): Finding[] {
  const isSwitched = (node: ts.Node) =>
    (ts.isCallExpression(node) && isShort(node.expression)) ||
    (ts.isPropertyAccessExpression(node) &&
      SWITCHES.includes(node.name.text) &&
      RUNNERS.includes(node.expression.getText().split(".")[0] ?? ""));
  return sources.flatMap((source) =>
    nodesOf(parse(source))
      .filter(isSwitched)
      .map((node) => `${source.path}:${lineOf(node)} ${node.getText().split("(")[0]}`),
  );
}
