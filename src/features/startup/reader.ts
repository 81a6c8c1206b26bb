/** Files as desk-peek reads them: one pattern at a time, so that one that hangs costs its own answer alone. */
import { z } from 'zod';
import type { Login } from '../../desk/startup.ts';
import { PeekHelper, type PeekOptions } from '../../privileges/peek-helper.ts';
import { type FileScan, isFileScan } from './scanned-file.ts';

/** A pattern takes less than a millisecond, the first one some tenths of a second: it reads the packages. */
const DEADLINE_MS = 1_000;
/** The same while the helper works: a folder of large programs is read for its digests. */
const MOST_MS = 60_000;
/** A walk over a file system reads every folder of it, from a slow disk maybe. */
const WALK_MS = 300_000;
/** Characters; the helper stops at 8 MiB of text, which JSON may write in six times as many. */
const MOST_ANSWER = 64 << 20;

export interface FilePattern {
  /** `privileged`: `pattern` is a mount point. */
  readonly depth: 'text' | 'digest' | 'facts' | 'privileged';
  /** Whose eyes it is read with: the uid of who owns the folder, 0 for folders of the system. */
  readonly viewer: number;
  readonly pattern: string;
}

const logins = z.strictObject({
  logins: z.array(
    z.strictObject({ user: z.string(), line: z.string(), host: z.string(), seconds: z.number() }),
  ),
  error: z.string(),
});
export class FileReader {
  readonly #peek: PeekHelper;
  readonly #walks: PeekHelper;

  constructor(options: PeekOptions = {}) {
    const of = (deadlineMs: number, mostMs: number) =>
      new PeekHelper({ deadlineMs, mostMs, mostAnswer: MOST_ANSWER, ...options });
    this.#peek = of(DEADLINE_MS, MOST_MS);
    this.#walks = of(WALK_MS, WALK_MS);
  }

  /** What the pattern names, or why that is not known, as a phrase. */
  async read({ depth, viewer, pattern }: FilePattern): Promise<FileScan | string> {
    const [peek, query] =
      depth === 'privileged' ? [this.#walks, depth] : [this.#peek, `files ${depth} ${viewer}`];
    const heard = await peek.ask(`${query} ${Buffer.from(pattern).toString('hex')}`);
    if (heard.kind === 'hung') return 'reading it hangs';
    const answer = heard.kind === 'message' ? heard.message : null;
    if (isFileScan(answer)) return answer;
    const { reason } = heard.kind === 'message' ? (peek.reject() as { reason: string }) : heard;
    return `desk-peek does not answer: ${reason}`;
  }

  /** The last login of each user by a file of wtmp(5), or why that is not known. */
  async logins(path: string): Promise<readonly Login[] | string> {
    const heard = await this.#peek.ask(`logins ${Buffer.from(path).toString('hex')}`);
    if (heard.kind !== 'message') return heard.kind === 'hung' ? 'reading it hangs' : heard.reason;
    const said = logins.safeParse(heard.message).data;
    return said === undefined ? 'desk-peek does not answer' : said.error || said.logins;
  }

  /** Ends the helper of walks until the next one: it keeps the packages in memory. */
  endWalks(): Promise<void> {
    return this.#walks.rest();
  }

  /** Ends both until they are asked again. */
  async rest(): Promise<void> {
    await Promise.all([this.#peek.rest(), this.#walks.rest()]);
  }

  async close(): Promise<void> {
    await Promise.all([this.#peek.close(), this.#walks.close()]);
  }
}
