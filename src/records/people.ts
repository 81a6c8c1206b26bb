/** The mail people ledger (`MAIL`): `GET /email/api/people` and `GET /email/api/who`. */
import { z } from 'zod';
import {
  atState,
  count,
  field,
  flag,
  type RecordOf,
  type Source,
  stateHead,
  text,
  wordsFor,
} from './define.ts';
import { timeOf } from './derive.ts';
import { type LedgerPerson, WARNINGS } from './ledger.ts';
import type { DeskState } from './state.ts';

const time = text.nullable();

export const person = z.strictObject({
  email: text.describe('addr-spec (RFC 5322) with an IDNA domain'),
  name: text.describe('the name seen most often, cleaned; "" without one'),
  names: z.array(text).describe('all names seen, the most frequent first, at most eight'),
  first_seen: time.describe('RFC 3339; null when no message had a believable time'),
  last_seen: time.describe('RFC 3339; null likewise'),
  first_contact: z
    .enum(['in', 'out', 'beside'])
    .describe('what the first message was: theirs to you, yours to them, or a message that named both'),
  received: count.describe('messages from this person'),
  sent: count.describe('your messages to this person'),
  copied: count.describe('messages that named them as a further recipient'),
  flags: z
    .array(z.enum(['list', 'automated']))
    .describe('list: all their messages came over mailing lists; automated: a program writes there'),
  warnings: z
    .array(
      z.strictObject({
        kind: z.enum(WARNINGS).describe('what is odd about the name or the address'),
        about: text.describe('details; "" when the kind says enough'),
      }),
    )
    .describe('why it may not be who it seems to be'),
});

export const personOf = (state: DeskState, one: LedgerPerson): Source<z.input<typeof person>> => ({
  ...one,
  email: one.address,
  firstSeen: timeOf(state, one.firstMs),
  lastSeen: timeOf(state, one.lastMs),
  flags: [...(one.list ? ['list' as const] : []), ...(one.automated ? ['automated' as const] : [])],
});

interface PeopleAsked {
  readonly state: DeskState;
  readonly total: number;
  readonly people: readonly LedgerPerson[];
  readonly next: string | null;
}

const page = wordsFor<PeopleAsked>();

const frame = {
  ...stateHead('MAIL'),
  ...atState({ finite: field(flag, 'the ledger is within its cap', (m) => m.desk.mail.finite) }),
  total: page.field(count, 'people that match', ({ total }) => total),
};
const next = page.field(text.nullable(), 'cursor of the next page; null at the end', (asked) => asked.next);

export const people = page.record('People', 'A page of the mail people ledger', {
  ...frame,
  people: page.field(z.array(person), 'this page of them', (asked) =>
    asked.people.map((one) => personOf(asked.state, one)),
  ),
  next,
});
export type People = RecordOf<typeof people>;

export const openPeople = page.record(
  'OpenPeople',
  'What everyone may see of the ledger where [mail] public_people opens it: names and domains',
  {
    ...frame,
    people: page.field(
      z.array(
        z.strictObject({
          name: text.describe('as in People'),
          domain: text.describe('domain of the address'),
        }),
      ),
      'this page of them',
      (asked) =>
        asked.people.map(({ name, address }) => ({
          name,
          domain: address.slice(address.lastIndexOf('@') + 1),
        })),
    ),
    next,
  },
);

export type OpenPeople = RecordOf<typeof openPeople>;

interface WhoAsked {
  readonly state: DeskState;
  /** In the form of the ledger. */
  readonly email: string;
  readonly person: LedgerPerson | null;
}

const one = wordsFor<WhoAsked>();

export const who = one.record('Who', 'One address looked up in the ledger', {
  ...stateHead('MAIL'),
  email: one.field(text, 'the address asked for, as the ledger writes it', ({ email }) => email),
  found: one.field(flag, 'the ledger knows it', (asked) => asked.person !== null),
  person: one.field(person.nullable(), 'what the ledger knows; null when unknown', (asked) =>
    asked.person === null ? null : personOf(asked.state, asked.person),
  ),
});
export type Who = RecordOf<typeof who>;
