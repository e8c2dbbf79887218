import { concat, defer, mergeMap, type OperatorFunction } from "rxjs";

/**
 * The data of each server-sent event in a response's chunks, bytes or text, cut anywhere.
 *
 * @param endsEvent - Says that a first `data:` line is a whole event; it is then emitted at once, without waiting for
 * the blank line. By default only a blank line, or the end of the response, ends an event.
 *
 * @remarks Lines may end in CRLF, LF or CR, several `data:` lines of an event are joined with `\n`, comments and other
 * fields are skipped, and so is an event without data. Written here because the parsers at hand drop an event that the
 * response's end cuts short, and wait for its blank line.
 */
export function sseEvents(
  endsEvent: (line: string) => boolean = () => false,
): OperatorFunction<Uint8Array | string, string> {
  return (chunks$) =>
    chunks$.pipe(
      flushing(toText),
      flushing(toLines),
      flushing(() => toData(endsEvent)),
    );
}

/** What one step makes of its input: values for each item, and for the end, when it gets no item. */
type Step<In, Out> = (item?: In) => readonly Out[];

/** Runs a step, fresh for each subscription, on every item and once more at the end. */
function flushing<In, Out>(createStep: () => Step<In, Out>): OperatorFunction<In, Out> {
  return (source$) =>
    defer(() => {
      const step = createStep();
      return concat(
        source$.pipe(mergeMap((item) => step(item))),
        defer(() => step()),
      );
    });
}

function toText(): Step<Uint8Array | string, string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return (chunk) => [
    typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: chunk !== undefined }),
  ];
}

function toLines(): Step<string, string> {
  let open = "";
  let first = true;
  let afterCr = false;
  return (text) => {
    if (text === undefined) return open === "" ? [] : [open];
    if (text === "") return [];
    // A CR at the end of a chunk has ended its line already: an LF that follows belongs to it.
    const lines = (afterCr && text.startsWith("\n") ? text.slice(1) : text).split(/\r\n|\r|\n/);
    afterCr = text.endsWith("\r");
    lines[0] = open + (first ? lines[0]!.replace(/^\uFEFF/, "") : lines[0]!);
    first = false;
    open = lines.pop()!;
    return lines;
  };
}

function toData(endsEvent: (line: string) => boolean): Step<string, string> {
  let lines: string[] = [];
  const end = () => {
    const data = lines.join("\n");
    lines = [];
    return data === "" ? [] : [data];
  };
  return (line) => {
    if (line === undefined || line === "") return end();
    const field = /^data(?:: ?|$)/.exec(line);
    if (field === null) return [];
    const value = line.slice(field[0].length);
    const first = lines.push(value) === 1;
    return first && endsEvent(value) ? end() : [];
  };
}
