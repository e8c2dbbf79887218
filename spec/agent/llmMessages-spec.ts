import { describe, expect, it } from "@jest/globals";
import type { AgentMessage } from "pi-agent-rx";
import { llmMessages } from "../../src/agent/llmMessages";
import { assistant, system, user } from "../support/fixtures";

const note = { role: "note", text: "for people" } as unknown as AgentMessage;

/** A message that counts how often its role is read. */
function counted(message: AgentMessage) {
  let reads = 0;
  const proxy = new Proxy(message, {
    get: (target, key) => (key === "role" && reads++, Reflect.get(target, key) as unknown),
  });
  return { message: proxy, reads: () => reads };
}

describe("llmMessages", () => {
  it("leaves out what a model does not take, wherever it stands", () => {
    const [one, two, three] = [system("be brief"), user("one"), assistant("two")];
    for (const messages of [[], [note], [one, two, three], [note, one, two, note, three, note]])
      expect(llmMessages()(messages)).toEqual(messages.filter((message) => message !== note));
  });

  it("gives a new array each time, also of the same transcript", () => {
    const convert = llmMessages();
    const messages: AgentMessage[] = [user("one")];
    const first = convert(messages);
    expect(convert(messages)).not.toBe(first);
    expect(first).not.toBe(messages);
    messages.push(assistant("two"));
    convert(messages);
    expect(first).toHaveLength(1);
  });

  it("follows a transcript that was changed, cut or replaced", () => {
    const convert = llmMessages();
    const [one, two, three] = [user("one"), assistant("two"), user("three")];
    const messages: AgentMessage[] = [one, two, three];
    const expectFollowed = (expected: AgentMessage[]) => expect(convert(messages)).toEqual(expected);
    expectFollowed([one, two, three]);
    messages[1] = note;
    expectFollowed([one, three]);
    messages[1] = two;
    expectFollowed([one, two, three]);
    messages.length = 1;
    expectFollowed([one]);
    messages.splice(0, 1, two, note, one);
    expectFollowed([two, one]);
    expect(convert([three])).toEqual([three]);
  });

  it("looks at a message once while the transcript grows", () => {
    const convert = llmMessages();
    const { message, reads } = counted(user("one"));
    const messages = [message];
    for (let turn = 0; turn < 20; turn++) {
      convert(messages);
      messages.push(user(`${turn}`));
    }
    expect(reads()).toBe(1);
  });
});
