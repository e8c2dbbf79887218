import { posix } from "node:path";
import ts from "typescript";
import { projectRoot } from "./projectRoot";

const config = ts.parseJsonConfigFileContent(
  ts.readConfigFile(`${projectRoot}/tsconfig.json`, (path) => ts.sys.readFile(path)).config,
  ts.sys,
  projectRoot,
);

export type PathMap = Record<string, string[]>;

/** The project's own mapping: `pi-agent-rx` is the source. */
export const OURS: PathMap = config.options.paths as PathMap;

/** Programs written for pi, given ours. */
export const PI_IS_OURS: PathMap = { ...OURS, "@earendil-works/pi-agent-core": ["./src/index.ts"] };

const parsed = new Map<string, ts.SourceFile | undefined>();

/** A host that knows some files by heart, and reads and parses each other file once for all compilations. */
function hostOf(sources: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const inMemory = (path: string) => sources.get(path);
  return {
    ...host,
    fileExists: (path) => inMemory(path) !== undefined || host.fileExists(path),
    readFile: (path) => inMemory(path) ?? host.readFile(path),
    getSourceFile: (path, version) => {
      const text = inMemory(path);
      if (text !== undefined) return ts.createSourceFile(path, text, version, true);
      if (!parsed.has(path)) parsed.set(path, read(path, version));
      return parsed.get(path);
    },
  };
}

/** A program of these texts (by their path from the project's root) under the project's own compiler options. */
export function createProgram(texts: Record<string, string>, paths: PathMap = OURS): ts.Program {
  const sources = new Map(Object.entries(texts).map(([path, text]) => [posix.join(projectRoot, path), text]));
  const options: ts.CompilerOptions = { ...config.options, noEmit: true, paths };
  return ts.createProgram([...sources.keys()], options, hostOf(sources, options));
}

/** What the compiler says against these texts, one line each; nothing when they compile. */
export function compile(texts: Record<string, string>, paths: PathMap = OURS): string[] {
  const program = createProgram(texts, paths);
  const roots = Object.keys(texts).flatMap(
    (path) => program.getSourceFile(posix.join(projectRoot, path)) ?? [],
  );
  return [
    ...program.getGlobalDiagnostics(),
    ...roots.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ].map(describeDiagnostic);
}

function describeDiagnostic({ file, start, messageText }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, "\n");
  if (!file) return text;
  const line = file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
  return `${posix.relative(projectRoot, file.fileName)}:${line} ${text}`;
}
