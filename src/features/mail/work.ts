/** Reads the configured sources of people: folders one after the other, again and again; IMAP at the same time. */
import { homedir } from 'node:os';
import type { Egress } from '../../egress/egress.ts';
import type { MailProgress } from '../../records/mail-facts.ts';
import { IMAP_SOURCE, ImapSource, type ImapSourceOptions } from './imap-source.ts';
import type { Ledger } from './ledger/ledger.ts';
import { FINISH_EVERY_MS } from './ledger/types.ts';
import { MessageReader } from './message-reader.ts';
import type { Secret } from './password.ts';
import { readFolders } from './read-folders.ts';
import { RedactedLedger, type SourceLedger } from './redacted-ledger.ts';
import type { MailSettings } from './settings.ts';
import { SourceProgress } from './source-progress.ts';
import { Waker } from './waker.ts';

const POLL_EVERY_MS = 30_000;

interface MailWorkParts {
  readonly settings: MailSettings;
  readonly egress: Egress;
  readonly ledger: Ledger;
  readonly secret: Secret;
  /** Called when `progress` has changed. */
  readonly changed: () => void;
}

export class MailWork {
  readonly #parts: MailWorkParts;
  readonly #progress: readonly SourceProgress[];
  readonly #imap: ImapSource | undefined;
  readonly #ledger: SourceLedger;
  readonly #waker = new Waker();
  #stopped = false;

  constructor(parts: MailWorkParts) {
    this.#parts = parts;
    const { settings, egress, ledger, secret, changed } = parts;
    this.#progress = settings.sources.map((source) => new SourceProgress(source, changed));
    this.#ledger = new RedactedLedger(ledger, secret.redactor);
    const progress = this.#progress[settings.sources.indexOf(IMAP_SOURCE)];
    const account = () => this.#account();
    this.#imap =
      progress &&
      new ImapSource({
        egress,
        progress,
        account,
        sink: this.#ledger,
        reader: new MessageReader(ledger.messageKey),
      });
  }

  /** Resolves after `stop`. Rejects because of a bug, or when the ledger cannot be written. */
  async run(): Promise<void> {
    await Promise.all([this.#imap?.run(), this.#folders()]);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#waker.wake();
    await this.#imap?.stop();
  }

  get progress(): MailProgress {
    const sources = this.#progress.map(({ facts }) => facts);
    const failed = sources.filter(({ state }) => state === 'failed');
    return {
      ...this.#parts.ledger.totals(),
      sources,
      trouble: failed.map(({ source, reason }) => `${source}: ${reason}`).join('; '),
    };
  }

  /** Folders of this machine, again and again. */
  async #folders(): Promise<void> {
    const sources = this.#parts.settings.sources
      .map((source, at) => ({ source, progress: this.#progress[at] as SourceProgress }))
      .filter(({ source }) => source !== IMAP_SOURCE);
    while (!this.#stopped && sources.length > 0) {
      for (const { source, progress } of sources)
        if (!this.#stopped) await this.#readFolder(source, progress);
      await this.#waker.wait(POLL_EVERY_MS);
    }
  }

  async #readFolder(source: string, progress: SourceProgress): Promise<void> {
    const ledger = this.#ledger;
    const run = readFolders(source, ledger, homedir(), Date.now);
    if (run === null) throw new TypeError(`"${source}" is not a source of people`);
    let done = 0;
    let finishedMs = performance.now();
    for (let step = await run.next(); !this.#stopped; step = await run.next()) {
      if (step.done === true) {
        const { reason, folders } = step.value;
        ledger.finish();
        if (reason === '') progress.complete(folders);
        else progress.failed(reason);
        return;
      }
      const { batch, progress: now } = step.value;
      ledger.commit(batch);
      if (done === 0 && now.done > 0) progress.begin(0, now.total);
      progress.advance(now.done - done, now.total);
      done = now.done;
      if (performance.now() - finishedMs > FINISH_EVERY_MS) {
        ledger.finish();
        finishedMs = performance.now();
      }
      // Lets other work of this process run.
      await new Promise(setImmediate);
    }
    await run.return({ reason: '', folders: 0 });
  }

  #account(): ReturnType<ImapSourceOptions['account']> {
    const { settings, secret } = this.#parts;
    const { host, user } = settings.imap;
    if (host === '') return { reason: 'the source "imap" has no server: set imap_host in [identity]' };
    if (user === '') return { reason: `no user name for ${host}: set address or imap_user in [identity]` };
    const read = secret.read();
    return read.ok ? { host, user, password: read.secret, redact: secret.redact } : { reason: read.reason };
  }
}
