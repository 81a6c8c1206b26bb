/** What the checks of tier 2 share: refused parts of the facts are blind, reported in this one place. */
import { CURES } from '../engine/cures.ts';
import type { Refusal } from '../engine/native/types.ts';
import type { Blindness, PeekContext, Report } from './check.ts';
import { programName } from './executables.ts';
import { isRefused, type Part, type PeekFacts, UNKNOWN } from './peek-facts.ts';

/** A part of the facts; null when it was refused, which is reported then. */
export function partOf<P extends Part>(
  { facts, subject }: PeekContext,
  part: P,
  report: Report,
): Exclude<PeekFacts[P], Refusal> | null {
  const value: PeekFacts[P] = facts[part];
  if (!isRefused(value)) return value as Exclude<PeekFacts[P], Refusal>;
  report.blind({
    ...blindnessOf(value),
    hides: (one) => one.kind === 'process' && one.pid === subject.pid && one.start === subject.start,
  });
  return null;
}

const MAY_NOT = { reason: 'the memory files of some processes may not be read', cure: CURES.facts };

const BY_CODE: Readonly<Record<string, Blindness>> = {
  ETIMEDOUT: {
    reason: 'some processes block readers of their memory files',
    cure: 'see the findings of unreadable-process',
  },
  EACCES: MAY_NOT,
  EPERM: MAY_NOT,
  EFBIG: { reason: 'some processes have more descriptors or a longer environment than is read', cure: '' },
};

function blindnessOf({ code, source }: Refusal): Blindness {
  if (source === 'desk-peek')
    return {
      reason: 'the helper ended while it read some processes',
      cure: 'they are tried again, the log names them',
    };
  const reason = `the memory files of some processes could not be read (${code})`;
  return BY_CODE[code] ?? { reason, cure: 'they are tried again' };
}

/** Base name of the executable, the comm where it could not be read. */
export const programOf = ({ subject }: Pick<PeekContext, 'subject'>): string =>
  programName(subject.executable) || subject.comm;

/** At most `most` of them in one text; `isWhole` says whether those are all. */
export function listed(items: readonly string[], most = 4): string {
  const more = items.length - most;
  return items.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Whether a text of `listed` has all of its items. */
export const isWhole = (text: string): boolean => !/ and \d+ more$/.test(text);

/** Key evidence made of items; unless they are all that there are, it is unknown, and `some_NAME` has a few of them. */
export const listedKey = (name: string, items: readonly string[], whole: boolean): Record<string, string> =>
  whole ? { [name]: items.join(', ') } : { [name]: UNKNOWN, [`some_${name}`]: listed(items) };
