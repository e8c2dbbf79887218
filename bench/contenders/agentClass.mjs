// The workloads through an `Agent` class: ours and pi's are driven by the same program.
import {
  answerOnce,
  batchThenText,
  callsThenText,
  deltas,
  echo,
  expectEnd,
  model,
  transcript,
} from "../models.mjs";

export function agentClass(Agent) {
  const agentWith = (streamFn, initialState = {}) =>
    new Agent({ initialState: { model, systemPrompt: "You are helpful.", ...initialState }, streamFn });

  const streaming = (listeners) => (count) => async () => {
    const agent = agentWith(() => deltas(count));
    let seen = 0;
    for (const listener of listeners(() => seen++)) agent.subscribe(listener);
    await agent.prompt("go");
    expectEnd(agent.state.messages, 3);
    if (seen < count) throw new Error(`${seen} events for ${count} deltas`);
  };

  return {
    deltas: streaming((see) => [see]),
    tenListeners: streaming((see) => Array.from({ length: 10 }, () => () => void see())),
    asyncListener: streaming((see) => [async () => void see()]),
    turns: (count) => async () => {
      const agent = agentWith(callsThenText(count), { tools: [echo] });
      agent.subscribe(() => {});
      await agent.prompt("go");
      expectEnd(agent.state.messages, 3 + 2 * count);
    },
    calls: (count) => async () => {
      const agent = agentWith(batchThenText(count), { tools: [echo] });
      agent.subscribe(() => {});
      await agent.prompt("go");
      expectEnd(agent.state.messages, 4 + count);
    },
    agents: (count) => async () => {
      const agents = Array.from({ length: count }, () => agentWith(callsThenText(1), { tools: [echo] }));
      for (const agent of agents) agent.subscribe(() => {});
      await Promise.all(agents.map((agent) => agent.prompt("go")));
      for (const agent of agents) expectEnd(agent.state.messages, 5);
    },
    idle: (count) => async () =>
      Array.from({ length: count }, () => agentWith(answerOnce(), { tools: [echo] })),
    rested: (count) => async () => {
      const agents = Array.from({ length: count }, () => agentWith(callsThenText(1), { tools: [echo] }));
      for (const agent of agents) await agent.prompt("go");
      return agents;
    },
    longTranscript: (count) => {
      const messages = transcript(count);
      return async (clock) => {
        const answer = answerOnce();
        const streamFn = () => (clock.stop(), answer());
        const agent = agentWith(streamFn, { messages, tools: [echo] });
        agent.subscribe(() => {});
        clock.start();
        await agent.prompt("go");
        expectEnd(agent.state.messages, count + 2);
      };
    },
    restored: (count) => {
      const messages = transcript(count);
      return async () => {
        const agent = agentWith(answerOnce(), { messages, tools: [echo] });
        agent.subscribe(() => {});
        await agent.prompt("go");
        expectEnd(agent.state.messages, count + 2);
      };
    },
  };
}
