/** A finding by its id, and accepting it: what is asked is checked, the exception is written, and the finding's history says so. */

import { DeskError } from '../../base/desk-error.ts';
import { instantAt } from '../../engine/assemble.ts';
import { offsetTime } from '../../engine/time.ts';
import type { Accepted, Accepting, Finding } from '../../findings/finding.ts';
import { storeFails } from '../../store/guarded.ts';
import type { Access } from '../../store/store.ts';
import type { ScarGate } from '../gate/index.ts';
import type { FindingHistory } from '../history/index.ts';
import type { LawBook } from './book.ts';

interface Asked {
  readonly id: string;
  /** `Acceptance.id` as it was shown. */
  readonly accepts: string;
  readonly why: string;
  /** RFC 3339; undefined = for ever. */
  readonly expires: string | undefined;
  /** The open findings. */
  readonly findings: readonly Finding[];
}

interface Stored {
  readonly access: Access;
  readonly findings: FindingHistory;
}

/** A finding with its history. */
export interface KnownFinding {
  readonly finding: Finding;
  readonly history: readonly { readonly at: string; readonly event: string }[];
}

export interface AcceptedEntries {
  /** What was accepted and not taken back, the oldest first; what has ended is among it. */
  list(): readonly Accepted[];
  /** Takes an entry of these back; resolves when a recheck has seen that. Unknown ids are `not-found`. */
  undo(id: string): Promise<Accepted>;
}

/** The exception is in force when this returns. @throws DeskError as `Desk.accept` says. */
export function acceptFinding(
  { id, accepts, why, expires, findings }: Asked,
  {
    book,
    tables,
    gate,
  }: { readonly book: LawBook; readonly tables: Stored; readonly gate: Pick<ScarGate, 'recordEvent'> },
): Accepting {
  const finding = findings.find((one) => one.id === id);
  if (finding === undefined) throw refusal(tables, id);
  const now = instantAt(Date.now());
  const accepting = book.accept(finding, accepts, why, endOf(expires, now.epochMs));
  gate.recordEvent(id, offsetTime(now), 'accepted');
  return accepting;
}

/** What was accepted, and taking it back. `look` rechecks by the law of that moment. */
export const acceptedIn = (book: LawBook, look: () => Promise<unknown>): AcceptedEntries => ({
  list: () => book.accepted(),
  undo: async (id) => {
    const entry = book.undo(id);
    // It holds whether this look succeeds or not.
    await look().catch(() => undefined);
    return entry;
  },
});

/** A finding with its history. @throws DeskError when it is not open and the store cannot be read. */
export function knownFinding(
  id: string,
  findings: readonly Finding[],
  { access, findings: stored }: Stored,
): KnownFinding | undefined {
  const open = findings.find((finding) => finding.id === id);
  const known = stored.finding(id);
  if (open !== undefined) return { finding: open, history: known?.history ?? [] };
  if (known === null) throw storeFails(access);
  return known;
}

function refusal({ access, findings }: Stored, id: string): DeskError {
  const stored = findings.finding(id);
  if (stored === null) return storeFails(access);
  return stored === undefined ? unknown() : closed(id);
}

const unknown = () =>
  new DeskError('not-found', 'No finding has this id', 'See the ids with "desk findings".');

const closed = (id: string) =>
  new DeskError(
    'refused',
    `Finding ${id} is closed: there is nothing to accept`,
    'Accept it when it opens again, or write an [[except]] into law.toml.',
  );

/** Milliseconds since the epoch of a time to come; null without one. */
function endOf(expires: string | undefined, nowMs: number): number | null {
  if (expires === undefined) return null;
  const ms = Date.parse(expires);
  if (Number.isNaN(ms))
    throw new DeskError('usage', 'The end is not an RFC 3339 time', 'Write e.g. 2027-01-31T08:00:00+01:00.');
  if (ms <= nowMs)
    throw new DeskError('usage', 'The end lies in the past', 'Give a time to come, or leave it out.');
  return ms;
}
