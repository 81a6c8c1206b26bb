/** Operation: what changed between two times. */
import { z } from 'zod';
import { DIFF } from '../../desk/diff.ts';
import { DESK, operation } from '../../desk/operation.ts';
import { now } from '../../engine/now.ts';
import { diff as record } from '../../records/diff.ts';
import { bootedMs } from './answer.ts';
import { periodOf } from './period.ts';
import { showDiff } from './show.ts';

const TIMES = 'yesterday, 24h, 3d, 90m, boot, or a date or time as ISO 8601';

export const diff = operation({
  route: 'GET /diff',
  roles: DESK,
  summary: 'What changed on this machine between two times',
  input: z.strictObject({
    since: z.string().min(1).max(40).default('24h').describe(`from when: ${TIMES}; by default 24h`),
    until: z.string().min(1).max(40).default('now').describe(`up to when: the same, or now, the default`),
  }),
  answer: record.schema,
  async handle({ desk }, { since, until }) {
    const times = { nowMs: Date.now(), bootedMs: await bootedMs(desk) };
    const { sinceMs, untilMs } = periodOf(since, until, times);
    return record.assemble({ ts: now(), ...(await desk.use(DIFF).between(sinceMs, untilMs)) });
  },
  command: {
    name: 'diff',
    arguments: [
      { name: 'since', field: 'since', optional: true },
      { name: 'until', field: 'until', optional: true },
    ],
    examples: [
      ['desk diff', 'what changed in the last 24 hours'],
      ['desk diff yesterday', 'what changed since yesterday 00:00'],
      ['desk diff boot', 'what changed since the machine started'],
      ['desk diff 7d 1d --json', 'the six days before the last one, as data'],
    ],
    print: showDiff,
  },
});
