/** Files as desk-peek reads them: one pattern at a time, so that one that hangs costs its own answer alone. */
import { PeekHelper, type PeekOptions } from '../../privileges/peek-helper.ts';
import { type FileScan, isFileScan } from './scanned-file.ts';

/** A pattern takes less than a millisecond, the first one some tenths of a second: it reads the packages. */
const DEADLINE_MS = 1_000;
/** The same while the helper works: a folder of large programs is read for its digests. */
const MOST_MS = 60_000;
/** Characters; the helper stops at 8 MiB of text, which JSON may write in six times as many. */
const MOST_ANSWER = 64 << 20;

export interface FilePattern {
  readonly depth: 'text' | 'digest' | 'facts';
  /** Whose eyes it is read with: the uid of who owns the folder, 0 for folders of the system. */
  readonly viewer: number;
  readonly pattern: string;
}

export class FileReader {
  readonly #peek: PeekHelper;

  constructor(options: PeekOptions = {}) {
    this.#peek = new PeekHelper({
      deadlineMs: DEADLINE_MS,
      mostMs: MOST_MS,
      mostAnswer: MOST_ANSWER,
      ...options,
    });
  }

  /** What the pattern names, or why that is not known, as a phrase. */
  async read({ depth, viewer, pattern }: FilePattern): Promise<FileScan | string> {
    const heard = await this.#peek.ask(`files ${depth} ${viewer} ${Buffer.from(pattern).toString('hex')}`);
    if (heard.kind === 'hung') return 'reading it hangs';
    const answer = heard.kind === 'message' ? heard.message : null;
    if (isFileScan(answer)) return answer;
    const { reason } = heard.kind === 'message' ? (this.#peek.reject() as { reason: string }) : heard;
    return `desk-peek does not answer: ${reason}`;
  }

  /** Ends the helper until it is asked again. */
  rest(): Promise<void> {
    return this.#peek.rest();
  }

  close(): Promise<void> {
    return this.#peek.close();
  }
}
