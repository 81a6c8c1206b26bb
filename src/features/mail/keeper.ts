/** Starts, restarts and ends the mail process, sends it settings and requests. Never has the password: the process reads it itself. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { DeskError } from '../../base/desk-error.ts';
import { JsonLines } from '../../base/json-lines.ts';
import { Backoff } from '../../base/retry.ts';
import type { AlertMail } from '../../desk/alert-mail.ts';
import { type Child, startMail } from '../../privileges/child.ts';
import type {
  LedgerPerson,
  LedgerQuestion,
  LedgerTotals,
  PeoplePage,
  PeopleQuery,
} from '../../records/ledger.ts';
import type { MailProgress } from '../../records/mail-facts.ts';
import type { Exported, ExportFormat } from './export.ts';
import { ANSWERS, type Ask, type FromMail, fromMail, type ToMail } from './ipc.ts';
import { ledgerName } from './ledger/form.ts';
import type { MailSettings } from './settings.ts';

/** A process that ran this long was healthy. */
const HEALTHY_MS = 60_000;
/** Time to exit after a request to do so. */
const END_MS = 2000;
/** Period of health checks, and how many may fail in a row: a disk may block the process for two minutes. */
const PING_EVERY_MS = 10_000;
const MOST_PINGS = 15;
/** Longest wait for an answer, and for one of the ledger. */
const ANSWER_MS = 60_000;
const READ_MS = 10_000;
/** A process that does not read mail is ended this long after its last answer: often another request follows soon. */
const IDLE_MS = 10_000;
/** Requests without an answer, beyond which the ledger is not read. */
const MOST_READS = 32;
/** Characters of a message: far more than the longest has. */
const MOST_LINE = 8 << 20;
/** Characters of the reason why a message was rejected. */
const MOST_REASON = 500;

const NONE: LedgerTotals = { people: 0, messages: 0, leftOut: 0 };

interface MailKeeperOptions {
  readonly settings: MailSettings;
  readonly log: Logger;
  /** Called when `state` has changed. */
  readonly changed?: () => void;
  /** Starts the process; default: `startMail`. */
  readonly startChild?: (folder: string) => Child;
  /** First pause before it is started again, ms. */
  readonly againMs?: number;
  /** Pause before a process that does not read mail is ended, ms. */
  readonly idleMs?: number;
  /** What the ledger last held; default: nothing. */
  readonly counted?: LedgerTotals;
  /** Period of health checks, ms. */
  readonly pingEveryMs?: number;
  /** Longest wait for an answer, ms. */
  readonly answerMs?: number;
}

type What = Ask['what'];
type Answer<W extends What> = z.infer<(typeof ANSWERS)[W]>;

interface Waiting {
  readonly what: What;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class MailKeeper {
  readonly #options: MailKeeperOptions;
  readonly #settings: MailSettings;
  readonly #backoff: Backoff;
  #child: Child | null = null;
  /** Ends of processes that are not reaped yet. */
  readonly #ends = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #state: MailProgress;
  /** It reads the sources; else it runs only while there are requests. */
  #working = false;
  #idle: NodeJS.Timeout | undefined;
  /** Why the ledger could not be counted, "" when it was. */
  #uncounted = '';
  #pinging: NodeJS.Timeout | undefined;
  /** Health checks since its last message. */
  #pings = 0;
  #trouble = '';
  #ending = '';
  #closed = false;
  #asked = 0;
  readonly #waiting = new Map<number, Waiting>();

  constructor(options: MailKeeperOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#backoff = new Backoff(options.againMs);
    const sources = this.#settings.sources.map((source) => {
      const none = { folders: 0, read: 0, progress: null, completeMs: null };
      return { source, state: 'waiting', reason: '', ...none } as const;
    });
    const { people, messages, leftOut } = options.counted ?? NONE;
    this.#state = { people, messages, leftOut, sources, trouble: '' };
  }

  /** Has the sources read from now on, where any are configured. */
  start(): void {
    if (this.#settings.sources.length === 0 || this.#working) return;
    this.#working = true;
    clearTimeout(this.#idle);
    if (this.#child === null) this.#start();
    else this.#send({ kind: 'work' });
  }

  get state(): MailProgress {
    const trouble = this.#trouble || this.#state.trouble || this.#uncounted;
    return { ...this.#state, trouble };
  }

  /** Pid of the process; undefined while it does not run. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  check() {
    return this.#ask({ what: 'check' });
  }

  test(to: string) {
    return this.#ask({ what: 'test', to });
  }

  alert(mail: AlertMail) {
    return this.#ask({ what: 'alert', ...mail });
  }

  /** Whether the person was known. Existing exports are written again. */
  async forget(address: string): Promise<boolean> {
    const known = await this.#ask({ what: 'forget', address });
    await this.count();
    return known;
  }

  async exportTo(format: ExportFormat): Promise<Exported> {
    const exported = await this.#ask({ what: 'export', format });
    await this.count();
    return exported;
  }

  /** By an address in its normal form (`addressOf`); null when no person has it. */
  async who(address: string): Promise<LedgerPerson | null> {
    return this.#hasLedger() ? this.#read({ what: 'who', address }) : null;
  }

  /** Null: the cursor was not given out for this query. */
  async page(query: PeopleQuery): Promise<PeoplePage | null> {
    if (this.#hasLedger()) return this.#read({ what: 'page', query });
    return query.cursor === undefined ? { total: 0, people: [], next: null } : null;
  }

  /** Counts the ledger for `state`. Never rejects: `state.trouble` says why it could not be counted. */
  async count(): Promise<void> {
    try {
      const counted = this.#hasLedger() ? await this.#read({ what: 'totals' }) : NONE;
      this.#state = { ...this.#state, ...counted };
      this.#uncounted = '';
    } catch (error) {
      const { message, remedy } = error as DeskError;
      this.#uncounted = `${message.replace(/\.$/, '')}, ${remedy}`;
    }
    this.#options.changed?.();
  }

  /** Asks the process to end, and kills it if it does not; resolves within about two seconds. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#idle);
    this.#stop();
    await Promise.all(this.#ends);
  }

  /** Whether there is one; only the mail process opens it: it may belong to another user. */
  #hasLedger(): boolean {
    try {
      return lstatSync(join(this.#settings.folder, ledgerName), { throwIfNoEntry: false }) !== undefined;
    } catch {
      return true;
    }
  }

  /** Reads the ledger; rejects at once while the process cannot answer. */
  async #read<W extends LedgerQuestion['what']>(question: Extract<Ask, { what: W }>): Promise<Answer<W>> {
    const trouble = this.#child === null ? this.#trouble : '';
    if (trouble !== '')
      throw new DeskError('unavailable', `The people ledger cannot be read: ${trouble}.`, 'Try again then.');
    if (this.#waiting.size >= MOST_READS)
      throw new DeskError(
        'unavailable',
        'Too many requests read the ledger at the moment.',
        'Try again in a few seconds.',
      );
    return this.#ask(question, READ_MS);
  }

  /** Rejects with a DeskError when the process ends before it answers, is too slow, or refuses. */
  async #ask<W extends What>(ask: Extract<Ask, { what: W }>, mostMs = ANSWER_MS): Promise<Answer<W>> {
    if (this.#closed) throw new DeskError('unavailable', 'The desk is stopping.', 'Try again when it runs.');
    clearTimeout(this.#idle);
    this.#start();
    const id = ++this.#asked;
    const { answerMs = mostMs } = this.#options;
    let late: NodeJS.Timeout | undefined;
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { what: ask.what, resolve, reject });
      this.#send({ kind: 'ask', id, ask });
      late = setTimeout(() => {
        this.#waiting.delete(id);
        const sec = Math.max(1, Math.round(answerMs / 1000));
        reject(
          new DeskError(
            'unavailable',
            `The mail process did not answer within ${sec} s; the request may still be carried out.`,
            'See "desk mail" and the log of the desk, and try again.',
          ),
        );
      }, answerMs);
    }).finally(() => {
      clearTimeout(late);
      this.#endWhenIdle();
    }) as Promise<Answer<W>>;
  }

  /** Ends a process that does not read mail, some time after its last request. */
  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    if (this.#working || this.#closed || this.#waiting.size > 0) return;
    this.#idle = setTimeout(() => this.#stop(), this.#options.idleMs ?? IDLE_MS).unref();
  }

  #start(): void {
    if (this.#child !== null || this.#closed) return;
    clearTimeout(this.#timer);
    const startedMs = performance.now();
    const child = (this.#options.startChild ?? startMail)(this.#settings.folder);
    this.#child = child;
    this.#ending = '';
    const { channel } = child;
    const lines = new JsonLines(MOST_LINE, {
      onMessage: (message) => this.#take(child, fromMail.parse(message)),
      onDamage: (error) => this.#endDamaged(child, error),
    });
    channel?.setEncoding('utf8').on('data', (text: string) => lines.take(text));
    const ended = child.ended.then((how) => {
      // A child of the process may keep the channel open.
      channel?.destroy();
      this.#lost(child, this.#ending || how, performance.now() - startedMs);
    });
    this.#ends.add(ended);
    void ended.then(() => this.#ends.delete(ended));
    this.#send({ kind: 'begin', settings: this.#settings });
    if (this.#working) this.#send({ kind: 'work' });
    this.#watch(child);
  }

  /** Kills the process when it is silent for too long: it hangs or is stopped. */
  #watch(child: Child): void {
    const { pingEveryMs = PING_EVERY_MS } = this.#options;
    this.#pings = 0;
    this.#pinging = setInterval(() => {
      this.#pings += 1;
      if (this.#pings <= MOST_PINGS) return this.#send({ kind: 'ping' });
      this.#ending = `it did not answer ${MOST_PINGS} times`;
      child.kill();
    }, pingEveryMs);
    this.#pinging.unref();
  }

  #send(message: ToMail): void {
    // A broken channel shows in the end of the process.
    const channel = this.#child?.channel;
    if (channel?.writable) channel.write(`${JSON.stringify(message)}\n`);
  }

  /** Kills a process whose message is damaged or cannot be handled: it may be compromised. */
  #endDamaged(child: Child, error: unknown): void {
    child.kill();
    if (child === this.#child) this.#ending = 'it sent a damaged message';
    const reason = String(error).slice(0, MOST_REASON);
    this.#options.log.error({ part: 'mail', reason }, 'the mail process sent a damaged message');
  }

  /** Throws when what the message contains cannot be handled. */
  #take(child: Child, message: FromMail): void {
    if (child !== this.#child) return;
    const { log, changed } = this.#options;
    this.#pings = 0;
    switch (message.kind) {
      case 'ready':
        this.#setTrouble('');
        break;
      case 'progress':
        this.#state = message.progress;
        changed?.();
        break;
      case 'answer': {
        const waiting = this.#waiting.get(message.id);
        // A value of another shape throws here: the process is killed, which rejects the request.
        const value = message.ok && waiting ? ANSWERS[waiting.what].parse(message.value) : undefined;
        this.#waiting.delete(message.id);
        if (message.ok) waiting?.resolve(value);
        else waiting?.reject(new DeskError(message.code, message.reason, message.remedy));
        break;
      }
      case 'log':
        // Under one key: they must not replace a field of the line, such as its time.
        log[message.level]({ part: 'mail', mail: message.fields }, message.message);
        break;
      case 'ending':
        this.#ending = message.reason;
    }
  }

  #lost(child: Child, how: string, livedMs: number): void {
    if (child !== this.#child) return;
    this.#child = null;
    clearInterval(this.#pinging);
    this.#reject(`The mail process ended before it answered (${how}).`, 'Try again.');
    if (this.#closed || !this.#working) return;
    if (livedMs > HEALTHY_MS) this.#backoff.reset();
    const againMs = this.#backoff.next();
    const inSec = Math.max(1, Math.round(againMs / 1000));
    this.#options.log.error(
      { part: 'mail', reason: how, again_ms: Math.round(againMs) },
      'the mail process ended',
    );
    this.#setTrouble(
      `the mail process ended (${how}), it is started again in ${inSec} s; see the log of the desk`,
    );
    this.#timer = setTimeout(() => this.#start(), againMs);
  }

  #setTrouble(trouble: string): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.#options.changed?.();
  }

  /** Rejects all requests. */
  #reject(message: string, remedy: string): void {
    const gone = new DeskError('unavailable', message, remedy);
    for (const { reject } of this.#waiting.values()) reject(gone);
    this.#waiting.clear();
  }

  #stop(): void {
    const child = this.#child;
    if (child === null) return;
    this.#send({ kind: 'stop' });
    // Its messages are ignored from here on; a new request starts another process.
    this.#child = null;
    clearInterval(this.#pinging);
    this.#reject('The mail process was ended.', 'Try again when the desk runs.');
    const late = setTimeout(() => child.kill(), END_MS);
    void child.ended.then(() => clearTimeout(late));
  }
}
