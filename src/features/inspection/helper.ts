/** One running desk-peek (native/peek): asked about one process at a time over a pipe, killed and restarted when an answer is late. */
import { type Content, isImage } from '../../checks/content.ts';
import { isPeekFacts, type PeekFacts } from '../../checks/peek-facts.ts';
import { isRefusal, type Refusal } from '../../engine/native/types.ts';
import { PeekHelper, type PeekOptions, type Unheard } from '../../privileges/peek-helper.ts';

/** An answer takes less than a millisecond, some tens of ms for the largest processes. */
const DEADLINE_MS = 250;
/** The same while the helper works or waits for a CPU, as on a busy machine. */
const MOST_MS = 5_000;

export type Answer = { readonly kind: 'facts'; readonly facts: PeekFacts } | NoAnswer;

/** What a finding shows of a process, as native/peek/process.cc writes it. */
interface Description {
  /** Null when it has none, or it has ended. */
  readonly parent: { readonly pid: number; readonly name: string } | null;
  readonly directory: string | Refusal;
  readonly arguments?: readonly string[] | Refusal;
  readonly cut?: boolean;
  /** Read last; "" when refused. */
  readonly executable: string;
}

export type Described = { readonly kind: 'described'; readonly about: Description } | NoAnswer;

type NoAnswer = { readonly kind: 'gone' } | Unheard;

export type DigestAnswer =
  | { readonly kind: 'digest'; readonly content: Content }
  | { readonly kind: 'unread'; readonly code: string }
  | NoAnswer;

export class Helper {
  readonly #peek: PeekHelper;

  constructor(options: PeekOptions = {}) {
    this.#peek = new PeekHelper({ deadlineMs: DEADLINE_MS, mostMs: MOST_MS, ...options });
  }

  /** Otherwise the first question starts it. */
  start(): void {
    this.#peek.start();
  }

  /** About the process of this pid and start (clock ticks after boot). One question at a time, here and below. */
  ask(pid: number, start: string): Promise<Answer> {
    return this.#question(pid, start, '', ({ facts }) =>
      isPeekFacts(facts) ? { kind: 'facts', facts } : null,
    );
  }

  /** The command line only with `args`. */
  describe(pid: number, start: string, args: boolean): Promise<Described> {
    const words = args ? ' arguments' : ' about';
    return this.#question(pid, start, words, ({ about }) =>
      isDescription(about, args) ? { kind: 'described', about } : null,
    );
  }

  digest(pid: number, start: string): Promise<DigestAnswer> {
    return this.#question(pid, start, ' digest', digestOf);
  }

  /** The digest of the file at a path, for a process that has ended. `path` must not be lossy. */
  digestAt(path: string, pid: number, start: string): Promise<DigestAnswer> {
    return this.#question(pid, start, ` file ${Buffer.from(path).toString('hex')}`, digestOf);
  }

  async #question<T>(
    pid: number,
    start: string,
    words: string,
    read: (line: Line) => T | null,
  ): Promise<T | NoAnswer> {
    const heard = await this.#peek.ask(`${pid} ${start}${words}`);
    if (heard.kind !== 'message') return heard;
    const line = heard.message as Line;
    if (line.pid === pid && line.gone === true) return { kind: 'gone' };
    const answer = line.pid === pid && line.start === start ? read(line) : null;
    return answer ?? this.#peek.reject();
  }

  /** Kills the helper; resolves when it is reaped, at the latest after `withinMs`. */
  close(withinMs?: number): Promise<void> {
    return this.#peek.close(withinMs);
  }
}

export type Asked = Pick<Helper, 'start' | 'ask' | 'close'>;

interface Line {
  readonly pid: number;
  readonly start?: string;
  readonly gone?: true;
  readonly facts?: unknown;
  readonly about?: unknown;
  readonly image?: unknown;
  readonly sha256?: unknown;
}

function isDescription(value: unknown, args: boolean): value is Description {
  if (typeof value !== 'object' || value === null) return false;
  const { parent, directory, arguments: words, executable } = value as Partial<Description>;
  return (
    parent !== undefined &&
    (typeof directory === 'string' || isRefusal(directory)) &&
    (args ? Array.isArray(words) || isRefusal(words) : words === undefined) &&
    typeof executable === 'string'
  );
}

function digestOf({ image, sha256 }: Line): DigestAnswer | null {
  if (isRefusal(image)) return { kind: 'unread', code: image.code };
  return isImage(image) && typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)
    ? { kind: 'digest', content: { ...image, sha256 } }
    : null;
}
