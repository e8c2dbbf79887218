export { dedupeReads, type DedupeReadsOptions } from "./dedupeReads";
export { dropThinking, type DropThinkingOptions } from "./dropThinking";
export { elideImages, type ElideImagesOptions } from "./elideImages";
export { elideToolResults, type ElideToolResultsOptions } from "./elideToolResults";
export { fitBudget, type FitBudgetOptions } from "./fitBudget";
export { inject, type Injection, type InjectOptions } from "./inject";
export { keepLastTurns, type KeepLastTurnsOptions } from "./keepLastTurns";
export { repair, type Repair } from "./repair";
export { repairTranscript, type RepairTranscriptOptions } from "./repairTranscript";
