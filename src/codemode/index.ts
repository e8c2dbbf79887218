export { codemodeTool, type CodemodeDetails, type CodemodeToolOptions } from "./codemodeTool";
export type { CodemodeAgent } from "./CodemodeAgent";
