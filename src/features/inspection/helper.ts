/**
 * One running desk-peek (native/peek): asked about one process at a time over a pipe, killed when an answer takes too long,
 * and started afresh.
 */
import { readFileSync } from 'node:fs';
import { JsonLines } from '../../base/json-lines.ts';
import { atMost } from '../../base/promises.ts';
import { type Content, isImage } from '../../checks/content.ts';
import { isPeekFacts, type PeekFacts } from '../../checks/peek-facts.ts';
import { isRefusal, type Refusal } from '../../engine/native/types.ts';
import { type Note, type StartedChild, startPeek } from '../../privileges/child.ts';
import { PEEK_PROGRAM } from '../../privileges/programs.ts';

/** An answer takes well below a millisecond, tens of them for the largest processes. */
export const DEADLINE_MS = 250;
/** Longest wait for a helper that has work but gets no CPU time, as on a busy machine. */
const MOST_MS = 5_000;
/** Far more than the longest answer. */
const MOST_ANSWER = 1 << 20;

export type Answer = { readonly kind: 'facts'; readonly facts: PeekFacts } | NoAnswer;

/** What a finding shows of a process, as native/peek/process.cc writes it. */
export interface Description {
  /** Null when it has none, or that one has ended. */
  readonly parent: { readonly pid: number; readonly name: string } | null;
  readonly directory: string | Refusal;
  /** Absent where they were not asked for. */
  readonly arguments?: readonly string[] | Refusal;
  /** There are more arguments than these. */
  readonly cut?: boolean;
  /** What it ran when all of this had been read; "" when that was refused. */
  readonly executable: string;
}

export type Described = { readonly kind: 'described'; readonly about: Description } | NoAnswer;

type NoAnswer =
  /** That process is not there any more. */
  | { readonly kind: 'gone' }
  /** No answer within the deadline: the helper was killed. */
  | { readonly kind: 'wedged' }
  /** The helper ended by itself, or said what no helper says. */
  | { readonly kind: 'broken'; readonly reason: string }
  /** The helper could not be started, or can look into no process. */
  | { readonly kind: 'unavailable'; readonly reason: string };

export type DigestAnswer =
  | { readonly kind: 'digest'; readonly content: Content }
  /** The kernel refused, or the file is too large. */
  | { readonly kind: 'unread'; readonly code: string }
  | NoAnswer;

/** One process of the helper, for one life. */
class Life {
  /** Resolves when the child is reaped, or could not be started. */
  readonly ended: Promise<void>;
  /** Why it does not live; "" while it does. */
  reason = '';
  /** Whether it could be started. */
  readonly started: Promise<boolean>;
  readonly #child: StartedChild;
  #take: ((message: unknown) => void) | null = null;

  constructor(program: string, note: Note) {
    const child = startPeek(program, note);
    this.#child = child;
    const { channel, started } = child;
    this.started = started;
    this.ended = child.ended.then(() => undefined);
    // Its last output may come after its exit was reported, but not after the end of the channel.
    const closed = new Promise<void>((resolve) => {
      channel?.once('close', () => resolve());
      void started.then((whether) => (whether && channel !== null ? undefined : resolve()));
    });
    void Promise.all([child.ended, closed]).then(([how]) => this.#die(how));
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

  #die(reason: string): void {
    this.reason ||= reason;
    this.#answer(null);
  }

  /** The next message; null when the child ends before, or sends a damaged one. */
  ask(line: string): Promise<unknown> {
    return new Promise((resolve) => {
      if (this.reason !== '') return resolve(null);
      this.#take = resolve;
      this.#child.channel?.write(line);
    });
  }

  /** It runs, or waits for a processor, and is not blocked (state R of proc_pid_stat(5)). The read never blocks. */
  get runs(): boolean {
    try {
      const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'latin1');
      return stat.slice(stat.lastIndexOf(')')).startsWith(') R');
    } catch {
      return false;
    }
  }

  kill(reason: string): void {
    this.reason ||= reason;
    this.#child.kill();
    this.#answer(null);
  }

  #answer(message: unknown): void {
    const take = this.#take;
    this.#take = null;
    take?.(message);
  }
}

const withoutNote: Note = () => () => undefined;

export class Helper {
  readonly #program: string;
  readonly #deadlineMs: number;
  readonly #mostMs: number;
  readonly #note: Note;
  #life: Life | null = null;
  #closed = false;
  /** Killed lives that are not reaped yet. */
  readonly #dying = new Set<Promise<void>>();

  /** An answer comes within `deadlineMs`, or within `mostMs` while the helper works or waits for a processor. */
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

  /** Starts the helper, so that the first question need not wait for it. */
  start(): void {
    if (!this.#closed) this.#life ??= new Life(this.#program, this.#note);
  }

  /** Asks about the process of this pid and start (clock ticks after boot). Not to be called while one question is open. */
  ask(pid: number, start: string): Promise<Answer> {
    return this.#question(pid, start, '', ({ facts }) =>
      isPeekFacts(facts) ? { kind: 'facts', facts } : null,
    );
  }

  /** The same, of what a finding shows; the command line only with `args`. */
  describe(pid: number, start: string, args: boolean): Promise<Described> {
    const words = args ? ' arguments' : ' about';
    return this.#question(pid, start, words, ({ about }) =>
      isDescription(about, args) ? { kind: 'described', about } : null,
    );
  }

  /** The digest of what it runs; as `ask`. */
  digest(pid: number, start: string): Promise<DigestAnswer> {
    return this.#question(pid, start, ' digest', digestOf);
  }

  /** The digest of the file at a path, for a process that has ended. `path`: whole text, no lossy one. */
  digestAt(path: string, pid: number, start: string): Promise<DigestAnswer> {
    return this.#question(pid, start, ` file ${Buffer.from(path).toString('hex')}`, digestOf);
  }

  async #question<Told>(
    pid: number,
    start: string,
    words: string,
    read: (told: Line) => Told | null,
  ): Promise<Told | NoAnswer> {
    this.start();
    const life = this.#life;
    if (life === null) return { kind: 'unavailable', reason: 'it is closed' };
    // Its deadline begins when it is there to answer.
    const started = await life.started;
    // The pipes of an idle helper do not keep this process running; a question does.
    const deadline = this.#deadline(life);
    const message = await life.ask(`${pid} ${start}${words}\n`);
    const late = deadline();
    if (message !== null) {
      const answer = answerIn(message as Line, pid, start, read);
      if (answer !== null) return answer;
      const reason = 'its answer cannot be parsed';
      this.#end(life, reason);
      return { kind: 'broken', reason };
    }
    this.#forget(life);
    if (late) {
      this.start();
      return { kind: 'wedged' };
    }
    return { kind: started ? 'broken' : 'unavailable', reason: life.reason };
  }

  /** Kills the helper; resolves when it is reaped, at the latest after `withinMs`. */
  async close(withinMs = 900): Promise<void> {
    this.#closed = true;
    if (this.#life !== null) this.#end(this.#life, 'it is closed');
    await atMost(Promise.all(this.#dying), withinMs);
  }

  /** Starts the clock of a question; the function stops it and says whether it ran out. */
  #deadline(life: Life): () => boolean {
    let late = false;
    const sinceMs = performance.now();
    let last: NodeJS.Immediate | undefined;
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      timer = setTimeout(() => {
        // When we ourselves were held up, the answer may wait in the pipe: read it before the helper is blamed.
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
    const gone = life.ended.finally(() => this.#dying.delete(gone));
    this.#dying.add(gone);
  }
}

/** What is asked of a helper. */
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

/** Null when the message is not an answer to this question. */
function answerIn<Told>(
  message: Line,
  pid: number,
  start: string,
  read: (told: Line) => Told | null,
): Told | { readonly kind: 'gone' } | null {
  if (message.pid !== pid) return null;
  if (message.gone === true) return { kind: 'gone' };
  return message.start === start ? read(message) : null;
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
