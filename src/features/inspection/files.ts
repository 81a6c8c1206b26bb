/** What is known of the files of programs, by image: digests, and what their contents are called. */
import { MOST_OF_ROOT } from './digest-queue.ts';

/** What could not be read is tried again at the first look after so long. */
const UNREAD_AGAIN_MS = 60_000;
/** Files that are known beside those that run; the oldest go. */
const MOST_FILES = MOST_OF_ROOT;

interface File {
  /** "" when it could not be read, undefined while it was not. */
  sha256: string | undefined;
  /** When that was; monotonic. */
  atMs: number;
  /** Identifies its content in findings, set by the first finding; "" before. */
  name: string;
}

export class Files {
  readonly #files = new Map<string, File>();
  readonly #running: () => number;

  /** `running`: how many processes there are. */
  constructor(running: () => number) {
    this.#running = running;
  }

  /** "" when it could not be read, undefined while it was not. */
  digestOf(image: string): string | undefined {
    return this.#files.get(image)?.sha256;
  }

  keep(image: string, sha256: string): void {
    Object.assign(this.#file(image), { sha256, atMs: performance.now() });
  }

  /** What could not be read a while ago counts as not read yet. */
  forgive(image: string): void {
    const file = this.#files.get(image);
    if (file?.sha256 === '' && performance.now() - file.atMs > UNREAD_AGAIN_MS) file.sha256 = undefined;
  }

  /** Identifies its content in findings. It does not change when the digest is read later, so the finding keeps its id. */
  nameOf(image: string): string {
    const file = this.#file(image);
    file.name ||= file.sha256 || image;
    return file.name;
  }

  #file(image: string): File {
    const known = this.#files.get(image);
    if (known !== undefined) return known;
    const file: File = { sha256: undefined, atMs: 0, name: '' };
    this.#files.set(image, file);
    const [oldest] = this.#files.keys();
    if (this.#files.size > MOST_FILES + this.#running() && oldest !== undefined) this.#files.delete(oldest);
    return file;
  }
}
