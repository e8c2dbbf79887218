// Diagrams.
export { alphabet } from "./diagrams/alphabet";
export { parseDiagram, type Diagram, type DiagramRow } from "./diagrams/parseDiagram";
export type { Meaning } from "./diagrams/parseMeaning";
export { runDiagram } from "./diagrams/runDiagram";
export { renderDiagram } from "./diagrams/renderDiagram";
export { drawDiagram } from "./diagrams/drawDiagram";
export type { DiagramOptions } from "./diagrams/traceDiagram";
export type { DiagramAgent } from "./diagrams/diagramUser";
export type { DiagramOperator, DiagramParts } from "./diagrams/traceOperator";
