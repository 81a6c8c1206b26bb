/** Rounds over things that are looked at one by one: each round ends when all that it began with were, or are gone. */
export class Rounds<Item> {
  readonly #rounds = new Set<{ readonly left: Set<Item>; readonly done: () => void }>();

  /** Resolves when every one of them has left, at once when there is none. */
  begin(items: Iterable<Item>): Promise<void> {
    const left = new Set(items);
    if (left.size === 0) return Promise.resolve();
    return new Promise((done) => {
      this.#rounds.add({ left, done });
    });
  }

  leave(item: Item): void {
    for (const round of this.#rounds)
      if (round.left.delete(item) && round.left.size === 0) {
        this.#rounds.delete(round);
        round.done();
      }
  }

  /** Ends them all, whatever is left. */
  end(): void {
    for (const { done } of this.#rounds) done();
    this.#rounds.clear();
  }
}
