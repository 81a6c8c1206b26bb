/**
 * The service's side of the mail process: starts it, hands it the settings, passes on what is asked of it, starts it again when
 * it ends, and ends it. The password never comes here: the process reads it by itself.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { DeskError } from '../../base/desk-error.ts';
import { JsonLines } from '../../base/json-lines.ts';
import { Backoff } from '../../base/retry.ts';
import { type Child, startMail } from '../../privileges/child.ts';
import type {
  LedgerPerson,
  LedgerQuestion,
  LedgerTotals,
  PeoplePage,
  PeopleQuery,
} from '../../records/ledger.ts';
import type { MailChecked, MailProgress, MailSent } from '../../records/mail-facts.ts';
import type { Exported, ExportFormat } from './export.ts';
import type { Ask, FromMail, ToMail } from './ipc.ts';
import { ANSWERS, fromMail } from './ipc-schema.ts';
import { ledgerName } from './ledger/form.ts';
import type { MailSettings } from './settings.ts';

/** Who lived so long was healthy. */
const HEALTHY_MS = 60_000;
/** Given to end by itself. */
const END_MS = 2000;
/** It is asked so often whether it lives, and ended when it said nothing to so many: a disk may hold it up for two minutes. */
const KNOCK_EVERY_MS = 10_000;
const MOST_KNOCKS = 15;
/** Whoever asks waits no longer for an answer. */
const ANSWER_MS = 60_000;
/** For what the ledger says. */
const READ_MS = 10_000;
/** Who reads the ledger asks again soon: a process that is not to read mail is ended so long after its last answer. */
const IDLE_MS = 10_000;
/** Questions without an answer yet, beyond which the ledger is not asked. */
const MOST_READS = 32;
/** Characters of a message, far more than of the longest. */
const MOST_LINE = 8 << 20;
/** Characters of the reason why a message was refused. */
const MOST_REASON = 500;

const NONE: LedgerTotals = { people: 0, messages: 0, leftOut: 0 };

interface MailKeeperOptions {
  readonly settings: MailSettings;
  readonly log: Logger;
  /** Something changed that `state` tells. */
  readonly changed?: () => void;
  /** Starts the process; default: `startMail`. */
  readonly startChild?: (folder: string) => Child;
  /** First pause before it is started again, ms. */
  readonly againMs?: number;
  /** Of a process that is not to read mail, before it is ended, ms. */
  readonly idleMs?: number;
  /** What the ledger was last known to hold; default: nothing. */
  readonly counted?: LedgerTotals;
  /** Pause between two questions whether it lives, ms. */
  readonly knockEveryMs?: number;
  /** Longest wait for an answer, ms. */
  readonly answerMs?: number;
}

type What = Ask['what'];
type Answer<W extends What> = z.infer<(typeof ANSWERS)[W]>;

interface Waiting {
  readonly what: What;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
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
  /** It is to read the sources; else it runs only while it is asked something. */
  #working = false;
  #idle: NodeJS.Timeout | undefined;
  /** Why the ledger could not be counted, "" when it was. */
  #uncounted = '';
  #knocking: NodeJS.Timeout | undefined;
  /** Since it said something. */
  #knocks = 0;
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

  check(): Promise<MailChecked> {
    return this.#ask({ what: 'check' });
  }

  test(to: string): Promise<MailSent> {
    return this.#ask({ what: 'test', to });
  }

  /** Whether the person was known. Exports that stand there are written anew. */
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

  /** Counts the ledger again for `state`. Never rejects: `state.trouble` says why it could not be counted. */
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

  /** Has the process end, and ends it when it does not; resolves within about two seconds. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#idle);
    this.#stop();
    await Promise.all(this.#ends);
  }

  /** Whether the mail process has made one; the process alone opens it, since it may belong to another user. */
  #hasLedger(): boolean {
    try {
      return lstatSync(join(this.#settings.folder, ledgerName), { throwIfNoEntry: false }) !== undefined;
    } catch {
      return true;
    }
  }

  /** Asks for what the ledger says: refused at once while the process cannot answer. */
  #read<W extends LedgerQuestion['what']>(question: Extract<Ask, { what: W }>): Promise<Answer<W>> {
    const trouble = this.#child === null ? this.#trouble : '';
    if (trouble !== '')
      return Promise.reject(
        new DeskError('unavailable', `The people ledger cannot be read: ${trouble}.`, 'Ask again then.'),
      );
    if (this.#waiting.size >= MOST_READS)
      return Promise.reject(
        new DeskError('unavailable', 'Too many read the ledger just now.', 'Ask again in a few seconds.'),
      );
    return this.#ask(question, READ_MS);
  }

  /** Rejects with a DeskError when the process ends before it answers, or says why it cannot. */
  #ask<W extends What>(ask: Extract<Ask, { what: W }>, mostMs = ANSWER_MS): Promise<Answer<W>> {
    if (this.#closed)
      return Promise.reject(new DeskError('unavailable', 'The desk is ending.', 'Ask again when it runs.'));
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
            `The mail process did not answer within ${sec} s; what was asked may still be done.`,
            'See "desk mail" and the log of the desk, and ask again.',
          ),
        );
      }, answerMs);
    }).finally(() => {
      clearTimeout(late);
      this.#rest();
    }) as Promise<Answer<W>>;
  }

  /** Ends a process that is asked nothing and is not to read mail, after a pause. */
  #rest(): void {
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
      // A child of its own may hold the channel open, although no one reads it any more.
      channel?.destroy();
      this.#lost(child, this.#ending || how, performance.now() - startedMs);
    });
    this.#ends.add(ended);
    void ended.then(() => this.#ends.delete(ended));
    this.#send({ kind: 'begin', settings: this.#settings });
    if (this.#working) this.#send({ kind: 'work' });
    this.#knock(child);
  }

  /** Ends the process when it says nothing any more: whoever is stopped or hangs cannot be waited for. */
  #knock(child: Child): void {
    const { knockEveryMs = KNOCK_EVERY_MS } = this.#options;
    this.#knocks = 0;
    this.#knocking = setInterval(() => {
      this.#knocks += 1;
      if (this.#knocks <= MOST_KNOCKS) return this.#send({ kind: 'knock' });
      this.#ending = `it did not answer ${MOST_KNOCKS} times`;
      child.kill();
    }, knockEveryMs);
    this.#knocking.unref();
  }

  #send(message: ToMail): void {
    // A channel that is gone is told by the end of the process.
    const channel = this.#child?.channel;
    if (channel?.writable) channel.write(`${JSON.stringify(message)}\n`);
  }

  /** Ends a process whose message is damaged or cannot be handled: it may be compromised. */
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
    this.#knocks = 0;
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
        // A value of another shape throws here: whoever waits learns of the end of the process.
        const value = message.ok && waiting ? ANSWERS[waiting.what].parse(message.value) : undefined;
        this.#waiting.delete(message.id);
        if (message.ok) waiting?.resolve(value);
        else waiting?.reject(new DeskError(message.code, message.reason, message.remedy));
        break;
      }
      case 'log':
        // Under one name, so that they replace no field of the line, such as its time.
        log[message.level]({ part: 'mail', mail: message.fields }, message.message);
        break;
      case 'ending':
        this.#ending = message.reason;
    }
  }

  #lost(child: Child, how: string, livedMs: number): void {
    if (child !== this.#child) return;
    this.#child = null;
    clearInterval(this.#knocking);
    this.#disappoint(`The mail process ended before it answered (${how}).`, 'Ask again.');
    if (this.#closed || !this.#working) return;
    if (livedMs > HEALTHY_MS) this.#backoff.reset();
    const againMs = this.#backoff.next();
    const inSec = Math.max(1, Math.round(againMs / 1000));
    this.#options.log.error(
      { part: 'mail', reason: how, again_ms: Math.round(againMs) },
      'the mail process ended',
    );
    this.#setTrouble(
      `the mail process ended (${how}), it is started again in ${inSec} s; look at the log of the desk`,
    );
    this.#timer = setTimeout(() => this.#start(), againMs);
  }

  #setTrouble(trouble: string): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.#options.changed?.();
  }

  /** Nobody waits for an answer any more. */
  #disappoint(message: string, remedy: string): void {
    const gone = new DeskError('unavailable', message, remedy);
    for (const { reject } of this.#waiting.values()) reject(gone);
    this.#waiting.clear();
  }

  /** Asks the process to end, and ends it when it does not. */
  #stop(): void {
    const child = this.#child;
    if (child === null) return;
    this.#send({ kind: 'stop' });
    // It is not to be started again, nor to answer any more: whoever asks now gets another one.
    this.#child = null;
    clearInterval(this.#knocking);
    this.#disappoint('The mail process was ended.', 'Ask again when the desk runs.');
    const late = setTimeout(() => child.kill(), END_MS);
    void child.ended.then(() => clearTimeout(late));
  }
}
