/** `GET /diff`: what changed on this machine between two times. */
import { z } from 'zod';
import { SEVERITIES } from '../policy/severity.ts';
import { count, done, flag, type RecordOf, type Source, text } from './define.ts';

export const DIFF_GROUPS = [
  'findings',
  'startup',
  'accounts',
  'listeners',
  'programs',
  'packages',
  'certificates',
  'blind',
] as const;
export type DiffGroupId = (typeof DIFF_GROUPS)[number];

const DIFF_EVENTS = [
  'added',
  'removed',
  'changed',
  'briefly',
  'back',
  'opened',
  'resolved',
  'passed',
  'severity',
  'ends',
  'off',
  'unseen',
  'seen',
] as const;
export type DiffEvent = (typeof DIFF_EVENTS)[number];

const change = z.strictObject({
  event: z
    .enum(DIFF_EVENTS)
    .describe(
      'added, removed, changed; briefly: added and removed again; back: changed or removed, and as before again (of a listener after names the programs that had it in between); of findings opened (still open then), resolved, passed (opened and resolved), severity (another severity); ends: a certificate ends soon or has ended; off: the desk did not run; unseen: something could not be seen from then on; seen: it can be seen again',
    ),
  at: text.describe('when it was seen, RFC 3339'),
  from: text
    .nullable()
    .describe(
      'when the desk last saw it as before, where that is more than two minutes earlier: it happened between the two; of off when it began',
    ),
  name: text.describe('what it is about, in a few words'),
  before: text.describe('what it was; "" where it was not there, or the name says it'),
  after: text.describe('what it is; "" where it is gone, or the name says it'),
  severity: z.enum(SEVERITIES).nullable().describe('of a finding; null of everything else'),
  finding: text.describe('id of the finding; "" of everything else'),
  times: count.describe('how often it changed in this time'),
});
export type DiffChange = Readonly<z.output<typeof change>>;

const group = z.strictObject({
  id: z.enum(DIFF_GROUPS).describe('what it is about'),
  known_since: text
    .nullable()
    .describe('what was before this time is not known, RFC 3339; null: nothing is known'),
  whole: flag.describe('all of the time that was asked for is known: without changes nothing has changed'),
  changes: z.array(change).describe('findings the most severe first, the rest the newest first'),
  left_out: count.describe('changes of this kind that are not listed because there are too many'),
  packaged: count.describe('changes that packages have made: counted, not listed'),
  short_lived: count.describe(
    'what came and went within a minute or so, listeners that closed and opened again with the same program, and low findings that opened and were resolved: counted, not listed',
  ),
  gaps: z.array(text).describe('what is not known of it, each a phrase'),
});
export type DiffGroup = Readonly<z.output<typeof group>>;

export const diff = done('Diff', 'H7_DIFF', 'What changed on this machine between two times', {
  since: text.describe('RFC 3339'),
  until: text.describe('RFC 3339'),
  booted: text
    .nullable()
    .describe(
      'when the machine started, if that was in this time, RFC 3339; null if it was earlier, or is not known',
    ),
  happened: count.describe('changes of all kinds that are listed or left out'),
  groups: z.array(group).describe('one for each kind, always all of them'),
});
export type Diff = RecordOf<typeof diff>;
export type DiffFacts = Omit<Source<Diff>, 'ts' | 'word'>;
