import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { from, lastValueFrom, Subject, throwError, concat, of } from "rxjs";
import { toArray } from "rxjs/operators";
import { sseEvents } from "../../src/proxy/sseEvents";

const read = (chunks: readonly (string | Uint8Array)[], endsEvent?: (line: string) => boolean) =>
  lastValueFrom(from(chunks).pipe(sseEvents(endsEvent), toArray()));

const bytes = (text: string) => new TextEncoder().encode(text);

describe("sseEvents", () => {
  it.each([
    ["a space after the colon", "data: a\n\n", ["a"]],
    ["no space after the colon", "data:a\n\n", ["a"]],
    ["only the first space is the field's", "data:  a \n\n", [" a "]],
    ["CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
    ["CR alone", "data: a\r\rdata: b\r\r", ["a", "b"]],
    ["line ends of all kinds mixed", "data: a\r\n\ndata: b\n\r\ndata: c\r\n\r", ["a", "b", "c"]],
    ["comments", ": hello\n:\ndata: a\n: between\n\n: bye\n\n", ["a"]],
    ["other fields", "event: x\nid: 7\nretry: 10\ndata: a\nunknown\n\n", ["a"]],
    ["a field whose name only begins with data", "database: a\ndata-x: b\n\n", []],
    ["a space before the field", " data: a\n\n", []],
    ["several data lines", "data: a\ndata:b\n\n", ["a\nb"]],
    ["a data line without a colon", "data: a\ndata\ndata: b\n\n", ["a\n\nb"]],
    ["events without data", "event: ping\n\ndata:\n\ndata\n\ndata: a\n\n", ["a"]],
    ["several blank lines", "\n\ndata: a\n\n\n\ndata: b\n\n", ["a", "b"]],
    ["no final blank line", "data: a\n\ndata: b\n", ["a", "b"]],
    ["no final newline", "data: a\n\ndata: b", ["a", "b"]],
    ["a byte order mark", "\uFEFFdata: a\n\n", ["a"]],
    ["a byte order mark that is not the first character", "data: a\n\n\uFEFFdata: b\n\n", ["a"]],
    ["colons in the data", "data: a:b: c\n\n", ["a:b: c"]],
    ["nothing", "", []],
  ])("reads %s", async (_name, text, events) => {
    expect(await read([text])).toEqual(events);
    expect(await read([bytes(text)])).toEqual(events);
    expect(await read([...text])).toEqual(events);
    expect(await read([...bytes(text)].map((byte) => Uint8Array.of(byte)))).toEqual(events);
  });

  it("reads a character that two chunks share", async () => {
    const data = bytes("data: ☕\n\n");
    expect(await read([data.subarray(0, 7), data.subarray(7, 8), data.subarray(8)])).toEqual(["☕"]);
  });

  it("shows a character that the end cuts off as a replacement character", async () => {
    expect(await read([bytes("data: ☕").subarray(0, 8)])).toEqual(["\uFFFD"]);
  });

  it("takes CR and LF in two chunks as one line end", async () => {
    expect(await read(["data: a\r", "", "\ndata: b\r", "\n\r", "\n"])).toEqual(["a\nb"]);
  });

  it("reads empty chunks as nothing", async () => {
    expect(await read(["", "data: a", "", "\n", "", "\n", ""])).toEqual(["a"]);
  });

  it("emits an event with its blank line, not with the next event", () => {
    const chunks$ = new Subject<string>();
    const seen: string[] = [];
    chunks$.pipe(sseEvents()).subscribe((data) => seen.push(data));
    chunks$.next("data: a\n");
    expect(seen).toEqual([]);
    chunks$.next("\r");
    expect(seen).toEqual(["a"]);
  });

  it("emits at once a first line that is said to end its event", () => {
    const chunks$ = new Subject<string>();
    const seen: string[] = [];
    chunks$.pipe(sseEvents((line) => line.endsWith("!"))).subscribe((data) => seen.push(data));
    chunks$.next("data: a!\n");
    expect(seen).toEqual(["a!"]);
    chunks$.next("data: b\ndata: c!\n");
    expect(seen).toEqual(["a!"]);
    chunks$.next("\n");
    expect(seen).toEqual(["a!", "b\nc!"]);
  });

  it("passes the source's error on and drops the event it cut", async () => {
    const seen: string[] = [];
    const broken$ = concat(
      of("data: a\n\ndata: b\n"),
      throwError(() => new Error("lost")),
    );
    await expect(
      new Promise((resolve, reject) => {
        broken$
          .pipe(sseEvents())
          .subscribe({ next: (data) => seen.push(data), error: reject, complete: resolve as () => void });
      }),
    ).rejects.toThrow("lost");
    expect(seen).toEqual(["a"]);
  });

  it("lets go of its source when left early", () => {
    const chunks$ = new Subject<string>();
    const subscription = chunks$.pipe(sseEvents()).subscribe();
    expect(chunks$.observed).toBe(true);
    subscription.unsubscribe();
    expect(chunks$.observed).toBe(false);
  });

  it("starts afresh for every subscriber", async () => {
    const events$ = from(["\uFEFFdata: a\n", "data: b"]).pipe(sseEvents(), toArray());
    expect(await lastValueFrom(events$)).toEqual(["a\nb"]);
    expect(await lastValueFrom(events$)).toEqual(["a\nb"]);
  });

  it("reads the same events whatever the line ends and the chunks", async () => {
    const line = fc.string({ unit: "grapheme" }).map((text) => `x${text.replace(/[\r\n]/g, "")}`);
    const event = fc.array(line, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 5 }),
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.constantFrom("data:", "data: "),
        fc.constantFrom("", ": note", "event: x", "id: 1"),
        fc.array(fc.nat({ max: 12 }), { maxLength: 30 }),
        async (events, newline, prefix, noise, cuts) => {
          const lines = events.flatMap((data) => [
            ...(noise ? [noise] : []),
            ...data.map((text) => prefix + text),
            "",
          ]);
          const whole = bytes(lines.map((text) => text + newline).join(""));
          const chunks: Uint8Array[] = [];
          let at = 0;
          for (const cut of cuts) chunks.push(whole.subarray(at, (at += cut)));
          chunks.push(whole.subarray(at));
          expect(await read(chunks)).toEqual(events.map((data) => data.join("\n")));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("reads a line of 200,000 chunks", async () => {
    const [data] = await read(["data: ", ...Array.from({ length: 200_000 }, () => "ab"), "\n\n"]);
    expect(data).toHaveLength(400_000);
  });
});
