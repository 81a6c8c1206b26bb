/** Mail as a desk has it: everything is asked of the mail process, the ledger too. */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '../../base/desk-error.ts';
import type { Config } from '../../config/schema.ts';
import { shownPath } from '../../engine/native/shown-path.ts';
import { ledgerFolder } from '../../privileges/ledger-folder.ts';
import type { LedgerPerson, PeoplePage, PeopleQuery } from '../../records/ledger.ts';
import type { MailChecked, MailSent } from '../../records/mail-facts.ts';
import type { MailFacts } from '../../records/moment.ts';
import { EXPORTS } from './export.ts';
import type { MailKeeper } from './keeper.ts';
import { addressOf } from './people/address.ts';
import { mailSettings } from './settings.ts';

/** The mail people ledger, for reading. */
export interface People {
  /** Null: no mail address (RFC 5322 section 3.4.1). `address` is it as the ledger writes it. */
  who(email: string): Promise<{ readonly address: string; readonly person: LedgerPerson | null } | null>;
  /** Rejects with a DeskError, `usage` when the cursor is not one of ours. */
  page(query: PeopleQuery): Promise<PeoplePage>;
}

/** What is done at the mail servers and to the ledger. Refusals are DeskErrors. */
export interface Mail {
  /** Asks the servers of [identity], step by step. */
  check(): Promise<MailChecked>;
  /** Sends a test message to an address of your own; without one to that of [identity]. */
  test(to?: string): Promise<MailSent>;
  /** Removes a person from the ledger for good; `forgotten` false when it did not know them. */
  forget(email: string): Promise<{ readonly address: string; readonly forgotten: boolean }>;
  /** Writes the ledger into a file of the state folder. */
  export(format: 'json' | 'vcard'): Promise<{ readonly path: string; readonly people: number }>;
}

/** What of mail outlives a desk: the process of its configuration. */
export interface MailParts {
  readonly keeper: Pick<MailKeeper, 'state' | 'check' | 'test' | 'forget' | 'exportTo' | 'who' | 'page'>;
  /** Resolves when the ledger was counted for the first time, or that takes too long. */
  readonly counted: Promise<void>;
  /** Calls back when the process has something new to tell, until what it returns is called. */
  onChange(changed: () => void): () => void;
}

interface DeskMailParts {
  readonly config: Config;
  /** Path of the state folder. */
  readonly folder: string;
  readonly mail: MailParts;
  /** `facts` has something new to tell. */
  readonly changed: () => void;
}

/** What changes only when the mail process or the ledger does. */
type ToldMail = Omit<MailFacts, 'passwordSet' | 'clientRunning'>;

const malformed = (): DeskError =>
  new DeskError('usage', 'That is not a mail address.', 'Write a whole one, e.g. ada@example.org.');

export class DeskMail {
  readonly people: People;
  readonly mail: Mail;
  readonly #parts: DeskMailParts;
  readonly #own: readonly string[];
  /** As records tell it. */
  #told: ToldMail;
  /** The process is listened to no more. */
  readonly stop: () => void;

  constructor(parts: DeskMailParts) {
    this.#parts = parts;
    const { config, folder, mail: outlasting } = parts;
    const { keeper } = outlasting;
    this.people = {
      who: async (email) => {
        const address = addressOf(email);
        return address === null ? null : { address, person: await keeper.who(address) };
      },
      page: async (query) => {
        const page = await keeper.page(query);
        if (page === null)
          throw new DeskError(
            'usage',
            'That cursor was not given out for this search and order.',
            'Begin again without a cursor.',
          );
        return page;
      },
    };
    const own = mailSettings(config, folder).own.flatMap((text) => addressOf(text) ?? []);
    this.#own = own;
    this.mail = {
      check: () => keeper.check(),
      test: (to = config.identity.address) => {
        const address = addressOf(to);
        if (to === '')
          throw new DeskError('refused', 'There is no address to send it to.', 'Set address in [identity].');
        if (address === null) throw malformed();
        if (!own.includes(address))
          throw new DeskError(
            'refused',
            `${address} is none of your own addresses.`,
            'A test message goes to [identity] address or one of [mail] own_addresses only.',
          );
        return keeper.test(address);
      },
      forget: async (email) => {
        const address = addressOf(email);
        if (address === null) throw malformed();
        return { address, forgotten: await keeper.forget(address) };
      },
      export: async (format) => {
        const done = await keeper.exportTo(format);
        this.#told = this.#look();
        return done;
      },
    };
    this.stop = outlasting.onChange(() => {
      this.#told = this.#look();
      parts.changed();
    });
    this.#told = this.#look();
  }

  /** Why the ledger is not kept as it should be, "" when it is. */
  get trouble(): string {
    return this.#told.trouble;
  }

  /** As records tell it; asks nobody. */
  facts(passwordSet: boolean, clientRunning: boolean): MailFacts {
    return { ...this.#told, passwordSet, clientRunning };
  }

  /** What stands in the state folder, and what the mail process told last. Never throws. */
  #look(): ToldMail {
    const { config, mail } = this.#parts;
    const { people, messages, leftOut, sources, trouble } = mail.keeper.state;
    return {
      configured: config.mail.sources.length > 0,
      finite: leftOut === 0,
      people,
      messages,
      sources,
      trouble,
      advice: this.#advice(leftOut),
      exportPath: this.#exportPath(),
    };
  }

  /** Of the JSON export; "" without one. */
  #exportPath(): string {
    const path = join(ledgerFolder(this.#parts.folder), EXPORTS.json);
    try {
      // The mail process owns the folder: a link in it is not followed.
      if (!lstatSync(path).isFile()) return '';
    } catch {
      return '';
    }
    return shownPath(path);
  }

  #advice(leftOut: number): string[] {
    if (this.#parts.config.mail.sources.length === 0) return [];
    return [
      ...(this.#own.length > 0
        ? []
        : [
            'set address in [identity], or own_addresses in [mail], so that your mail can be told from that of others',
          ]),
      ...(leftOut === 0
        ? []
        : [`raise max_people in [mail]: the ledger was full, ${leftOut} times somebody was left out`]),
    ];
  }
}
