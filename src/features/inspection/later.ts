/** Things to be done again after a fixed time, each at most once, in the order they were put here. */
export class Later<Item> {
  readonly #delayMs: number;
  readonly #due: (item: Item) => void;
  /** When each is due, monotonic ms; the first one first. */
  readonly #items = new Map<Item, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(delayMs: number, due: (item: Item) => void) {
    this.#delayMs = delayMs;
    this.#due = due;
  }

  /** Puts it here, or to the end when it is here already. */
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

  /** Does all of them now. */
  flush(): void {
    for (const item of this.#items.keys()) {
      this.#items.delete(item);
      this.#due(item);
    }
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#items.clear();
  }

  #schedule(): void {
    const [first] = this.#items.values();
    if (first === undefined || this.#timer !== undefined) return;
    // It never keeps the process from ending.
    this.#timer = setTimeout(() => this.#run(), Math.max(1, first - performance.now())).unref();
  }

  #run(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [item, dueMs] of this.#items) {
      if (dueMs > now) break;
      this.#items.delete(item);
      this.#due(item);
    }
    this.#schedule();
  }
}
