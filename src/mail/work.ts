/** The configured sources of people at work: folders one after the other, again and again; IMAP beside them. */
import type { Egress } from '../egress/egress.ts';
import type { Ledger } from '../store/ledger.ts';
import type { LedgerBatch, Mailbox } from '../store/ledger-types.ts';
import { readHeader } from './header.ts';
import { IMAP_SOURCE, ImapSource, type MessageSink } from './imap-source.ts';
import type { MailProgress } from './mail-types.ts';
import type { Redactor } from './redact.ts';
import type { Secret } from './secret.ts';
import type { MailSettings } from './settings.ts';
import { SourceProgress } from './source-progress.ts';
import { Waker } from './waker.ts';

const POLL_EVERY_MS = 30_000;

export interface MailWorkParts {
  readonly settings: MailSettings;
  readonly egress: Egress;
  readonly ledger: Ledger;
  readonly secret: Secret;
  /** Something changed that `progress` tells. */
  readonly told: () => void;
}

export class MailWork {
  readonly #parts: MailWorkParts;
  readonly #progress: readonly SourceProgress[];
  readonly #imap: ImapSource | null;
  readonly #waker = new Waker();
  #stopped = false;

  constructor(parts: MailWorkParts) {
    this.#parts = parts;
    const { settings, egress, ledger, secret, told } = parts;
    this.#progress = settings.sources.map((source) => new SourceProgress(source, told));
    const at = settings.sources.indexOf(IMAP_SOURCE);
    const progress = this.#progress[at];
    this.#imap =
      progress === undefined
        ? null
        : new ImapSource({
            ...{ egress, progress, account: () => this.#account() },
            sink: new RedactedSink(ledger, secret.redactor),
            read: (header) => readHeader(header, Date.now()),
          });
  }

  /** Resolves when it was stopped. Rejects over a bug, or when the ledger cannot be written. */
  async run(): Promise<void> {
    await Promise.all([this.#imap?.run(), this.#folders()]);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#waker.wake();
    await this.#imap?.stop();
  }

  get progress(): MailProgress {
    const { people, messages, leftOut } = this.#parts.ledger.totals();
    const sources = this.#progress.map(({ facts }) => facts);
    const failed = sources.filter(({ state }) => state === 'failed');
    return {
      ...{ people, messages, finite: leftOut === 0, sources },
      trouble: failed.map(({ source, reason }) => `${source}: ${reason}`).join('; '),
    };
  }

  async #folders(): Promise<void> {
    while (!this.#stopped) await this.#waker.wait(POLL_EVERY_MS);
  }

  #account(): ReturnType<ConstructorParameters<typeof ImapSource>[0]['account']> {
    const { settings, secret } = this.#parts;
    const { host, user } = settings.imap;
    if (host === '') return { reason: 'the source "imap" has no server: set imap_host in [identity]' };
    if (user === '')
      return { reason: `there is no user name for ${host}: set address or imap_user in [identity]` };
    const read = secret.read();
    return read.ok ? { host, user, password: read.secret, redact: secret.redact } : { reason: read.reason };
  }
}

/** What goes into the ledger never holds the password, whatever a server sends. */
export class RedactedSink implements MessageSink {
  readonly #sink: Ledger;
  readonly #redactor: Redactor;

  constructor(sink: Ledger, redactor: Redactor) {
    this.#sink = sink;
    this.#redactor = redactor;
  }

  folders(source: string): readonly string[] {
    return this.#sink.folders(source);
  }

  dropFolder(source: string, folder: string): void {
    this.#sink.dropFolder(source, folder);
  }

  finish(): void {
    this.#sink.finish();
  }

  place(source: string, folder: string): string | null {
    return this.#sink.place(source, this.#redactor.text(folder));
  }

  commit({ messages, place, units }: LedgerBatch): void {
    const cleaned = messages.map(({ from, to, copied, ...message }) => ({
      ...message,
      ...{ from: this.#boxes(from), to: this.#boxes(to), copied: this.#boxes(copied) },
    }));
    const folder = place === null ? '' : this.#redactor.text(place.folder);
    this.#sink.commit({ messages: cleaned, place: place === null ? null : { ...place, folder }, units });
  }

  #boxes(boxes: readonly Mailbox[]): readonly Mailbox[] {
    return boxes
      .filter(({ address }) => !this.#redactor.tells(address))
      .map(({ address, name }) => ({ address, name: this.#redactor.text(name) }));
  }
}
