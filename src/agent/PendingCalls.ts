/**
 * The tool calls between their start and their end.
 *
 * @remarks Two calls may share an id; it stays until the last has ended. The set is made only when someone looks.
 */
export class PendingCalls {
  #counts: Map<string, number> | undefined;
  #ids: ReadonlySet<string> | undefined;

  /** The ids; a new set after each change. */
  get ids(): ReadonlySet<string> {
    return (this.#ids ??= new Set(this.#counts?.keys()));
  }

  start(id: string): void {
    this.#add(id, 1);
  }

  end(id: string): void {
    this.#add(id, -1);
  }

  clear(): void {
    this.#counts = this.#ids = undefined;
  }

  #add(id: string, change: number): void {
    const counts = (this.#counts ??= new Map());
    const count = (counts.get(id) ?? 0) + change;
    if (count > 0) counts.set(id, count);
    else counts.delete(id);
    this.#ids = undefined;
  }
}
