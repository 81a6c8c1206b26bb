/** What was accepted: one finding (`H7_ACCEPT`), the list (`H7_ACCEPTED`), and an entry that was taken back (`H7_UNDO`). */
import { z } from 'zod';
import type { Accepted, Accepting } from '../findings/finding.ts';
import { type RecordOf, wordsFor } from './define.ts';

interface Done {
  /** RFC 3339. */
  readonly ts: string;
}

const TIME = 'time of the answer, RFC 3339 with numeric offset';

const condition = z.strictObject({
  key: z.string().describe('key of an exception, or the name of a value that the finding showed'),
  value: z.string().describe('what it must be'),
});

const COVERS = 'what it covers: findings that all of these are true of';

const entry = z.strictObject({
  id: z.string().describe('takes it back: POST /accept/undo'),
  covers: z.array(condition).describe(COVERS),
  why: z.string().describe('the reason that was given'),
  expires: z.string().nullable().describe('when it ends, RFC 3339 in UTC; null when it does not'),
  accepted: z
    .string()
    .nullable()
    .describe('when it was accepted, RFC 3339 in UTC; null when it is not known'),
});

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const entryOf = ({ id, covers, why, expiresMs, acceptedMs }: Accepted): z.output<typeof entry> => ({
  id,
  covers: [...covers],
  why,
  expires: timeOf(expiresMs),
  accepted: timeOf(acceptedMs),
});

const accepting = wordsFor<Done & Accepting & { readonly finding: string }>();
export const accepted = accepting.record('Accepted', 'An excused finding', {
  ts: accepting.field(z.string(), TIME, ({ ts }) => ts),
  word: accepting.constant('H7_ACCEPT', 'name of this answer'),
  finding: accepting.field(z.string(), 'id of the finding', ({ finding }) => finding),
  effect: accepting.field(
    z.enum(['explained', 'spared']),
    'explained: it counts as passed from now on; spared: it stays open, and is only not shut down',
    ({ effect }) => effect,
  ),
  id: accepting.field(z.string(), 'takes it back: POST /accept/undo', ({ id }) => id),
  covers: accepting.field(z.array(condition), COVERS, ({ covers }) => [...covers]),
});

const listing = wordsFor<Done & { readonly entries: readonly Accepted[] }>();
export const acceptedList = listing.record('AcceptedList', 'What was accepted and not taken back', {
  ts: listing.field(z.string(), TIME, ({ ts }) => ts),
  word: listing.constant('H7_ACCEPTED', 'name of this answer'),
  entries: listing.field(z.array(entry), 'the oldest first', ({ entries }) => entries.map(entryOf)),
});

export type AcceptedList = RecordOf<typeof acceptedList>;

const undoing = wordsFor<Done & Accepted>();
export const undone = undoing.record('AcceptUndone', 'An accepted finding that was taken back', {
  ts: undoing.field(z.string(), TIME, ({ ts }) => ts),
  word: undoing.constant('H7_UNDO', 'name of this answer'),
  entry: undoing.field(entry, 'what covers nothing any more', entryOf),
});
