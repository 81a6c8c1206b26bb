/** Promises that resolve when every item of a set has left. */
export class Barriers<Item> {
  readonly #barriers = new Set<{ readonly left: Set<Item>; readonly done: () => void }>();

  begin(items: Iterable<Item>): Promise<void> {
    const left = new Set(items);
    if (left.size === 0) return Promise.resolve();
    return new Promise((done) => {
      this.#barriers.add({ left, done });
    });
  }

  leave(item: Item): void {
    for (const barrier of this.#barriers)
      if (barrier.left.delete(item) && barrier.left.size === 0) {
        this.#barriers.delete(barrier);
        barrier.done();
      }
  }

  end(): void {
    for (const { done } of this.#barriers) done();
    this.#barriers.clear();
  }
}
