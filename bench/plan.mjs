// What is measured, and what it is to be. A series is one workload at one size; its contenders run in turn.

const peers = ["openai", "tanstack", "ai", "langgraph", "mastra"];
const own = ["ours", "ours-loop"];

/** `of` and `to` are `[series, contender]`; their ratio is at most `limit`. */
const ratio = (of, to, limit, text) => ({ of, to, limit, text });
const toPi = (series, limit) => ratio([series, "ours"], [series, "pi"], limit, `${series}: ≤ ${limit} × pi`);
const flat = (series, from, limit, contender = "ours") =>
  ratio([series, contender], [from, contender], limit, `${series}: ≤ ${limit} × ${from}`);

const sized = (count, unit) => `${count.toLocaleString("en")} ${unit}`;
const deltas = (label, workload, contenders) => ({ label, workload, count: 20_000, contenders });
const turns = (count, contenders) => ({
  label: sized(count, "turns"),
  baseline: sized(100, "turns"),
  workload: "turns",
  count,
  contenders,
});
const calls = (count, contenders) => ({
  label: sized(count, "calls"),
  baseline: count > 1_000 ? sized(1_000, "calls") : undefined,
  workload: "calls",
  count,
  contenders,
});

const contextOperators = [
  "keepLastTurns",
  "fitBudget",
  "elideToolResults",
  "elideImages",
  "dropThinking",
  "dedupeReads",
  "inject",
  "summarize",
  "repairTranscript",
];
const requests = contextOperators.flatMap((name) => [`${name}, first`, `${name}, next`]);
const over = (count, request) => sized(count, `messages, ${request}`);

export const plan = [
  {
    name: "W1",
    title: "One answer in 20,000 deltas, one synchronous listener",
    unit: "µs a delta",
    series: [deltas("20,000 deltas", "deltas", ["floor", ...own, "pi", ...peers])],
    targets: [
      toPi("20,000 deltas", 0.6),
      ratio(["20,000 deltas", "ours"], ["20,000 deltas", "floor"], 2, "20,000 deltas: ≤ 2 × floor"),
    ],
    notes: [
      "Where a delta of ours goes (`--cpu-prof`): a quarter garbage collection, half the gate, the state and the listener, a tenth RxJS, a tenth the stream. No part of it is above 12 %.",
    ],
  },
  {
    name: "W1b",
    title: "The same with ten listeners, and with an asynchronous one",
    unit: "µs a delta",
    series: [
      deltas("ten listeners", "tenListeners", ["floor", "ours", "pi"]),
      deltas("async listener", "asyncListener", ["floor", "ours", "pi"]),
    ],
    targets: [toPi("ten listeners", 0.6), toPi("async listener", 1)],
    notes: [
      "With an asynchronous listener each event needs a step of its own that ends when it has passed: an object and an observable of which pi has none.",
    ],
  },
  {
    name: "W2",
    title: "A run of many turns, one tool call in each",
    unit: "µs a turn",
    versus: "100 turns",
    series: [
      turns(100, ["floor", ...own, "pi", ...peers]),
      turns(1_000, ["floor", ...own, "pi"]),
      turns(3_000, ["floor", ...own, "pi"]),
      turns(10_000, ["floor", ...own, "pi"]),
    ],
    targets: [
      toPi("100 turns", 0.7),
      toPi("1,000 turns", 0.6),
      toPi("3,000 turns", 0.4),
      flat("10,000 turns", "100 turns", 2),
    ],
    notes: [
      "The slow peers run 100 turns only, so that all of it takes a quarter of an hour.",
      "Where a turn of ours goes at 100: a sixth RxJS, a tenth the validation of the arguments, the rest in parts of 1 to 3 %: the events, the hooks and the stages.",
      "Each request gets an array of its own, as in pi. At 10,000 turns, two thirds of a turn go into copying it and into seeing that its first messages are still those of the last request; `agentLoop`, whose `convertToLlm` gives the transcript itself, stays flat.",
    ],
  },
  {
    name: "W3",
    title: "One turn of many parallel tool calls",
    unit: "µs a call",
    versus: "1,000 calls",
    series: [
      calls(100, ["floor", ...own, "pi", ...peers]),
      calls(1_000, ["floor", ...own, "pi", ...peers.filter((peer) => peer !== "openai")]),
      calls(10_000, ["floor", ...own]),
    ],
    notes: [
      "@openai/agents is left out at 1,000 calls: for each result it searches all calls, and a run takes half a minute.",
      "pi-agent-core is left out at 10,000 calls: it copies a set for each, and a run takes ten seconds.",
      "At 10,000 calls a fifth is garbage collection: the batch outlives the young generation, as the floor's does.",
    ],
    targets: [toPi("1,000 calls", 0.2), flat("10,000 calls", "1,000 calls", 1.2)],
  },
  {
    name: "W4",
    title: "1,000 agents at once, two turns each; memory of an idle agent",
    unit: "ms in all",
    perRun: 1_000,
    series: [
      { label: "1,000 agents", workload: "agents", count: 1_000, contenders: ["floor", "ours", "pi"] },
      { label: "new", workload: "idle", count: 2_000, contenders: ["ours", "pi"], unit: "KB an agent" },
      {
        label: "after two turns",
        workload: "rested",
        count: 2_000,
        contenders: ["ours", "pi"],
        unit: "KB an agent",
      },
    ],
    targets: [toPi("1,000 agents", 0.8), toPi("new", 1), toPi("after two turns", 1)],
    notes: [
      "Where an agent of ours goes: a fifth garbage collection, a sixth declaring its tools (pi-ai), a tenth RxJS; making a run (its signal, gate, configuration and stages) costs about two turns.",
    ],
  },
  {
    name: "W5",
    title: "Cold import of the built package, each in a process of its own; its size",
    unit: "ms",
    rounds: 9,
    series: [
      { label: "wall", import: "wall", contenders: ["ours", "pi", "pi-ai", "rxjs"] },
      { label: "CPU", import: "cpu", contenders: ["ours", "pi", "pi-ai", "rxjs"] },
      { label: "core without peers, gzipped", size: true, contenders: ["ours"], unit: "KB" },
    ],
    targets: [
      { of: ["wall", "ours"], minus: ["wall", "pi"], limit: 15, text: "wall: ≤ pi + 15 ms" },
      { of: ["CPU", "ours"], minus: ["CPU", "pi"], limit: 15, text: "CPU: ≤ pi + 15 ms" },
      { of: ["core without peers, gzipped", "ours"], limit: 12, text: "core without peers: ≤ 12 KB gzipped" },
    ],
    notes: [
      "Under Node `rxjs` is its CommonJS build of some two hundred files: it alone takes longer than all of pi-agent-core. Bundled, as for a browser, it does not.",
      "The core was 12.0 KB when a turn cost two and a half times pi's; what made it faster took 0.7 KB.",
    ],
  },
  {
    name: "W6",
    title: "A transcript of 50,000 messages",
    unit: "ms",
    perRun: 1_000,
    series: [
      {
        label: "from prompt() to the request",
        workload: "longTranscript",
        count: 50_000,
        contenders: ["floor", "ours", "pi"],
      },
      {
        label: "new Agent, prompt, answer",
        workload: "restored",
        count: 50_000,
        contenders: ["ours", "pi"],
      },
    ],
    targets: [toPi("from prompt() to the request", 0.5)],
    notes: [
      "Where it goes: 40 % reading the role of each message, once for the tools that the transcript declares and once for what the model takes; a quarter the copies of the array.",
    ],
  },
  {
    name: "W7",
    title: "conversation() over the deltas of an answer, 200 items before it",
    unit: "µs a delta",
    versus: "2,000 deltas",
    series: [2_000, 20_000].map((count) => ({
      label: sized(count, "deltas"),
      baseline: sized(2_000, "deltas"),
      workload: "conversation",
      count,
      contenders: ["operators"],
    })),
    targets: [flat("20,000 deltas", "2,000 deltas", 1.2, "operators")],
  },
  {
    name: "W8",
    title: "Context operators over a transcript: the first request, and the next, a turn later",
    unit: "ms a request",
    perRun: 1_000,
    rounds: 2,
    times: ["400", "150"],
    versus: "10,000 messages",
    series: requests.flatMap((name) =>
      [1_000, 10_000, 40_000].map((count) => ({
        label: over(count, name),
        baseline: count > 10_000 ? over(10_000, name) : undefined,
        workload: name,
        count,
        contenders: ["context"],
      })),
    ),
    targets: requests.map((name) => ({
      ...flat(over(40_000, name), over(10_000, name), 6, "context"),
      text: `${name}: 40,000 messages ≤ 6 × 10,000`,
    })),
    notes: [
      "What 1,000 messages need fits into the young generation of the heap, what 10,000 need has to be moved: so linear is measured from 10,000 on.",
    ],
  },
];
