/** How much of the machine the desk could see: what a good verdict needs. */
import { blindClasses } from './blind-issues.ts';
import { once } from './derive.ts';
import type { Moment } from './moment.ts';
import { processesBlind } from './sight.ts';

/** Hidden processes up to this share, or fewer than so many, leave a verdict good. */
const HIDDEN_SHARE = 0.05;
const HIDDEN_LEAST = 3;

/** User-space processes of which a fact that the checks need was refused, and all of them. */
export const hiddenProcesses = ({ snapshot: { counts } }: Moment) => ({
  hidden: counts.blindProcesses,
  all: counts.userSpace,
});

/**
 * Share of what the verdict rests on that was seen, 0 to 1: of the processes, or of the pairs that did not fail, the lesser
 * one. Pairs that failed are left out, so that another fail never looks like better sight. 0 while processes are left out of the
 * list (hidepid): how large a share was seen is not known.
 */
export function sight(moment: Moment): number {
  if (processesBlind(moment)) return 0;
  const { hidden, all } = hiddenProcesses(moment);
  const { blind, pass } = moment.judgement;
  const seen = (part: number, whole: number): number => (whole > 0 ? Math.max(0, 1 - part / whole) : 1);
  return Math.min(seen(hidden, all), seen(blind, pass + blind));
}

/** What could not be seen, and what would let the desk see it; each a phrase. */
interface Gap {
  readonly what: string;
  readonly cure: string;
}

function hiddenGap(moment: Moment): readonly Gap[] {
  const { hidden, all } = hiddenProcesses(moment);
  if (hidden < HIDDEN_LEAST || hidden <= HIDDEN_SHARE * all) return [];
  const asRoot = moment.snapshot.engine.euid === 0;
  return [
    {
      what: `${hidden} of ${all} processes are hidden from ${asRoot ? 'the desk' : 'this user'}`,
      cure: asRoot ? 'see which facts and why with desk doctor' : 'run the desk as a system service, as root',
    },
  ];
}

/** Why a verdict cannot be good whatever was found. Empty when enough was seen. */
export const gapsOf = once((moment): readonly Gap[] => [
  ...hiddenGap(moment),
  // The antivirus duty says itself why its helper does not look.
  ...blindClasses(moment)
    .filter(({ id }) => id !== 'memory')
    .map(({ reason, cure }) => ({ what: reason, cure })),
]);
