const SOME = 8;

const some = (items: string[]) =>
  items.length > SOME
    ? `${items.slice(0, SOME).join(", ")} and ${items.length - SOME} more`
    : items.join(", ");

/** The first paragraph: lines of prose up to a blank one. */
const firstParagraph = (lines: string[]) => {
  const from = lines.findIndex(
    (line) => /^[A-Za-z“"*_`[]/.test(line.trim()) && !/^(```|\[!\[)/.test(line.trim()),
  );
  if (from < 0) return "";
  const rest = lines.slice(from);
  const blank = rest.findIndex((line) => line.trim() === "");
  const text = rest
    .slice(0, blank < 0 ? rest.length : blank)
    .join(" ")
    .replace(/\s+/g, " ");
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

const markdown = (lines: string[]) => {
  const headings = lines.filter((line) => /^#{1,3} \S/.test(line)).map((line) => line.replace(/^#+\s*/, ""));
  const about = firstParagraph(lines);
  return [
    ...(headings.length > 0 ? [`Its headings: ${some(headings)}.`] : []),
    ...(about ? [`It begins: “${about}”`] : []),
  ];
};

const json = (lines: string[]) => {
  try {
    const value: unknown = JSON.parse(lines.join("\n"));
    if (Array.isArray(value)) return [`It holds a list of ${value.length}.`];
    if (typeof value !== "object" || value === null) return [`It holds ${JSON.stringify(value)}.`];
    const fields = value as Record<string, unknown>;
    const named = ["name", "version", "description"].filter((key) => typeof fields[key] === "string");
    const scripts =
      typeof fields["scripts"] === "object" && fields["scripts"] ? Object.keys(fields["scripts"]) : [];
    return [
      `Its fields: ${some(Object.keys(fields))}.`,
      ...named.map((key) => `${key}: ${String(fields[key])}`),
      ...(scripts.length > 0 ? [`Its scripts: ${some(scripts)}.`] : []),
    ];
  } catch {
    return [];
  }
};

const code = (lines: string[]) => {
  const declared =
    /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|class|interface|type|const|enum|def|fn|func|struct)\s+([A-Za-z_$][\w$]*)/;
  const exported = lines.filter((line) => line.startsWith("export "));
  const names = (exported.length > 0 ? exported : lines).flatMap((line) => declared.exec(line)?.[1] ?? []);
  const imports = lines.flatMap(
    (line) => /^(?:import|export)\b.*?from\s+["']([^"']+)["']/.exec(line)?.[1] ?? [],
  );
  return [
    ...(names.length > 0
      ? [`It ${exported.length > 0 ? "exports" : "defines"} ${some([...new Set(names)])}.`]
      : []),
    ...(imports.length > 0 ? [`It imports from ${some([...new Set(imports)])}.`] : []),
  ];
};

const excerpt = (lines: string[], count: number) => {
  const shown = lines.slice(0, count);
  return [...shown.map((line) => `  | ${line}`), ...(lines.length > count ? ["  | …"] : [])];
};

/** What rules can say about a file: its outline, by its kind, or else how it begins. */
export function describe(path: string, lines: string[]): string[] {
  const outline = /\.(md|markdown)$/i.test(path)
    ? markdown(lines)
    : /\.json$/i.test(path)
      ? json(lines)
      : /\.(m?[jt]sx?|py|rs|go|c|cpp|h|java|rb|sh)$/i.test(path)
        ? code(lines)
        : [];
  return outline.length > 0 ? outline : excerpt(lines, SOME);
}

/** The beginning of a file, as it stands. */
export const beginning = (lines: string[]) => excerpt(lines, 20);
