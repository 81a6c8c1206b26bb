/** Reads files by desk-peek: one pattern at a time, so that a pattern that hangs costs only its own result. */
import { z } from 'zod';
import type { Login } from '../../desk/startup.ts';
import { HANGS, PeekHelper, type PeekOptions } from '../../privileges/peek-helper.ts';
import { type FileScan, fileScan } from './scanned-file.ts';

/** About the root folder, so that the helper reads the packages: some tenths of a second, from a slow disk much longer. */
const FIRST = { line: 'files facts 0 2f', deadlineMs: 30_000, mostMs: 120_000 };
/** A pattern usually takes less than a millisecond. */
const DEADLINE_MS = 1_000;
/** The same while the helper works: a folder of large programs is read for its digests. */
const MOST_MS = 60_000;
/** A walk over a file system reads every folder of it, maybe from a slow disk. */
const WALK_MS = 300_000;
/** Characters; the helper stops at 8 MiB of text, which JSON may write in six times as many. */
const MOST_ANSWER = 64 << 20;

export interface FilePattern {
  /** `privileged`: `pattern` is a mount point. */
  readonly depth: 'text' | 'digest' | 'facts' | 'privileged';
  /** The uid whose read permission applies: the owner of a home, 0 for folders of the system. */
  readonly viewer: number;
  readonly pattern: string;
  /** Reading it hung, and watching it would hang too. */
  readonly hangs?: boolean;
}

/** Equal for patterns that read, and watch, the same. */
export const patternKey = ({ depth, viewer, pattern, hangs = false }: FilePattern): string =>
  [depth, viewer, hangs, pattern].join(' ');

const logins = z.strictObject({
  logins: z.array(
    z.strictObject({ user: z.string(), line: z.string(), host: z.string(), seconds: z.number() }),
  ),
  error: z.string(),
});

/** Questions whose helper hangs in the kernel with all its memory: if they were asked again, another helper would hang too. */
const hanging = new Set<string>();

const hex = (path: string): string => Buffer.from(path).toString('hex');

/** The answer, or why there is none, as a phrase. */
function said<T>(heard: Awaited<ReturnType<typeof PeekHelper.prototype.askFor<T>>>): T | string {
  if (heard.kind === 'message') return heard.message;
  return heard.kind === 'hung' ? HANGS : `desk-peek does not answer: ${heard.reason}`;
}

export class FileReader {
  readonly #peek: PeekHelper;
  readonly #walks: PeekHelper;

  constructor(options: PeekOptions = {}) {
    const of = (deadlineMs: number, mostMs: number) =>
      new PeekHelper({ deadlineMs, mostMs, mostAnswer: MOST_ANSWER, first: FIRST, ...options });
    this.#peek = of(DEADLINE_MS, MOST_MS);
    this.#walks = of(WALK_MS, WALK_MS);
  }

  /** What the pattern names, or why that is not known, as a phrase. */
  async read({ depth, viewer, pattern }: FilePattern): Promise<FileScan | string> {
    const [peek, query] =
      depth === 'privileged' ? [this.#walks, depth] : [this.#peek, `files ${depth} ${viewer}`];
    const question = `${query} ${hex(pattern)}`;
    if (hanging.has(question)) return HANGS;
    const heard = await peek.askFor(question, fileScan);
    if (heard.kind === 'hung') {
      hanging.add(question);
      void peek.killed.then(() => hanging.delete(question));
    }
    return said(heard);
  }

  /** A helper waits in the kernel: the reason is not only a busy machine. */
  get isStuck(): boolean {
    return hanging.size > 0;
  }

  /** The last login of each user by a file of wtmp(5), or why that is not known. */
  async logins(path: string): Promise<readonly Login[] | string> {
    const answer = said(await this.#peek.askFor(`logins ${hex(path)}`, logins));
    return typeof answer === 'string' ? answer : answer.error || answer.logins;
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
