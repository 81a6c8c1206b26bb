/** Mail and people for one desk. The mail process does the work and reads the ledger. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '../../base/desk-error.ts';
import type { Config } from '../../config/schema.ts';
import type { SendAlertMail } from '../../desk/alert-mail.ts';
import type { People } from '../../desk/people.ts';
import { shownPath } from '../../engine/native/shown-path.ts';
import { ledgerFolder } from '../../privileges/ledger-folder.ts';
import type { MailFacts } from '../../records/state.ts';
import type { Mail } from './api.ts';
import { EXPORTS } from './export.ts';
import { addressOf } from './people/address.ts';
import type { ResidentMail } from './resident-mail.ts';
import { mailSettings } from './settings.ts';

export type MailPart = ReturnType<ResidentMail['partFor']>;

interface DeskMailParts {
  readonly config: Config;
  /** Path of the state folder. */
  readonly folder: string;
  readonly mail: MailPart;
  /** Called when `facts` has changed. */
  readonly changed: () => void;
}

/** What changes only with the mail process or the ledger. */
type CachedFacts = Omit<MailFacts, 'passwordSet' | 'clientRunning'>;

const malformed = (): DeskError =>
  new DeskError('usage', 'That is not a mail address.', 'Write a whole one, e.g. ada@example.org.');

export class DeskMail {
  readonly people: People;
  readonly mail: Mail;
  readonly alert: SendAlertMail;
  readonly #parts: DeskMailParts;
  readonly #own: readonly string[];
  #facts: CachedFacts;
  readonly stop: () => void;

  constructor(parts: DeskMailParts) {
    this.#parts = parts;
    const { config, folder } = parts;
    const { keeper } = parts.mail;
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
            'The cursor is not valid for this search and order.',
            'Start again without a cursor.',
          );
        return page;
      },
    };
    this.#own = mailSettings(config, folder).own.flatMap((text) => addressOf(text) ?? []);
    this.alert = (mail) => keeper.alert(mail);
    this.mail = {
      check: () => keeper.check(),
      test: (to = config.identity.address) => {
        const address = addressOf(to);
        if (to === '')
          throw new DeskError(
            'refused',
            'No address is configured to send it to.',
            'Set address in [identity].',
          );
        if (address === null) throw malformed();
        if (!this.#own.includes(address))
          throw new DeskError(
            'refused',
            `${address} is not one of your own addresses.`,
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
        this.#facts = this.#read();
        return done;
      },
    };
    this.stop = parts.mail.onChange(() => {
      this.#facts = this.#read();
      parts.changed();
    });
    this.#facts = this.#read();
  }

  /** Why the ledger is not kept up to date, "" when it is. */
  get trouble(): string {
    return this.#facts.trouble;
  }

  /** The cached facts: reads nothing. */
  facts(passwordSet: boolean, clientRunning: boolean): MailFacts {
    return { ...this.#facts, passwordSet, clientRunning };
  }

  /** The last report of the mail process, and the state folder. Never throws. */
  #read(): CachedFacts {
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
        : ['set address in [identity], or own_addresses in [mail], so that your own mail is recognised']),
      ...(leftOut === 0
        ? []
        : [`raise max_people in [mail]: the ledger was full and left out people ${leftOut} times`]),
    ];
  }
}
