/** The baseline: learning, comparing, going back, reviewing. A running service alone learns. */
import { z } from 'zod';
import { dim, good } from '../../base/terminal.ts';
import { DESK, operation } from '../../desk/operation.ts';
import { now } from '../../engine/now.ts';
import { baselineDiff as diffRecord } from '../../records/baseline-diff.ts';
import { learned, reviewed } from '../../records/learned.ts';
import { SLOW_MS } from '../gate/operations.ts';
import { BASELINE } from './api.ts';

export * from './query-tables.ts';

/** A week. */
const MOST_WINDOW_MIN = 10_080;

export const learn = operation({
  route: 'POST /learn',
  roles: DESK,
  local: false,
  summary:
    'Learns the observation as the new baseline unless there are scars other than changed programs, or opens a learning window',
  input: z.strictObject({
    window_min: z
      .int()
      .min(1)
      .max(MOST_WINDOW_MIN)
      .optional()
      .describe(
        'opens a learning window of this many minutes: what clean observations show is learned at its end',
      ),
  }),
  answer: learned.schema,
  token: 'control',
  handle: async ({ desk }, { window_min }) =>
    learned.assemble({ ts: now(), ...(await desk.use(BASELINE).learn(window_min)) }),
  command: {
    name: 'secure learn',
    summary:
      'Learns what runs now, unless there are scars other than changed programs, or opens a learning window',
    arguments: [{ name: 'once', meaning: 'one generation', choices: ['once'] }],
    options: [
      {
        flags: '--window <minutes>',
        field: 'window_min',
        meaning:
          'open a learning window of this many minutes: what clean observations show is learned at its end',
      },
    ],
    examples: [
      [
        'desk secure learn once',
        'learns what runs now; refused while a scar other than a changed program is open',
      ],
      [
        'desk secure learn once --window 30',
        'what starts within half an hour is learned at its end, if the gate passes then',
      ],
    ],
    timeoutMs: SLOW_MS,
    print(out, { generation, added, window_until }) {
      if (window_until === null)
        out.line(good('Learned'), ` generation ${generation}`, dim(`  ${added} new`));
      else
        out.line(good('Open'), ` until ${window_until}`, dim('  "desk secure learn once" ends it before.'));
    },
  },
});

export const baselineDiff = operation({
  route: 'GET /baseline/diff',
  roles: DESK,
  summary: 'The differences between the observation and the held generation',
  answer: diffRecord.schema,
  handle: async ({ desk }) => diffRecord.assemble(await desk.use(BASELINE).difference()),
});

export const baselineRestore = operation({
  route: 'POST /baseline/restore',
  roles: DESK,
  local: false,
  summary: 'Makes a new generation with the rows of an old one, whose digest must verify',
  input: z.strictObject({
    generation: z.int().min(0).describe('number of the old one; 0 starts over with an empty baseline'),
  }),
  answer: learned.schema,
  token: 'control',
  handle: async ({ desk }, { generation }) =>
    learned.assemble({ ts: now(), ...(await desk.use(BASELINE).restore(generation)) }),
});

export const baselineReview = operation({
  route: 'POST /baseline/review',
  roles: DESK,
  local: false,
  summary: 'Records that a person has reviewed what was learned and marked for review',
  answer: reviewed.schema,
  token: 'control',
  handle: async ({ desk }) => reviewed.assemble({ ts: now(), ...(await desk.use(BASELINE).reviewed()) }),
});
