/** Mail as it outlives a desk: the process of the newest configuration that was taken. */
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../config/schema.ts';
import type { NativeAddon } from '../../engine/native/types.ts';
import { startMail } from '../../privileges/child.ts';
import { ledgerFolder, makeLedgerFolder } from '../../privileges/ledger-folder.ts';
import { HelperNotes } from '../quarantine/index.ts';
import type { MailParts } from './desk-mail.ts';
import { MailKeeper } from './keeper.ts';
import { type MailSettings, mailSettings } from './settings.ts';

/** A desk waits no longer for the first count of the ledger. */
const COUNT_MS = 3000;

interface StandingMailOptions {
  /** Path of the state folder. */
  readonly folder: string;
  readonly log: Logger;
  readonly native: Pick<NativeAddon, 'openRoot' | 'closeRoot' | 'processStart'>;
}

interface Kept {
  readonly keeper: MailKeeper;
  /** The settings it was made of, as text. */
  readonly settings: string;
}

export class StandingMail {
  readonly #options: StandingMailOptions;
  /** Of the ledger. */
  readonly #folder: string;
  readonly #helpers: HelperNotes;
  readonly #events = new EventEmitter<{ changed: [] }>();
  #kept: Kept | null = null;
  /** Of a configuration that is about to be taken. */
  #coming: Kept | null = null;

  constructor(options: StandingMailOptions) {
    const { folder, native } = options;
    this.#helpers = new HelperNotes({ folder, native });
    this.#options = options;
    this.#folder = ledgerFolder(folder);
    try {
      makeLedgerFolder(folder);
    } catch (error) {
      // The mail process is started with or without it, and reports what it lacks.
      options.log.error({ err: error }, 'the folder of the people ledger cannot be created');
    }
  }

  /** For a desk of this configuration. Its process is that which runs when nothing of mail changed, else it starts with `take`. */
  partsFor(config: Config): MailParts {
    const settings = mailSettings(config, this.#folder);
    const text = JSON.stringify(settings);
    const old = this.#kept;
    this.#coming = old?.settings === text ? old : { settings: text, keeper: this.#keeper(settings, old) };
    const { keeper } = this.#coming;
    return {
      keeper,
      counted:
        old === null
          ? Promise.race([keeper.count(), delay(COUNT_MS, undefined, { ref: false })])
          : Promise.resolve(),
      onChange: (told) => {
        this.#events.on('changed', told);
        return () => this.#events.off('changed', told);
      },
    };
  }

  #keeper(settings: MailSettings, old: Kept | null): MailKeeper {
    return new MailKeeper({
      settings,
      log: this.#options.log,
      startChild: (folder) => startMail(folder, (pid) => this.#helpers.note(pid)),
      ...(old === null ? {} : { counted: old.keeper.state }),
      changed: () => void this.#events.emit('changed'),
    });
  }

  /** The desk of the last `partsFor` is the one that serves: the ledger never has two writers. */
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
