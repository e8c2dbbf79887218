/** A tool call that the offline model wants to make. */
export interface Call {
  name: string;
  arguments: Record<string, string | number | boolean>;
}

/** What a tool call gave: what any model would read of it. */
export interface Result {
  call: Call;
  text: string;
  isError: boolean;
}

/** One thing that was asked for. It is done when its calls have results and nothing follows from them. */
export interface Task {
  /** Said when the calls are made. */
  intro?: string;
  calls: Call[];
  /** What follows from the results, if anything does. */
  next?: (results: Result[]) => Task | undefined;
  /** The answer. */
  tell: (results: Result[]) => string;
}

/** What the model remembers of the conversation. */
export interface Memory {
  /** The file it spoke of last. */
  file?: string;
}

/** Reads one clause of a request; nothing when it is about something else. */
export type Skill = (clause: string, memory: Memory) => Task | undefined;
