/** What of the ledger a question needs, which is looked up before she answers, and the roots that the answer stands on. */
import type { RecordOf } from '../records/define.ts';
import type { people, who } from '../records/people.ts';
import { unmarked } from './knowledge.ts';
import type { Understood } from './understand.ts';

/** One address, or a search; "" = everybody. */
export type PeopleWanted = { readonly address: string } | { readonly search: string };

/** What the ledger says: one of both. */
export interface LedgerAnswer {
  /** `GET /email/api/who`; null when a list was asked for, or the address is none. */
  readonly who: RecordOf<typeof who> | null;
  /** `GET /email/api/people`; null when one address was asked for. */
  readonly people: RecordOf<typeof people> | null;
}

const WHO_IS =
  /\b(?:who(?:'s| is| was)|wer ist|wer war|qui est|quien es|do (?:i|you|we) know|kenn(?:st|e) (?:du|ich))\s+(.{2,80}?)[\s?!.]*$/iu;

/** The name in "who is NAME", where it may be one of a person; "" otherwise. */
export function nameAsked({ text, names }: Understood): string {
  const found = WHO_IS.exec(unmarked(text));
  if (found === null || names.length === 0) return '';
  const name = (found[1] as string).trim();
  const words = name.split(/\s+/);
  const known = new Set(names.map(unmarked));
  return words.length <= 4 && words.every((word) => known.has(word)) ? name : '';
}

export const asksForPeople = (question: Understood): boolean =>
  question.has('people') ||
  (question.has('who', 'write') && !question.any('process', 'port')) ||
  nameAsked(question) !== '';

/** Null when it is not about people. */
export function peopleWanted(question: Understood): PeopleWanted | null {
  const { address } = question.entities;
  if (address !== null) return { address };
  return asksForPeople(question) ? { search: nameAsked(question) } : null;
}
