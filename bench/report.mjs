// Makes tables of what was measured. `results` are the values of each round, by series and contender.
import { names } from "./names.mjs";

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const number = (value) => (value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3));
const row = (cells) => `| ${cells.join(" | ")} |`;
const table = (head, rows) => [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

/** The values that two cells have in the same rounds, put together; nothing when they share none. */
function paired(results, of, to, combine) {
  const [a, b] = [of, to].map(([series, contender]) => results.get(series)?.get(contender)?.values ?? []);
  const values = a.slice(0, b.length).map((value, round) => combine(value, b[round]));
  return values.length > 0 ? median(values) : undefined;
}

const ratioOf = (results, of, to) => paired(results, of, to, (a, b) => a / b);

function ratioCell(results, of, to) {
  const ratio = ratioOf(results, of, to);
  return ratio === undefined ? "" : `${number(ratio)} ×`;
}

function workloadTable(workload, results) {
  const { series, unit, versus } = workload;
  const contenders = new Set(series.flatMap((each) => each.contenders));
  const compared = ["floor", "pi"].filter((name) => contenders.has(name));
  const head = ["", ...(contenders.size > 1 ? ["Contender"] : []), "Median", "Spread"];
  head.push(...compared.map((name) => `to ${name}`), ...(versus ? [`to ${versus}`] : []));
  const rows = series.flatMap((each) =>
    each.contenders.map((contender) => {
      const { values, error } = results.get(each.label).get(contender);
      const label = [each.label, ...(contenders.size > 1 ? [names[contender]] : [])];
      if (values.length === 0)
        return [
          ...label,
          `did not run: ${error.replaceAll("|", "/")}`,
          ...head.slice(label.length + 1).fill(""),
        ];
      const here = [each.label, contender];
      return [
        ...label,
        `${number(median(values))} ${each.unit ?? unit}`,
        values.length > 1 ? `${number(Math.min(...values))} – ${number(Math.max(...values))}` : "",
        ...compared.map((name) => (name === contender ? "" : ratioCell(results, here, [each.label, name]))),
        ...(versus
          ? [
              !each.baseline || each.baseline === each.label
                ? ""
                : ratioCell(results, here, [each.baseline, contender]),
            ]
          : []),
      ];
    }),
  );
  return table(head, rows);
}

/** What a target came to, and whether it is met. */
function verdict({ of, to, minus, limit }, { unit, series }, results) {
  const format = (value) => {
    if (to) return `${number(value)} ×`;
    return `${number(value)} ${series.find(({ label }) => label === of[0]).unit ?? unit}`;
  };
  const value = to
    ? ratioOf(results, of, to)
    : paired(results, of, minus ?? of, (a, b) => (minus ? a - b : a));
  if (value === undefined) return ["not measured", "no"];
  return [`${minus && value > 0 ? "+" : ""}${format(value)}`, value <= limit ? "yes" : "**no**"];
}

export function targetTable(measured) {
  const rows = measured.flatMap(({ workload, results }) =>
    workload.targets.map((target) => [workload.name, target.text, ...verdict(target, workload, results)]),
  );
  return table(["", "Target", "Measured", "Met"], rows);
}

export function section({ workload, results }) {
  const notes = (workload.notes ?? []).map((note) => `- ${note}`).join("\n");
  return [`## ${workload.name}: ${workload.title}`, workloadTable(workload, results), notes]
    .filter((part) => part !== "")
    .join("\n\n");
}

export function page(measured, machine, versions) {
  return [
    "# Results",
    "Written by `npm run bench`; what is measured, and how, is in [README.md](README.md).",
    table(["Machine", ""], machine),
    table(["Package", "Version"], versions),
    `CPU time; the median of three rounds (two for W8 and for the slow peers, nine for W5), and the spread from the
lowest to the highest. A ratio is the median of the ratios of the rounds: what one round measures, it measures on the
same machine in the same minutes.`,
    "## Targets",
    targetTable(measured),
    ...measured.map(section),
  ].join("\n\n");
}
