// Diagrams.
export { alphabet } from "./diagrams/alphabet";
export { parseDiagram, type Diagram, type DiagramRow } from "./diagrams/parseDiagram";
export type { Meaning } from "./diagrams/parseMeaning";
export { runDiagram } from "./diagrams/runDiagram";
export { renderDiagram } from "./diagrams/renderDiagram";
export { drawDiagram } from "./diagrams/drawDiagram";
export type { DiagramOptions } from "./diagrams/traceDiagram";
export type { DiagramAgent } from "./diagrams/diagramUser";
export type { DiagramOperator, DiagramParts, DiagramPolicy, DiagramWords } from "./diagrams/DiagramParts";

// The kit.
export { call } from "./call";
export { cut } from "./cut";
export { fail } from "./fail";
export { fakeModel, type FakeModel, type FakeModelOptions } from "./fakeModel";
export type { FakeRequest, FakeRequestOptions } from "./FakeRequest";
export type { FakeAnswer, FakePart, FakeResponse } from "./FakeResponse";
export { fakeTool, type FakeTool, type FakeToolCall } from "./fakeTool";
export type { FakeToolRun, FakeToolStep } from "./FakeToolRun";
export { messageLine } from "./messageLine";
export { pause } from "./pause";
export { say } from "./say";
export { spend } from "./spend";
export { stall } from "./stall";
export { think } from "./think";
export { checkRun } from "./laws/checkRun";
export type { Law, LawWatch } from "./laws/Law";
export { laws } from "./laws/laws";
export type { QueueingAgent } from "./laws/QueueWatch";
export { verifyRun, type VerifyRunOptions } from "./laws/verifyRun";
export { LawViolation } from "./LawViolation";
export type { QueueFact, Recording, RecordingEntry } from "./Recording";
export { recordRun, type RecordableAgent, type Recorder } from "./recordRun";
export { replayRun, type Replay, type ReplayRunOptions } from "./replayRun";
export { agentTest, type AgentTestOptions } from "./agent/agentTest";
export type { AgentTestKit, DeepPartial, ExpectedRequest, ScriptedModel } from "./agent/AgentTestKit";
export { marbles } from "./marbles";
export { toolMarbles } from "./toolMarbles";
