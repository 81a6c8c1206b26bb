/** The process's stdout and stderr: what becomes of text that they do not take. */

export interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  keepGoing?(): void;
}

/** A stream whose failures, thrown or as an event, end the command; after `keepGoing` text that cannot be written is dropped. */
export class Outlet implements Sink {
  readonly #stream: NodeJS.WriteStream;
  readonly #onLost: (error: NodeJS.ErrnoException) => void;
  #keepsGoing = false;

  constructor(stream: NodeJS.WriteStream, onLost: (error: NodeJS.ErrnoException) => void) {
    this.#stream = stream;
    this.#onLost = onLost;
    stream.on('error', (error: NodeJS.ErrnoException) => this.#lose(error));
  }

  get isTTY(): boolean {
    return this.#stream.isTTY;
  }

  get columns(): number | undefined {
    return this.#stream.columns;
  }

  get rows(): number | undefined {
    return this.#stream.rows;
  }

  write(text: string): boolean {
    try {
      return this.#stream.write(text);
    } catch (error) {
      this.#lose(error as NodeJS.ErrnoException);
      return false;
    }
  }

  keepGoing(): void {
    this.#keepsGoing = true;
  }

  #lose(error: NodeJS.ErrnoException): void {
    if (!this.#keepsGoing) this.#onLost(error);
  }
}
