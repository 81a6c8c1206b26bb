/** What confines a process, and what of that could not be read, in words. */
import { FACT, WRAP } from '../native/types.ts';

const WRAPS = Object.entries({
  seccomp: WRAP.seccomp,
  'user ns': WRAP.nsUser,
  'pid ns': WRAP.nsPid,
  'mount ns': WRAP.nsMnt,
  'network ns': WRAP.nsNet,
  'LSM label': WRAP.label,
  'fewer capabilities': WRAP.bounded,
});

const FACTS = Object.entries({
  stat: FACT.stat,
  status: FACT.status,
  namespaces: FACT.nsUser | FACT.nsPid | FACT.nsMnt | FACT.nsNet,
  label: FACT.label,
  threads: FACT.threads,
});

const named = (words: readonly (readonly [string, number])[], bits: number): string =>
  words
    .filter(([, bit]) => (bits & bit) !== 0)
    .map(([word]) => word)
    .join(', ');

/** What the WRAP bits say: `seccomp, user ns`; "" for none. */
export const wrappedBy = (wrap: number): string => named(WRAPS, wrap);

/** Why confinement is blind, by the FACT bits that were refused. */
export const refusedText = (refused: number): string =>
  `refused: ${named(FACTS, refused) || 'its confinement'}`;
