/** The test's side of `mail-service.ts`: a service's mail in a network namespace, asked and watched from outside. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { MailChecked, MailProgress, MailSent } from '../../src/records/mail-facts.ts';
import { programWords } from './entry.ts';

export interface Wish {
  readonly id: number;
  readonly wish:
    | 'start'
    | 'state'
    | 'check'
    | 'test'
    | 'forget'
    | 'export'
    | 'count'
    | 'who'
    | 'page'
    | 'close';
  readonly word?: string;
}

export type Told =
  | { readonly kind: 'up' }
  | {
      readonly kind: 'state';
      readonly state: MailProgress;
      readonly pid: number | null;
      readonly notes: readonly number[];
    }
  | { readonly kind: 'log'; readonly line: Readonly<Record<string, unknown>> }
  | { readonly kind: 'channel'; readonly message: unknown }
  | { readonly kind: 'granted'; readonly id: number; readonly value?: unknown }
  | { readonly kind: 'refused'; readonly id: number; readonly reason: string };

type State = Extract<Told, { kind: 'state' }>;

/** Words for node. */
export const MAIL_SERVICE = programWords('./mail-service.ts', import.meta.url);

export class MailRemote {
  /** Everything it said, as it said it. */
  readonly transcript: string[] = [];
  readonly states: State[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #heard = new Set<(told: Told) => void>();
  #asked = 0;
  errors = '';

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.errors += text;
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.transcript.push(line);
      const told = JSON.parse(line) as Told;
      if (told.kind === 'state') this.states.push(told);
      for (const heard of [...this.#heard]) heard(told);
    });
  }

  /** Pid of the service. */
  get pid(): number {
    return this.#child.pid as number;
  }

  get last(): State | undefined {
    return this.states.at(-1);
  }

  async wish(wish: Wish['wish'], word?: string): Promise<unknown> {
    const id = ++this.#asked;
    const answer = this.#next(
      (told) => (told.kind === 'granted' || told.kind === 'refused') && told.id === id,
      60_000,
    );
    this.#child.stdin.write(
      `${JSON.stringify({ id, wish, ...(word === undefined ? {} : { word }) } satisfies Wish)}\n`,
    );
    const told = await answer;
    if (told.kind === 'refused') throw new Error(told.reason);
    return told.kind === 'granted' ? told.value : undefined;
  }

  check(): Promise<MailChecked> {
    return this.wish('check') as Promise<MailChecked>;
  }

  test(to: string): Promise<MailSent> {
    return this.wish('test', to) as Promise<MailSent>;
  }

  /** The first state, from the last one on, that is as wanted. */
  async until(
    wanted: (state: MailProgress, pid: number | null) => boolean,
    withinMs = 60_000,
  ): Promise<State> {
    const now = this.last;
    if (now !== undefined && wanted(now.state, now.pid)) return now;
    const told = await this.#next((told) => told.kind === 'state' && wanted(told.state, told.pid), withinMs);
    return told as State;
  }

  /** Resolves when no mail process runs any more, or after a few seconds. */
  async idle(): Promise<void> {
    for (let tries = 0; tries < 200 && (tries === 0 || this.last?.notes.length !== 0); tries++) {
      await delay(20);
      await this.wish('state');
    }
  }

  /** What is said next that is as wanted, from now on. */
  #next(wanted: (told: Told) => boolean, withinMs: number): Promise<Told> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#heard.delete(heard);
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`did not happen; last: ${this.transcript.slice(-5).join('\n')} ${this.errors}`));
      }, withinMs);
      const heard = (told: Told): void => {
        if (!wanted(told)) return;
        end();
        resolve(told);
      };
      this.#heard.add(heard);
    });
  }

  /** Ends service and mail process in order; nothing when that is done. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'close');
    this.#child.stdin.end();
    await ended;
  }
}
