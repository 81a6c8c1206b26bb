/** Messages of another process: lines of JSON of limited length. */

interface LineListener {
  /** A line, parsed. What it throws counts as damage. */
  readonly onMessage: (message: unknown) => void;
  /** A line is not JSON, too long (`RangeError`), or was not accepted. Called once; nothing is emitted afterwards. */
  readonly onDamage: (error: unknown) => void;
}

/** Never throws. */
export class JsonLines {
  readonly #listener: LineListener;
  readonly #mostCharacters: number;
  #text = '';
  #damaged = false;

  constructor(mostCharacters: number, listener: LineListener) {
    this.#mostCharacters = mostCharacters;
    this.#listener = listener;
  }

  take(text: string): void {
    if (this.#damaged) return;
    const lines = (this.#text + text).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) if (!this.#emit(line)) return;
    if (this.#text.length > this.#mostCharacters) this.#damage(new RangeError('a message is too long'));
  }

  #emit(line: string): boolean {
    try {
      this.#listener.onMessage(JSON.parse(line));
      return true;
    } catch (error) {
      this.#damage(error);
      return false;
    }
  }

  #damage(error: unknown): void {
    this.#damaged = true;
    this.#text = '';
    this.#listener.onDamage(error);
  }
}
