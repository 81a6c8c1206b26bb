/** The mail process across reloads of the configuration: one for the active configuration. */
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../config/schema.ts';
import type { Resident, ResidentHost } from '../../desk/feature.ts';
import { startMail } from '../../privileges/child.ts';
import { ledgerFolder, makeLedgerFolder } from '../../privileges/ledger-folder.ts';
import { HelperNotes } from '../quarantine/index.ts';
import type { MailPart } from './desk-mail.ts';
import { MailKeeper } from './keeper.ts';
import { type MailSettings, mailSettings } from './settings.ts';

/** Longest wait of a desk for the first count of the ledger. */
const COUNT_MS = 3000;

interface Kept {
  readonly keeper: MailKeeper;
  /** As text. */
  readonly settings: string;
}

export class ResidentMail implements Resident<MailPart> {
  readonly #host: ResidentHost;
  /** Of the ledger. */
  readonly #folder: string;
  readonly #helpers: HelperNotes;
  readonly #events = new EventEmitter<{ changed: [] }>();
  #kept: Kept | null = null;
  /** Of a configuration that is not active yet. */
  #coming: Kept | null = null;

  constructor(host: ResidentHost) {
    const { folder, native } = host;
    this.#helpers = new HelperNotes({ folder, native });
    this.#host = host;
    this.#folder = ledgerFolder(folder);
    try {
      makeLedgerFolder(folder);
    } catch (error) {
      // The mail process starts anyway, and reports what is missing.
      host.log.error({ err: error }, 'the folder of the people ledger cannot be created');
    }
  }

  /** For a desk with this configuration: the running process if its mail settings did not change, else one that `take` starts. */
  partFor(config: Config) {
    const settings = mailSettings(config, this.#folder);
    const text = JSON.stringify(settings);
    const old = this.#kept;
    this.#coming = old?.settings === text ? old : { settings: text, keeper: this.#keeper(settings, old) };
    const { keeper } = this.#coming;
    const first = () => Promise.race([keeper.count(), delay(COUNT_MS, undefined, { ref: false })]);
    return {
      keeper,
      /** Resolves when the ledger was counted for the first time, or that takes too long. */
      counted: old === null ? first() : Promise.resolve(),
      /** Calls back on each change of the process's state; returns a function that ends this. */
      onChange: (changed: () => void) => {
        this.#events.on('changed', changed);
        return () => void this.#events.off('changed', changed);
      },
    };
  }

  #keeper(settings: MailSettings, old: Kept | null): MailKeeper {
    return new MailKeeper({
      settings,
      log: this.#host.log,
      startChild: (folder) => startMail(folder, (pid) => this.#helpers.note(pid)),
      ...(old === null ? {} : { counted: old.keeper.state }),
      changed: () => void this.#events.emit('changed'),
    });
  }

  /** The desk of the last `partFor` becomes active. The old process ends first: the ledger never has two writers. */
  async take(): Promise<void> {
    const old = this.#kept;
    this.#kept = this.#coming;
    if (old === this.#kept) return;
    await old?.keeper.close();
    this.#kept?.keeper.start();
  }

  async close(): Promise<void> {
    await this.#kept?.keeper.close();
    if (this.#coming !== this.#kept) await this.#coming?.keeper.close();
    this.#helpers.close();
  }
}
