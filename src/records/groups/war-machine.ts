/** `war_machine` of the charge report: eight axes of 0 to 100, their weighted mean and its letter. */
import { z } from 'zod';
import { sight } from '../coverage.ts';
import { field, group } from '../define.ts';
import { answersWell, fieldBlind, learned, once, share, wrappedShare } from '../derive.ts';
import type { DeskState } from '../state.ts';
import { verdictOf } from '../verdict.ts';

/** Points of an axis, or null when what it measures is not configured or was never measured: left out of the score. */
type Axis = (state: DeskState) => number | null;

/** Allowed time of a recheck, µs: a fixed part and a part per process. */
const BUDGET_US = 2000;
const BUDGET_PER_PROCESS_US = 2;
/** The open score at which `secure` has lost half its points: one critical finding. */
const HALF_SCORE = 27;

/** Each axis: its formula, which is the meaning of its field, its points, and its weight in the score where that is not 1. */
const AXES = {
  speed: [
    'budget of 2 ms + 2 µs per process, divided by the median recheck, at most 100',
    ({ snapshot, desk }) => {
      if (desk.recheck.p50Us <= 0) return null;
      const budget = BUDGET_US + BUDGET_PER_PROCESS_US * snapshot.counts.processes;
      return Math.min(100, Math.round((100 * budget) / desk.recheck.p50Us));
    },
  ],
  quality: [
    'share of the checks with neither finding nor blind',
    ({ judgement }) => Math.round(100 * judgement.quietShare),
  ],
  capability: [
    'share of the known probes that work',
    ({ snapshot: { probes } }) =>
      probes.length === 0 ? null : share(probes.filter(({ works }) => works).length, probes.length, 100),
  ],
  secure: [
    '100 × (1 − open_score / (open_score + 27)) × the share of what was seen',
    (state) => {
      const { openScore } = state.judgement;
      return Math.round(100 * sight(state) * (1 - openScore / (openScore + HALF_SCORE)));
    },
    2,
  ],
  field_clear: [
    '100 − 10 × field_dirt, at least 0; 0 while it cannot be counted',
    (state) => (fieldBlind(state) ? 0 : Math.max(0, 100 - 10 * state.desk.service.fieldDirt)),
  ],
  iron_map: [
    'wrapped share of the user-space processes; 0 while not all of them can be listed',
    (state) => wrappedShare(state, 100) ?? 0,
  ],
  love_net: [
    'mean of site probe, names that resolve and certificate; 0 without a configured site',
    ({ desk }) => {
      const { configured, status, dnsGreen, dnsTotal, certificateReady } = desk.site;
      if (!configured) return null;
      const names = dnsTotal === 0 ? 100 : (100 * dnsGreen) / dnsTotal;
      return Math.round(((answersWell(status) ? 100 : 0) + names + (certificateReady ? 100 : 0)) / 3);
    },
  ],
  research: [
    'share of the running identities that the baseline knows × the share of what was seen; 0 before generation 1',
    (state) => {
      const { identities } = state.snapshot.counts;
      if (!learned(state)) return null;
      return Math.round(
        sight(state) * share(Math.min(state.desk.baseline.runningKnown, identities), identities, 100),
      );
    },
  ],
} as const satisfies Record<string, readonly [formula: string, of: Axis, weight?: number]>;

/** The axes as people see them; `points` null = not configured or never measured, left out of the score. */
export const axesOf = once((state) =>
  Object.entries(AXES).map(([name, [formula, of, weight = 1]]) => ({
    name,
    points: of(state),
    weight,
    formula,
  })),
);

/** Weighted mean of the axes that are configured, within the bounds of the verdict, to one decimal. */
function score(state: DeskState): number {
  let sum = 0;
  let weights = 0;
  for (const { points, weight } of axesOf(state)) {
    if (points === null) continue;
    sum += weight * points;
    weights += weight;
  }
  const [least, most] = verdictOf(state).score;
  return Math.min(most, Math.max(least, Math.round((10 * sum) / weights) / 10));
}

const grade = z.enum(['A', 'B', 'C', 'D', 'F']);

function gradeOf(points: number): z.output<typeof grade> {
  if (points >= 90) return 'A';
  if (points >= 75) return 'B';
  if (points >= 60) return 'C';
  return points >= 40 ? 'D' : 'F';
}

const points = z.int().min(0).max(100);
const axis = (name: keyof typeof AXES) => field(points, AXES[name][0], (state) => AXES[name][1](state) ?? 0);

export const warMachine = group('How well the desk does its work, measured', {
  score: field(
    z.number().min(0).max(100),
    'mean of the configured axes, secure counted twice, to one decimal; at least 75 with gold, at most 89.9 with silver, 59.9 with bronze, 39.9 with lead',
    score,
  ),
  grade: field(grade, 'A from 90, B from 75, C from 60, D from 40, else F', (m) => gradeOf(score(m))),
  axes: group('Axes of 0 to 100; one that is not configured is 0 and left out of the score', {
    speed: axis('speed'),
    quality: axis('quality'),
    capability: axis('capability'),
    secure: axis('secure'),
    field_clear: axis('field_clear'),
    iron_map: axis('iron_map'),
    love_net: axis('love_net'),
    research: axis('research'),
  }),
});
