import { map, type Observable } from "rxjs";
import type { DiagramWords } from "./DiagramParts";
import { diagramModel } from "./diagramModel";
import type { Diagram } from "./parseDiagram";
import type { RowSources } from "./RowSources";
import { sourceValue } from "./sourceValue";

/** What a named operator gets of its diagram. */
export function diagramWords({
  diagram,
  sources,
  args,
  show,
}: {
  diagram: Diagram;
  sources: RowSources;
  args: readonly unknown[];
  show: (value: unknown) => void;
}): DiagramWords {
  const value = sourceValue(diagram, diagramModel);
  return {
    argument: <T>(index = 0) => args[index] as T,
    input: <T>(name: string) => sources.input(name).pipe(map(value)) as Observable<T>,
    show,
  };
}
