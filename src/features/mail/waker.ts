/** A pause that can be cut short. A wake outside a pause cuts the next one. */
export class Waker {
  #woken = false;
  #end: (() => void) | null = null;

  wake(): void {
    this.#woken = true;
    this.#end?.();
  }

  /** Drops a wake that came outside a pause. */
  clear(): void {
    this.#woken = false;
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#woken = false;
        this.#end = null;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#end = end;
      if (this.#woken) end();
    });
  }
}
