/** What `--help` prints. */
export const help = `An agent in the terminal. It can list, read and search the files of a folder, and calculate.

Usage
  npm start                              ask interactively
  npm start -- "question"                ask once
  npm start -- [flags] ["question"]

Which model
  By default the first provider whose key is in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY,
  OPENROUTER_API_KEY and the others of pi-ai); without one, an offline model: rules, no LLM.

  -m, --model PROVIDER/ID   another model, e.g. anthropic/claude-sonnet-5-5
  --list-models             the models that can be used with the keys there are
  --base-url URL            an OpenAI-compatible server, along with --model NAME; e.g. for Ollama
                            --base-url http://localhost:11434 --model qwen3
  --api-key KEY             the key of that server, if it wants one
  --offline                 the offline model, whatever keys there are
  --pace MS                 time between two words of the offline model (25; 0 when the output is no terminal)

What it works on
  -C, --folder FOLDER       the folder its tools may read, and nothing outside (the current one)

Keys
  Ctrl-C stops a run, a second one leaves. In the interactive mode Ctrl-C, Ctrl-D, "exit" and "quit" leave when idle.

Exit codes: 0 well, 1 the run failed, 2 a wrong flag, 130 stopped by Ctrl-C.
NO_COLOR is honoured; without a terminal the output is plain lines.
`;
