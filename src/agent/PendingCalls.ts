/**
 * The tool calls between their start and their end.
 *
 * @remarks Two calls may share an id; it stays until the last has ended. The set is made only when someone looks.
 */
export class PendingCalls {
  readonly #counts = new Map<string, number>();
  #ids: ReadonlySet<string> | undefined;

  /** The ids; a new set after each change. */
  get ids(): ReadonlySet<string> {
    return (this.#ids ??= new Set(this.#counts.keys()));
  }

  start(id: string): void {
    this.#set(id, (this.#counts.get(id) ?? 0) + 1);
  }

  end(id: string): void {
    this.#set(id, (this.#counts.get(id) ?? 0) - 1);
  }

  clear(): void {
    this.#counts.clear();
    this.#ids = undefined;
  }

  #set(id: string, count: number): void {
    if (count > 0) this.#counts.set(id, count);
    else this.#counts.delete(id);
    this.#ids = undefined;
  }
}
