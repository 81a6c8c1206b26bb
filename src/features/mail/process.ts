/**
 * The mail process: what holds the password and reads hostile mail. It talks to the service alone, over the channel it was
 * started with, and everything it says has the password taken out. It ends when the service does.
 */
import '../../engine/native/no-debugger.ts';
import { statSync } from 'node:fs';
import { DeskError } from '../../base/desk-error.ts';
import { EgressGuard } from '../../egress/guard.ts';
import { loadNative } from '../../engine/native/load.ts';
import type { LedgerQuestion } from '../../records/ledger.ts';
import { checkIdentity, sendTest } from './check.ts';
import { exportPeople, renewExports } from './export.ts';
import { type Ask, type FromMail, type LogLevel, OWN_WORDS, type ToMail } from './ipc.ts';
import { type Ledger, openLedger } from './ledger/ledger.ts';
import { type LedgerReader, openLedgerReader } from './ledger/reader.ts';
import { LedgerThread } from './ledger/thread.ts';
import { Secret } from './secret.ts';
import type { MailSettings } from './settings.ts';
import { MailWork } from './work.ts';

/** Progress is told at most so often. */
const TELL_EVERY_MS = 250;
/** What still runs when the process was asked to end has so long. */
const END_MS = 1500;

class MailProcess {
  readonly #settings: MailSettings;
  readonly #secret: Secret;
  readonly #egress: EgressGuard;
  readonly #reads: LedgerThread;
  #opened: Ledger | null = null;
  #work: MailWork | null = null;
  #telling: NodeJS.Timeout | undefined;
  #failing = false;

  constructor(settings: MailSettings) {
    this.#settings = settings;
    this.#secret = new Secret(settings.passwordFile, process.env.CREDENTIALS_DIRECTORY, settings.serviceUid);
    this.#secret.read();
    this.#egress = new EgressGuard(settings.egress);
    this.#reads = new LedgerThread(settings.folder);
  }

  /** Everything that leaves the process passes here, but for what the ledger says. */
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
      told: () => {
        this.#telling ??= setTimeout(() => this.#tell(), TELL_EVERY_MS);
      },
    });
    this.#tell();
    this.#work.run().catch((error: unknown) => this.fail(error));
  }

  async answer(id: number, ask: Ask): Promise<void> {
    try {
      // What the ledger says was redacted when it was written; here a short password would cut into addresses.
      if (ask.what === 'who' || ask.what === 'page' || ask.what === 'totals')
        return post({ kind: 'answer', id, ok: true, value: await this.#reads.ask(ask) });
      this.send({ kind: 'answer', id, ok: true, value: await this.#do(ask) });
    } catch (error) {
      if (error instanceof DeskError) {
        const { code, message, remedy } = error;
        return this.send({ kind: 'answer', id, ok: false, code, reason: message, remedy });
      }
      this.log('error', 'what was asked of the mail process failed', { what: ask.what, err: told(error) });
      this.send({
        kind: 'answer',
        id,
        ok: false,
        code: 'unavailable',
        reason: `The mail process failed: ${messageOf(error).replace(/\.$/, '')}.`,
        remedy: 'See "desk mail" and the log of the desk.',
      });
    }
  }

  /** Ends at once over what cannot be gone on from; the service starts another process. */
  fail(error: unknown): void {
    if (this.#failing) return;
    this.#failing = true;
    this.log('error', 'the mail process fails', { err: told(error) });
    this.send({ kind: 'ending', reason: messageOf(error) });
    void this.end(1);
  }

  async end(code: number): Promise<never> {
    setTimeout(() => process.exit(code), END_MS);
    await this.#work?.stop().catch(() => undefined);
    try {
      this.#opened?.close();
    } catch {
      // As on a full disk: what was committed stands in the log of the ledger.
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
      case 'forget': {
        const known = this.#ledger().forget(ask.address);
        this.#reading((reader) => renewExports(this.#settings.folder, reader));
        this.#tell();
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

  #tell(): void {
    clearTimeout(this.#telling);
    this.#telling = undefined;
    if (this.#work !== null) this.send({ kind: 'progress', progress: this.#work.progress });
  }
}

const post = (message: FromMail): void => {
  if (process.connected) process.send?.(message, () => undefined);
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const told = (error: unknown): Readonly<Record<string, unknown>> =>
  error instanceof Error
    ? { type: error.name, message: error.message, stack: error.stack }
    : { message: String(error) };

/** No core dump holds memory of this process; the password is not read yet. Why not, "" when it is so. */
function keepOutOfCores(): string {
  // A process of its service's uid stays readable for the service, which looks into every process.
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
  // Those of a terminal and of systemd (KillMode=control-group) reach the service too: it asks us to end, or starts us anew.
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
    else if (message.kind === 'knock') mail?.send({ kind: 'alive' });
    else void mail?.end(0);
  });
}

main();
