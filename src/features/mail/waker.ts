/** A pause that can be cut short. A wake while nobody waits cuts the next pause. */
export class Waker {
  #woken = false;
  #end: (() => void) | null = null;

  wake(): void {
    this.#woken = true;
    this.#end?.();
  }

  /** Forgets wakes that nobody waited for. */
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
