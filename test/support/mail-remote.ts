/** The test's side of `mail-service.ts`: a service's mail in a network namespace, controlled and watched from outside. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { AlertMail, AlertSent } from '../../src/desk/alert-mail.ts';
import type { MailChecked, MailProgress, MailSent } from '../../src/records/mail-facts.ts';
import { programWords } from './entry.ts';

export interface Wish {
  readonly id: number;
  readonly wish:
    | 'start'
    | 'state'
    | 'check'
    | 'test'
    | 'alert'
    | 'forget'
    | 'export'
    | 'count'
    | 'who'
    | 'page'
    | 'close';
  readonly word?: string;
}

export type Report =
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

type State = Extract<Report, { kind: 'state' }>;

/** Arguments for node. */
export const MAIL_SERVICE = programWords('./mail-service.ts', import.meta.url);

export class MailRemote {
  /** Its whole output. */
  readonly transcript: string[] = [];
  readonly states: State[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #heard = new Set<(report: Report) => void>();
  #asked = 0;
  errors = '';

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.errors += text;
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.transcript.push(line);
      const report = JSON.parse(line) as Report;
      if (report.kind === 'state') this.states.push(report);
      for (const heard of [...this.#heard]) heard(report);
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
      (report) => (report.kind === 'granted' || report.kind === 'refused') && report.id === id,
      60_000,
    );
    this.#child.stdin.write(
      `${JSON.stringify({ id, wish, ...(word === undefined ? {} : { word }) } satisfies Wish)}\n`,
    );
    const report = await answer;
    if (report.kind === 'refused') throw new Error(report.reason);
    return report.kind === 'granted' ? report.value : undefined;
  }

  check(): Promise<MailChecked> {
    return this.wish('check') as Promise<MailChecked>;
  }

  alert(mail: AlertMail): Promise<AlertSent> {
    return this.wish('alert', JSON.stringify(mail)) as Promise<AlertSent>;
  }

  test(to: string): Promise<MailSent> {
    return this.wish('test', to) as Promise<MailSent>;
  }

  /** The first matching state, starting with the last one. */
  async until(
    wanted: (state: MailProgress, pid: number | null) => boolean,
    withinMs = 60_000,
  ): Promise<State> {
    const now = this.last;
    if (now !== undefined && wanted(now.state, now.pid)) return now;
    const report = await this.#next(
      (report) => report.kind === 'state' && wanted(report.state, report.pid),
      withinMs,
    );
    return report as State;
  }

  /** Resolves when no mail process runs any more, or after a few seconds. */
  async idle(): Promise<void> {
    for (let tries = 0; tries < 200 && (tries === 0 || this.last?.notes.length !== 0); tries++) {
      await delay(20);
      await this.wish('state');
    }
  }

  /** The next matching report from now on. */
  #next(wanted: (report: Report) => boolean, withinMs: number): Promise<Report> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#heard.delete(heard);
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`did not happen; last: ${this.transcript.slice(-5).join('\n')} ${this.errors}`));
      }, withinMs);
      const heard = (report: Report): void => {
        if (!wanted(report)) return;
        end();
        resolve(report);
      };
      this.#heard.add(heard);
    });
  }

  /** Ends service and mail process in order; does nothing the second time. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'close');
    this.#child.stdin.end();
    await ended;
  }
}
