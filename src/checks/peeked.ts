/** What the checks of tier 2 share: parts of the facts that were refused are blind, told in this one place. */
import { CURES } from '../engine/cures.ts';
import type { Refusal } from '../engine/native/types.ts';
import type { PeekContext, Report } from './check.ts';
import { programName } from './executables.ts';
import { isRefused, type Part, type PeekFacts } from './peek-facts.ts';

type Told<P extends Part> = Exclude<PeekFacts[P], Refusal>;

/** A part of the facts; null when it was refused, which is reported then. */
export function partOf<P extends Part>(
  { facts, subject }: PeekContext,
  part: P,
  report: Report,
): Told<P> | null {
  const value: PeekFacts[P] = facts[part];
  if (!isRefused(value)) return value as Told<P>;
  report.blind({
    ...blindnessOf(value),
    hides: (one) => one.kind === 'process' && one.pid === subject.pid && one.start === subject.start,
  });
  return null;
}

function blindnessOf({ code, source }: Refusal): { readonly reason: string; readonly cure: string } {
  if (source === 'desk-peek')
    return {
      reason: 'the helper ended while it read some processes',
      cure: 'they are tried again, the log names them',
    };
  switch (code) {
    case 'ETIMEDOUT':
      return {
        reason: 'some processes block readers of their memory files',
        cure: 'see the findings of unreadable-process',
      };
    case 'EACCES':
    case 'EPERM':
      return {
        reason: 'the memory files of some processes may not be read',
        cure: CURES.facts,
      };
    case 'EFBIG':
      return {
        reason: 'some processes have more descriptors or a longer environment than is looked through',
        cure: '',
      };
    default:
      return {
        reason: `the memory files of some processes could not be read (${code})`,
        cure: 'they are tried again',
      };
  }
}

/** `process 77 (sh)`. */
export const processText = ({ subject }: Pick<PeekContext, 'subject'>): string =>
  `process ${subject.pid} (${subject.comm})`;

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
