/** A finding by its id, and accepting it: the request is checked, the exception is written, and the finding's history says so. */
import { DeskError } from '../../base/desk-error.ts';
import { instantAt } from '../../engine/assemble.ts';
import { offsetTime } from '../../engine/time.ts';
import type { Accepting, Finding, KnownFinding } from '../../findings/finding.ts';
import { storeFails } from '../../store/guarded.ts';
import type { Access } from '../../store/store.ts';
import type { ScarGate } from '../gate/index.ts';
import type { FindingHistory } from '../history/index.ts';
import type { AcceptedList } from './api.ts';
import type { LawBook } from './book.ts';

interface Request {
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

interface Parts {
  readonly book: LawBook;
  readonly tables: Stored;
  readonly gate: Pick<ScarGate, 'recordEvent'>;
}

/** The exception is in force when this returns. @throws DeskError as `LawInForce.accept` says. */
export function acceptFinding(
  { id, accepts, why, expires, findings }: Request,
  { book, tables, gate }: Parts,
): Accepting {
  const finding = findings.find((one) => one.id === id);
  if (finding === undefined) throw refusal(tables, id);
  const now = instantAt(Date.now());
  const accepting = book.accept(finding, accepts, why, endOf(expires, now.epochMs));
  gate.recordEvent(id, offsetTime(now), 'accepted');
  return accepting;
}

/** What was accepted, and taking it back. `recheck` judges by the law in force by then. */
export const acceptedIn = (book: LawBook, recheck: () => Promise<unknown>): AcceptedList => ({
  list: () => book.accepted(),
  undo: async (id) => {
    const entry = book.undo(id);
    // It is in force whether this recheck succeeds or not.
    await recheck().catch(() => undefined);
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
  if (stored === undefined)
    return new DeskError('not-found', 'No finding has this id', 'See the ids with "desk findings".');
  return new DeskError(
    'refused',
    `Finding ${id} is closed: there is nothing to accept`,
    'Accept it when it opens again, or write an [[except]] into law.toml.',
  );
}

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
