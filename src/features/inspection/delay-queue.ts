/** Items that are due after a fixed time, each queued at most once, in the order in which they were added. */
export class DelayQueue<Item> {
  readonly #delayMs: number;
  readonly #due: (item: Item) => void;
  /** When each is due, monotonic ms, ascending. */
  readonly #items = new Map<Item, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(delayMs: number, due: (item: Item) => void) {
    this.#delayMs = delayMs;
    this.#due = due;
  }

  /** Adds it, or moves it to the end. */
  add(item: Item): void {
    this.#items.delete(item);
    this.#items.set(item, performance.now() + this.#delayMs);
    this.#schedule();
  }

  delete(item: Item): void {
    this.#items.delete(item);
  }

  has(item: Item): boolean {
    return this.#items.has(item);
  }

  get size(): number {
    return this.#items.size;
  }

  flush(): void {
    this.#take(Number.POSITIVE_INFINITY);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#items.clear();
  }

  #schedule(): void {
    const [first] = this.#items.values();
    if (first === undefined || this.#timer !== undefined) return;
    const run = (): void => {
      this.#timer = undefined;
      this.#take(performance.now());
      this.#schedule();
    };
    // It does not keep the process running.
    this.#timer = setTimeout(run, Math.max(1, first - performance.now())).unref();
  }

  #take(untilMs: number): void {
    for (const [item, dueMs] of this.#items) {
      if (dueMs > untilMs) break;
      this.#items.delete(item);
      this.#due(item);
    }
  }
}
