/** What was accepted: one finding (`H7_ACCEPT`), the list (`H7_ACCEPTED`), and an entry that was taken back (`H7_UNDO`). */
import { z } from 'zod';
import { utcTime } from '../engine/time.ts';
import type { Accepted } from '../findings/finding.ts';
import { done, type RecordOf, type Source, text } from './define.ts';

const condition = z.strictObject({
  key: text.describe('key of an exception, or the name of a value that the finding showed'),
  value: text.describe('what it must be'),
});

const COVERS = 'what it covers: findings that all of these are true of';

export const entry = z.strictObject({
  id: text.describe('takes it back: POST /accept/undo'),
  covers: z.array(condition).describe(COVERS),
  why: text.describe('the reason that was given'),
  expires: text.nullable().describe('when it ends, RFC 3339 in UTC; null when it does not'),
  accepted: text.nullable().describe('when it was accepted, RFC 3339 in UTC; null when it is not known'),
});

const entryOf = (accepted: Accepted): Source<z.input<typeof entry>> => ({
  ...accepted,
  expires: utcTime(accepted.expiresMs),
  accepted: utcTime(accepted.acceptedMs),
});

export const accepted = done('Accepted', 'H7_ACCEPT', 'An accepted finding', {
  finding: text.describe('id of the finding'),
  effect: z
    .enum(['explained', 'spared'])
    .describe('explained: it counts as passed from now on; spared: it stays open, but is not shut down'),
  id: text.describe('takes it back: POST /accept/undo'),
  covers: z.array(condition).describe(COVERS),
});

export const acceptedList = done(
  'AcceptedList',
  'H7_ACCEPTED',
  'Accepted entries that were not removed',
  { entries: z.array(entry).describe('the oldest first') },
  ({ entries }: { readonly entries: readonly Accepted[] }) => ({ entries: entries.map(entryOf) }),
);
export type AcceptedList = RecordOf<typeof acceptedList>;

export const undone = done(
  'AcceptUndone',
  'H7_UNDO',
  'An accepted entry that was removed',
  { entry: entry.describe('the removed entry') },
  (accepted: Accepted) => ({ entry: entryOf(accepted) }),
);
