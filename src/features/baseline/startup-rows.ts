/** What starts by itself as learning takes it: all of it at once, and later what was not read then. */
import { dirname } from 'node:path';
import type { Missed } from '../../checks/unread.ts';
import type { Finding, Judgement } from '../../findings/finding.ts';
import { classedOf, isKeyKnown } from '../../findings/finding-class.ts';
import type { DeskState } from '../../records/state.ts';
import { classRow, isStartup, type Rows, rowsBy } from './observation.ts';

const keyOf = ({ place, path }: Missed): string => `${place} ${path}`;

/** Whether it is a part of one of them. */
function partOf(parts: readonly Missed[]): (one: Missed) => boolean {
  const keys = new Set(parts.map(keyOf));
  const has = ({ place, path }: Missed): boolean =>
    keys.has(keyOf({ place, path })) ||
    keys.has(keyOf({ place: '', path })) ||
    (path !== '/' && path !== '.' && has({ place, path: dirname(path) }));
  return has;
}

const unreadIn = ({ missed, refused }: Judgement): readonly Missed[] => [...missed, ...refused];

/** Whether some of `unrecorded` was read in the meantime. */
export const isSomeRead = (unrecorded: readonly Missed[], judgement: Judgement): boolean =>
  !unrecorded.every(partOf(unreadIn(judgement)));

/** What of `unrecorded` is still unread. */
export function stillUnread(unrecorded: readonly Missed[], judgement: Judgement): readonly Missed[] {
  const unread = unreadIn(judgement);
  return [...unrecorded.filter(partOf(unread)), ...unread.filter(partOf(unrecorded))];
}

/** What starts by itself in these parts. Nothing says since when, so each is to be reviewed. */
export function startupRows({ judgement }: Pick<DeskState, 'judgement'>, parts: readonly Missed[]): Rows {
  const isPart = partOf(parts);
  const isIn = ({ subject, evidenceClass: place }: Finding): boolean =>
    isPart({ place, path: subject.kind === 'file' ? subject.path : '/' });
  return rowsBy(
    judgement.findings
      .filter((finding) => isStartup(finding) && isIn(finding) && isKeyKnown(classedOf(finding)))
      .map((finding) => ({ ...classRow(finding), review: true })),
  );
}

/** Scars that are not about what starts by itself. */
export const beyondStartup = (scars: Judgement['scars']): Judgement['scars'] =>
  scars.filter((scar) => !isStartup(scar));
