/** The mail process holds the password, removed from all it sends, and reads hostile mail. It talks to the service only and ends with it. */
import '../../engine/native/no-debugger.ts';
import { statSync } from 'node:fs';
import { DeskError } from '../../base/desk-error.ts';
import { EgressGuard } from '../../egress/guard.ts';
import { loadNative } from '../../engine/native/load.ts';
import type { LedgerQuestion } from '../../records/ledger.ts';
import { checkIdentity, sendAlert, sendTest } from './check.ts';
import { exportPeople, renewExports } from './export.ts';
import type { Ask, FromMail, LogLevel, ToMail } from './ipc.ts';
import { type Ledger, openLedger } from './ledger/ledger.ts';
import { type LedgerReader, openLedgerReader } from './ledger/reader.ts';
import { LedgerThread } from './ledger/thread.ts';
import { Secret } from './password.ts';
import type { MailSettings } from './settings.ts';
import { MailWork } from './work.ts';

/** Keys whose values are words of the protocol, not text from elsewhere: no password is removed from them. */
const OWN_WORDS: ReadonlySet<string> = new Set('kind level state protocol step what code'.split(' '));
/** Shortest time between two reports of progress. */
const REPORT_EVERY_MS = 250;
/** How long work may still run after a request to end. */
const END_MS = 1500;

class MailProcess {
  readonly #settings: MailSettings;
  readonly #secret: Secret;
  readonly #egress: EgressGuard;
  readonly #reads: LedgerThread;
  #opened: Ledger | null = null;
  #work: MailWork | null = null;
  #reporting: NodeJS.Timeout | undefined;
  #failing = false;

  constructor(settings: MailSettings) {
    this.#settings = settings;
    this.#secret = new Secret(settings.passwordFile, process.env.CREDENTIALS_DIRECTORY, settings.serviceUid);
    this.#secret.read();
    this.#egress = new EgressGuard(settings.egress);
    this.#reads = new LedgerThread(settings.folder);
  }

  /** Everything that leaves the process passes here, except answers of the ledger. */
  send(message: FromMail): void {
    post(this.#secret.redactor.data(message, OWN_WORDS));
  }

  log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.send({ kind: 'log', level, message, fields });
  }

  /** Begins with the configured sources. */
  work(): void {
    if (this.#work !== null || this.#settings.sources.length === 0) return;
    this.#work = new MailWork({
      settings: this.#settings,
      egress: this.#egress,
      ledger: this.#ledger(),
      secret: this.#secret,
      changed: () => {
        this.#reporting ??= setTimeout(() => this.#report(), REPORT_EVERY_MS);
      },
    });
    this.#report();
    this.#work.run().catch((error: unknown) => this.fail(error));
  }

  async answer(id: number, ask: Ask): Promise<void> {
    try {
      // The ledger was redacted when it was written; here a short password would cut into addresses.
      if (ask.what === 'who' || ask.what === 'page' || ask.what === 'totals')
        return post({ kind: 'answer', id, ok: true, value: await this.#reads.ask(ask) });
      this.send({ kind: 'answer', id, ok: true, value: await this.#do(ask) });
    } catch (error) {
      const known = error instanceof DeskError;
      if (!known)
        this.log('error', 'a request to the mail process failed', { what: ask.what, err: fieldsOf(error) });
      const reason = `The mail process failed: ${messageOf(error).replace(/\.$/, '')}.`;
      const failure = new DeskError('unavailable', reason, 'See "desk mail" and the log of the desk.');
      const { code, message, remedy } = known ? error : failure;
      this.send({ kind: 'answer', id, ok: false, code, reason: message, remedy });
    }
  }

  /** Ends after an error that it cannot continue from; the service starts another process. */
  fail(error: unknown): void {
    if (this.#failing) return;
    this.#failing = true;
    this.log('error', 'the mail process fails', { err: fieldsOf(error) });
    this.send({ kind: 'ending', reason: messageOf(error) });
    void this.end(1);
  }

  async end(code: number): Promise<never> {
    setTimeout(() => process.exit(code), END_MS);
    await this.#work?.stop().catch(() => undefined);
    try {
      this.#opened?.close();
    } catch {
      // For example on a full disk: what was committed is in the write-ahead log.
    }
    process.exit(code);
  }

  async #do(ask: Exclude<Ask, LedgerQuestion>): Promise<unknown> {
    const parts = { settings: this.#settings, egress: this.#egress, secret: this.#secret };
    switch (ask.what) {
      case 'check':
        return checkIdentity(parts);
      case 'test':
        return sendTest(parts, ask.to);
      case 'alert':
        return sendAlert(parts, ask);
      case 'forget': {
        const known = this.#ledger().forget(ask.address);
        this.#reading((reader) => renewExports(this.#settings.folder, reader));
        this.#report();
        return known;
      }
      case 'export': {
        this.#ledger().finish();
        return this.#reading((reader) => exportPeople(this.#settings.folder, ask.format, reader));
      }
    }
  }

  #reading<T>(use: (reader: LedgerReader) => T): T {
    const reader = openLedgerReader(this.#settings.folder);
    try {
      return use(reader);
    } finally {
      reader.close();
    }
  }

  #ledger(): Ledger {
    if (this.#opened === null) {
      const { folder, own, maxPeople } = this.#settings;
      this.#opened = openLedger(folder, { own, maxPeople });
      if (this.#opened.recovered !== '') this.log('warn', this.#opened.recovered);
    }
    return this.#opened;
  }

  #report(): void {
    clearTimeout(this.#reporting);
    this.#reporting = undefined;
    if (this.#work !== null) this.send({ kind: 'progress', progress: this.#work.progress });
  }
}

const post = (message: FromMail): void => {
  if (process.connected) process.send?.(message, () => undefined);
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const fieldsOf = (error: unknown): Readonly<Record<string, unknown>> =>
  error instanceof Error
    ? { type: error.name, message: error.message, stack: error.stack }
    : { message: String(error) };

/** Keeps memory of this process out of core dumps, before the password is read. The error code, "" on success. */
function keepOutOfCores(): string {
  // With the uid of the service, the process stays readable for it: the service reads every process.
  const ownUid = statSync(`/proc/${process.ppid}`, { throwIfNoEntry: false })?.uid !== process.geteuid?.();
  return loadNative().addon.keepMemoryPrivate(ownUid)?.code ?? '';
}

function main(): void {
  if (process.send === undefined) throw new TypeError('the mail process is started by the desk, not by hand');
  const unfiltered = keepOutOfCores();
  let mail: MailProcess | null = null;
  const fail = (error: unknown): void => {
    if (mail === null) process.exit(1);
    mail.fail(error);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  // Signals of a terminal and of systemd (KillMode=control-group) reach the service too: it asks this process to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => void (mail?.end(0) ?? process.exit(0)));
  process.on('message', (message: ToMail) => {
    if (message.kind === 'begin') {
      if (mail !== null) return;
      mail = new MailProcess(message.settings);
      if (unfiltered !== '')
        mail.log('warn', 'a core dump of the mail process would hold its memory', { code: unfiltered });
      mail.send({ kind: 'ready' });
    } else if (message.kind === 'work') mail?.work();
    else if (message.kind === 'ask') void mail?.answer(message.id, message.ask);
    else if (message.kind === 'ping') mail?.send({ kind: 'alive' });
    else void mail?.end(0);
  });
}

main();
