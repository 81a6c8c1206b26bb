/** The mail people ledger (`MAIL`): `GET /email/api/people` and `GET /email/api/who`. */
import { z } from 'zod';
import { count, type RecordOf, wordsFor } from './define.ts';
import { TIME } from './finding.ts';
import type { Moment } from './moment.ts';
import { offsetTime } from './time.ts';

const text = z.string();

export const person = z.strictObject({
  email: text.describe('addr-spec with an IDNA domain'),
  name: text.describe('cleaned display name; "" when none was seen'),
  first_seen: text.describe('RFC 3339'),
  last_seen: text.describe('RFC 3339'),
  received: z.int().nonnegative().describe('messages from this person'),
  sent: z.int().nonnegative().describe('messages to this person'),
  flags: z.array(text).describe('what is odd about the name or the address'),
});
type Person = z.output<typeof person>;

interface PeopleAsked {
  readonly moment: Moment;
  /** Persons that match, all of them. */
  readonly total: number;
  readonly people: readonly Person[];
  /** Cursor of the next page; null at the end. */
  readonly next: string | null;
}

const page = wordsFor<PeopleAsked>();

export const people = page.record('People', 'A page of the mail people ledger', {
  ts: page.field(text, TIME, ({ moment }) => offsetTime(moment.snapshot.at)),
  word: page.constant('MAIL', 'name of this answer'),
  finite: page.field(z.boolean(), 'the ledger is within its cap', ({ moment }) => moment.desk.mail.finite),
  total: page.field(count, 'people that match', ({ total }) => total),
  people: page.field(z.array(person), 'this page of them', ({ people }) => [...people]),
  next: page.field(text.nullable(), 'cursor of the next page; null at the end', ({ next }) => next),
});
export type People = RecordOf<typeof people>;

interface WhoAsked {
  readonly moment: Moment;
  readonly email: string;
  readonly person: Person | null;
}

const one = wordsFor<WhoAsked>();

export const who = one.record('Who', 'One address looked up in the ledger', {
  ts: one.field(text, TIME, ({ moment }) => offsetTime(moment.snapshot.at)),
  word: one.constant('MAIL', 'name of this answer'),
  email: one.field(text, 'the address asked for', ({ email }) => email),
  found: one.field(z.boolean(), 'the ledger knows it', ({ person }) => person !== null),
  person: one.field(person.nullable(), 'what the ledger knows; null when nothing', ({ person }) => person),
});
export type Who = RecordOf<typeof who>;
