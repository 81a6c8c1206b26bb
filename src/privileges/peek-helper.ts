/** desk-peek (native/peek): asked one question at a time over its channel, killed and restarted when an answer is late. */
import { readFileSync } from 'node:fs';
import type { ZodType } from 'zod';
import { JsonLines } from '../base/json-lines.ts';
import { atMost } from '../base/promises.ts';
import { type Note, type StartedChild, startPeek, withoutNote } from './child.ts';
import { PEEK_PROGRAM } from './programs.ts';

const MOST_ANSWER = 1 << 20;
/** Why a path is unread whose helper was killed. */
export const HANGS = 'reading it hangs';

interface Patience {
  readonly deadlineMs: number;
  /** The same while the helper works or waits for a CPU, as on a busy machine. */
  readonly mostMs: number;
}

/** A question to each new helper before any other: it reads what all answers need. */
interface First extends Patience {
  readonly line: string;
}

export interface PeekOptions extends Partial<Patience> {
  readonly first?: First;
  readonly program?: string;
  readonly note?: Note;
}

/** Why there is no answer. */
export type Unheard =
  | { readonly kind: 'hung' }
  /** The helper ended by itself, or its answer is invalid. */
  | { readonly kind: 'broken'; readonly reason: string }
  /** The helper could not be started, or cannot inspect anything. */
  | { readonly kind: 'unavailable'; readonly reason: string };

interface Said {
  /** Null when the helper ended first, was killed, or sent a damaged message. */
  readonly message: unknown;
  /** It was killed because the answer was late. */
  readonly late: boolean;
}

class Life {
  readonly child: StartedChild;
  /** Why it has ended; "" while it runs. */
  reason = '';
  #take: ((message: unknown) => void) | null = null;

  constructor(program: string, note: Note, mostAnswer: number) {
    const child = startPeek(program, note);
    this.child = child;
    const { channel, started } = child;
    // Its last output may come after its exit was reported, but not after the end of the channel.
    const closed = new Promise<void>((resolve) => {
      channel?.once('close', () => resolve());
      void started.then((whether) => (whether && channel !== null ? undefined : resolve()));
    });
    void Promise.all([child.ended, closed]).then(([how]) => this.#end(how));
    const lines = new JsonLines(mostAnswer, {
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

  /** An idle helper does not keep this process running; the timer of a question does. */
  async ask(line: string, patience: Patience): Promise<Said> {
    const deadline = this.#deadline(patience);
    const message = await new Promise<unknown>((resolve) => {
      if (this.reason !== '') return resolve(null);
      this.#take = resolve;
      this.child.channel?.write(`${line}\n`);
    });
    return { message, late: deadline() };
  }

  kill(reason: string): void {
    this.child.kill();
    this.#end(reason);
  }

  /** It runs or waits for a CPU (state R of proc_pid_stat(5)). The read never blocks. */
  get #runs(): boolean {
    try {
      const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'latin1');
      return stat.slice(stat.lastIndexOf(')')).startsWith(') R');
    } catch {
      return false;
    }
  }

  /** Starts the deadline of a question; the function stops it, and returns whether it has passed. */
  #deadline({ deadlineMs, mostMs }: Patience): () => boolean {
    let late = false;
    const sinceMs = performance.now();
    let last: NodeJS.Immediate | undefined;
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      timer = setTimeout(() => {
        // If this process was delayed, the answer may wait in the pipe: it is read first.
        last = setImmediate(() => {
          const tookMs = performance.now() - sinceMs;
          if (tookMs < mostMs && this.#runs) return wait();
          late = true;
          this.kill(`no answer within ${Math.round(tookMs)} ms`);
        });
      }, deadlineMs);
    };
    wait();
    return () => {
      clearTimeout(timer);
      clearImmediate(last);
      return late;
    };
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

export class PeekHelper {
  readonly #begin: () => Life;
  readonly #patience: Patience;
  readonly #first: First | undefined;
  /** The helper that has answered it. */
  #ready: Life | null = null;
  #life: Life | null = null;
  #closed = false;
  #killed: Promise<unknown> = Promise.resolve();
  /** Ends of killed children that are not reaped yet. */
  readonly #dying = new Set<Promise<unknown>>();

  /** `mostAnswer`: characters of an answer; a longer one is damaged. */
  constructor({
    program = PEEK_PROGRAM,
    note = withoutNote,
    mostAnswer = MOST_ANSWER,
    deadlineMs,
    mostMs,
    first,
  }: Patience & PeekOptions & { readonly mostAnswer?: number }) {
    this.#begin = () => new Life(program, note, mostAnswer);
    this.#patience = { deadlineMs, mostMs };
    this.#first = first;
  }

  /** The end of the helper that was killed last: one that waits in the kernel for a file system cannot end before that answers. */
  get killed(): Promise<unknown> {
    return this.#killed;
  }

  /** Otherwise the first question starts it. */
  start(): void {
    if (!this.#closed) this.#life ??= this.#begin();
  }

  /** The answer to one line, parsed. One question at a time. */
  async ask(line: string): Promise<{ readonly kind: 'message'; readonly message: unknown } | Unheard> {
    this.start();
    const life = this.#life;
    if (life === null) return { kind: 'unavailable', reason: 'it is closed' };
    const started = await life.child.started;
    if (this.#first !== undefined && this.#ready !== life) {
      await life.ask(this.#first.line, this.#first);
      this.#ready = life;
    }
    const { message, late } = await life.ask(line, this.#patience);
    if (message !== null) return { kind: 'message', message };
    this.#forget(life);
    if (late) {
      this.start();
      return { kind: 'hung' };
    }
    return { kind: started ? 'broken' : 'unavailable', reason: life.reason };
  }

  /** The same, checked; an answer of another form is none, and the helper is replaced. */
  async askFor<T>(
    line: string,
    form: ZodType<T>,
  ): Promise<{ readonly kind: 'message'; readonly message: T } | Unheard> {
    const heard = await this.ask(line);
    if (heard.kind !== 'message') return heard;
    const { success, data } = form.safeParse(heard.message);
    return success ? { kind: 'message', message: data } : this.reject();
  }

  /** The last answer is invalid: the helper is replaced. */
  reject(): Unheard {
    const reason = 'its answer cannot be parsed';
    if (this.#life !== null) this.#end(this.#life, reason);
    return { kind: 'broken', reason };
  }

  /** Ends the helper until the next question; resolves when it is reaped, at the latest after `withinMs`. Not while it is asked. */
  async rest(withinMs = 900): Promise<void> {
    if (this.#life !== null) this.#end(this.#life, 'it is closed');
    await atMost(Promise.all(this.#dying), withinMs);
  }

  /** The same for good. */
  close(withinMs?: number): Promise<void> {
    this.#closed = true;
    return this.rest(withinMs);
  }

  #end(life: Life, reason: string): void {
    life.kill(reason);
    this.#forget(life);
  }

  #forget(life: Life): void {
    if (this.#life === life) this.#life = null;
    const gone = life.child.ended.finally(() => this.#dying.delete(gone));
    this.#dying.add(gone);
    this.#killed = gone;
  }
}
