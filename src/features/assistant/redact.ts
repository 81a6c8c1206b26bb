/**
 * Removes what the assistant must not get: secrets, and, unless the configuration allows it, mail addresses and people of the
 * ledger. Each address has one number everywhere, so that they stay distinguishable.
 */
import { literal } from '../../base/literal.ts';
import { hasSecret, withoutSecrets } from '../../base/secrets.ts';
import type { Ground } from '../../records/talk.ts';

const PERSON = '[person removed]';
/** How deep values are searched for names, and how many entries of each: records are flatter. */
const DEEPEST = 16;
const MOST_ENTRIES = 200;
const LONGEST_TEXT = 4_096;

const AT =
  '(?:[@\\uff20\\ufe6b]|%(?:25)*40|&#0*64(?:;|(?!\\d))|&#[xX]0*40(?:;|(?![\\da-fA-F]))|&commat;?|\\\\(?:u00|x)40|\\s{0,4}[([{]\\s{0,4}(?:at|AT|At)\\s{0,4}[)\\]}]\\s{0,4})';
const PART = '[^\\s<>()[\\],;:"@\\uff20\\ufe6b]';
/** More than RFC 5322 section 3.4.1 allows: anything around an at sign. */
const ADDRESS = new RegExp(
  `(?:"(?:[^"\\\\]|\\\\.){1,64}"|(?<!${PART})${PART}+)\\s{0,3}${AT}\\s{0,3}(?:${PART}+|\\[[^\\]\\s]{1,64}\\])`,
  'gu',
);
/** As people write it for each other: "ann at example dot org". */
const SPOKEN =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}\s{1,3}at\s{1,3}(?:[\p{L}\p{N}-]{1,63}\s{1,3}dot\s{1,3}){1,8}[\p{L}\p{N}-]{2,63}/giu;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Paths of records about people. */
const OF_PEOPLE =
  /(?:^|[.[])(?:people|persons?|who)(?:$|[.[\]])|^(?:status|mail)(?:\.\w+)?\.identity(?:$|[.[])/;
const NAMES_PEOPLE = /(?:^|\.)(?:email|from_name|display_name|imap_user|smtp_user|social_\w+)$/;

export interface RedactOptions {
  /** Addresses and people may be sent; secrets never are. */
  readonly sendPeople: boolean;
  /** Removes secrets that are known by value. */
  readonly known: (text: string) => string;
}

export class QuestionRedactor {
  readonly #options: RedactOptions;
  readonly #numbers = new Map<string, number>();
  /** Names of people in the grounds: the question may have them too. */
  readonly #names = new Set<string>();

  constructor(options: RedactOptions) {
    this.#options = options;
  }

  /** Called before anything is redacted: collects the names in the grounds. */
  learn(grounds: readonly Ground[]): void {
    if (!this.#options.sendPeople) for (const { path, value } of grounds) this.#learn(path, value, 0);
  }

  text(text: string): string {
    const cut = text.slice(0, LONGEST_TEXT);
    const whole = this.#redacted(cut);
    // Invisible characters are ignored in the search, and removed where something was found.
    const seen = cut.replace(INVISIBLE, '');
    if (seen === cut) return whole;
    const redacted = this.#redacted(seen);
    return redacted === seen ? whole : redacted;
  }

  #redacted(text: string): string {
    const { known, sendPeople } = this.#options;
    let left = withoutSecrets(known(text), (decoded) => this.#hides(decoded));
    if (sendPeople) return left;
    left = left.replace(ADDRESS, this.#numbered).replace(SPOKEN, this.#numbered);
    for (const name of this.#names) left = replaceAllCases(left, name, PERSON);
    return left;
  }

  /** Whether a decoded text has something that must not be sent. */
  #hides(text: string): boolean {
    const { known, sendPeople } = this.#options;
    return known(text) !== text || hasSecret(text) || (!sendPeople && text.search(ADDRESS) >= 0);
  }

  readonly #numbered = (found: string): string => {
    // Not the full stop of the sentence.
    const [end = ''] = /[.?!…]*$/u.exec(found) ?? [];
    const key = found.slice(0, found.length - end.length).toLowerCase();
    const number = this.#numbers.get(key) ?? this.#numbers.size + 1;
    this.#numbers.set(key, number);
    return `[address ${number}]${end}`;
  };

  #learn(path: string, value: unknown, depth: number): void {
    if (typeof value === 'string') {
      if (ofPeople(path) && value.trim().length > 2) this.#names.add(value.trim());
    } else if (typeof value === 'object' && value !== null && depth < DEEPEST)
      for (const [key, inner] of Object.entries(value).slice(0, MOST_ENTRIES))
        this.#learn(`${path}.${key}`, inner, depth + 1);
  }
}

const ofPeople = (path: string): boolean => OF_PEOPLE.test(path) || NAMES_PEOPLE.test(path);

const replaceAllCases = (text: string, what: string, by: string): string =>
  text.replace(new RegExp(literal(what), 'giu'), () => by);
