/** One running desk-peek (native/peek): asked about one process at a time over a pipe, killed and restarted when an answer is late. */
import { readFileSync } from 'node:fs';
import { JsonLines } from '../../base/json-lines.ts';
import { atMost } from '../../base/promises.ts';
import { type Content, isImage } from '../../checks/content.ts';
import { isPeekFacts, type PeekFacts } from '../../checks/peek-facts.ts';
import { isRefusal, type Refusal } from '../../engine/native/types.ts';
import { type Note, type StartedChild, startPeek, withoutNote } from '../../privileges/child.ts';
import { PEEK_PROGRAM } from '../../privileges/programs.ts';

/** An answer takes less than a millisecond, some tens of ms for the largest processes. */
const DEADLINE_MS = 250;
/** The same while the helper works or waits for a CPU, as on a busy machine. */
const MOST_MS = 5_000;
const MOST_ANSWER = 1 << 20;

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

type NoAnswer =
  | { readonly kind: 'gone' }
  | { readonly kind: 'hung' }
  /** The helper ended by itself, or its answer is invalid. */
  | { readonly kind: 'broken'; readonly reason: string }
  /** The helper could not be started, or cannot inspect any process. */
  | { readonly kind: 'unavailable'; readonly reason: string };

export type DigestAnswer =
  | { readonly kind: 'digest'; readonly content: Content }
  | { readonly kind: 'unread'; readonly code: string }
  | NoAnswer;

class Life {
  readonly child: StartedChild;
  /** Why it has ended; "" while it runs. */
  reason = '';
  #take: ((message: unknown) => void) | null = null;

  constructor(program: string, note: Note) {
    const child = startPeek(program, note);
    this.child = child;
    const { channel, started } = child;
    // Its last output may come after its exit was reported, but not after the end of the channel.
    const closed = new Promise<void>((resolve) => {
      channel?.once('close', () => resolve());
      void started.then((whether) => (whether && channel !== null ? undefined : resolve()));
    });
    void Promise.all([child.ended, closed]).then(([how]) => this.#end(how));
    const lines = new JsonLines(MOST_ANSWER, {
      onMessage: (message) => {
        if (message === null) throw new TypeError('not an answer');
        this.#answer(message);
      },
      onDamage: (error) =>
        this.kill(error instanceof RangeError ? 'its answer has no end' : 'its answer cannot be parsed'),
    });
    channel?.setEncoding('utf8').on('data', (text: string) => lines.take(text));
    channel?.unref();
  }

  /** The next message; null when the child ends first, or sends a damaged one. */
  ask(line: string): Promise<unknown> {
    return new Promise((resolve) => {
      if (this.reason !== '') return resolve(null);
      this.#take = resolve;
      this.child.channel?.write(line);
    });
  }

  /** It runs or waits for a CPU (state R of proc_pid_stat(5)). The read never blocks. */
  get runs(): boolean {
    try {
      const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'latin1');
      return stat.slice(stat.lastIndexOf(')')).startsWith(') R');
    } catch {
      return false;
    }
  }

  kill(reason: string): void {
    this.child.kill();
    this.#end(reason);
  }

  #end(reason: string): void {
    this.reason ||= reason;
    this.#answer(null);
  }

  #answer(message: unknown): void {
    const take = this.#take;
    this.#take = null;
    take?.(message);
  }
}

export class Helper {
  readonly #program: string;
  readonly #deadlineMs: number;
  readonly #mostMs: number;
  readonly #note: Note;
  #life: Life | null = null;
  #closed = false;
  /** Ends of killed children that are not reaped yet. */
  readonly #dying = new Set<Promise<unknown>>();

  constructor({
    program = PEEK_PROGRAM,
    deadlineMs = DEADLINE_MS,
    mostMs = MOST_MS,
    note = withoutNote,
  } = {}) {
    this.#note = note;
    this.#program = program;
    this.#deadlineMs = deadlineMs;
    this.#mostMs = mostMs;
  }

  /** Otherwise the first question starts it. */
  start(): void {
    if (!this.#closed) this.#life ??= new Life(this.#program, this.#note);
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
    this.start();
    const life = this.#life;
    if (life === null) return { kind: 'unavailable', reason: 'it is closed' };
    const started = await life.child.started;
    // An idle helper does not keep this process running; the timer of a question does.
    const deadline = this.#deadline(life);
    const message = await life.ask(`${pid} ${start}${words}\n`);
    const late = deadline();
    if (message !== null) {
      const line = message as Line;
      if (line.pid === pid && line.gone === true) return { kind: 'gone' };
      const answer = line.pid === pid && line.start === start ? read(line) : null;
      if (answer !== null) return answer;
      const reason = 'its answer cannot be parsed';
      this.#end(life, reason);
      return { kind: 'broken', reason };
    }
    this.#forget(life);
    if (late) {
      this.start();
      return { kind: 'hung' };
    }
    return { kind: started ? 'broken' : 'unavailable', reason: life.reason };
  }

  /** Kills the helper; resolves when it is reaped, at the latest after `withinMs`. */
  async close(withinMs = 900): Promise<void> {
    this.#closed = true;
    if (this.#life !== null) this.#end(this.#life, 'it is closed');
    await atMost(Promise.all(this.#dying), withinMs);
  }

  /** Starts the deadline of a question; the function stops it, and returns whether it has passed. */
  #deadline(life: Life): () => boolean {
    let late = false;
    const sinceMs = performance.now();
    let last: NodeJS.Immediate | undefined;
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      timer = setTimeout(() => {
        // If this process was delayed, the answer may wait in the pipe: it is read first.
        last = setImmediate(() => {
          const tookMs = performance.now() - sinceMs;
          if (tookMs < this.#mostMs && life.runs) return wait();
          late = true;
          life.kill(`no answer within ${Math.round(tookMs)} ms`);
        });
      }, this.#deadlineMs);
    };
    wait();
    return () => {
      clearTimeout(timer);
      clearImmediate(last);
      return late;
    };
  }

  #end(life: Life, reason: string): void {
    life.kill(reason);
    this.#forget(life);
  }

  #forget(life: Life): void {
    if (this.#life === life) this.#life = null;
    const gone = life.child.ended.finally(() => this.#dying.delete(gone));
    this.#dying.add(gone);
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
