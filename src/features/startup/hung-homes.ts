/** Homes whose files do not answer, in one pass: each question costs a second, and may leave a helper that hangs in the kernel. */

/** Questions about one home. */
const MOST_OF_HOME = 3;
/** Questions about homes in a row: all of them are on a file system that hangs. */
const MOST_IN_A_ROW = 16;
/** Questions about homes in all: each may leave a helper that waits in the kernel. */
const MOST_IN_ALL = 48;

export class HungHomes {
  readonly #hung = new Map<string, number>();
  readonly #answered = new Set<string>();
  #row = 0;
  #all = 0;

  /** Whether it is not asked about any more. */
  has(home: string): boolean {
    if ((this.#hung.get(home) ?? 0) >= MOST_OF_HOME) return true;
    const most = this.#row >= MOST_IN_A_ROW || this.#all >= MOST_IN_ALL;
    return most && !this.#answered.has(home);
  }

  note(home: string, hangs: boolean): void {
    this.#row = hangs ? this.#row + 1 : 0;
    if (hangs) this.#all++;
    if (hangs) this.#hung.set(home, (this.#hung.get(home) ?? 0) + 1);
    else this.#answered.add(home);
  }
}
