/** One answer of the model: a text or calls, or what else a server may do. */
export interface Step {
  text?: string;
  calls?: { name: string; args: object }[];
  /** Sends the text and no end. */
  stall?: true;
  /** An HTTP error, with the text as its message. */
  status?: number;
}

const bash = (command: string) => ({ name: "bash", args: { command } });
const read = (path: string) => ({ name: "read", args: { path } });

/** What the model does about each user message, turn after turn. */
export const plans: Record<string, Step[]> = {
  "Say hello": [{ text: "Hello there." }],
  "Make a note": [
    { calls: [{ name: "write", args: { path: "note.txt", content: "one\ntwo\n" } }] },
    // Two calls at once, the second of which takes longer.
    { calls: [read("note.txt"), bash("sleep 0.6; wc -l < note.txt")] },
    { calls: [{ name: "edit", args: { path: "note.txt", edits: [{ oldText: "two", newText: "three" }] } }] },
    { calls: [bash("cat note.txt")] },
    { text: "The note says one and three." },
  ],
  "Fail a little": [
    { calls: [read("missing.txt"), bash("sleep 0.6; echo broken; exit 3")] },
    { calls: [{ name: "edit", args: { path: "note.txt", edits: [{ oldText: "nine", newText: "ten" }] } }] },
    {
      calls: [
        { name: "write", args: { path: 7 } },
        { name: "fly", args: {} },
      ],
    },
    { text: "Nothing of it worked." },
  ],
  "Break the request": [{ status: 400, text: "this request is broken" }],
  "Work for a while": [
    { calls: [bash("until [ -e go ]; do sleep 0.05; done; echo worked")] },
    { text: "Worked for a while." },
  ],
  "Change the plan": [{ calls: [bash("echo changed")] }, { text: "The plan is changed." }],
  "And then this": [{ text: "Did this, too." }],
  "Never end": [{ calls: [bash("echo begun; sleep 60"), read("note.txt")] }, { text: "It ended." }],
  "Write a script": [
    {
      calls: [
        {
          name: "codemode",
          args: {
            code: [
              'text(await tools.write({ path: "script.txt", content: "by a script" }));',
              'const { output } = await tools.bash({ command: "cat script.txt" });',
              'const failed = await tools.read({ path: "missing.txt" }).catch((error) => error.message);',
              "return { output, failed };",
            ].join("\n"),
          },
        },
      ],
    },
    { text: "The script ran." },
  ],
  "Stream and stall": [{ stall: true, text: "This goes on and on" }],
};
