/** Alerts: where they go, a test, and quiet time. */
import { z } from 'zod';
import { DeskError } from '../../base/desk-error.ts';
import { durationMs } from '../../base/duration.ts';
import type { Desk } from '../../desk/desk.ts';
import { CONTROL, DESK, serviceOperation } from '../../desk/operation.ts';
import { now } from '../../engine/now.ts';
import { quietTime as quietRecord, alerts as record, alertTest as testRecord } from '../../records/alerts.ts';
import { ALERTS } from './api.ts';
import { shownDelivery, shownQuiet } from './shown.ts';

const SHOWN = 100;
const LEAST_MS = durationMs('1m');
const MOST_MS = durationMs('7d');

export const alerts = serviceOperation({
  route: 'GET /alerts',
  roles: DESK,
  summary: 'Where alerts go, what was delivered, and whether it is quiet time',
  answer: record.schema,
  handle({ desk }) {
    const api = desk.use(ALERTS);
    return record.assemble({
      ts: now(),
      ...{ targets: [...api.targets()], heartbeats: [...api.heartbeats()], quiet: shownQuiet(api.quiet()) },
      deliveries: api.deliveries(SHOWN).map(shownDelivery),
    });
  },
});

export const alertTest = serviceOperation({
  route: 'POST /alerts/test',
  roles: CONTROL,
  summary: 'Sends a test message to one target of alerts, or to all',
  input: z.strictObject({
    target: z.string().min(1).max(64).optional().describe('name of the target; all without it'),
  }),
  answer: testRecord.schema,
  token: 'control',
  changes: true,
  handle: async ({ desk }, { target }) =>
    testRecord.assemble({ ts: now(), results: [...(await desk.use(ALERTS).test(target))] }),
});

const quietAnswer = (desk: Desk, action: 'show' | 'begin' | 'end') =>
  quietRecord.assemble({ ts: now(), action, quiet: shownQuiet(desk.use(ALERTS).quiet()) });

export const quiet = serviceOperation({
  route: 'GET /quiet',
  roles: DESK,
  summary: 'Whether it is quiet time: only critical findings alert then',
  answer: quietRecord.schema,
  handle: ({ desk }) => quietAnswer(desk, 'show'),
});

export const quietBegin = serviceOperation({
  route: 'POST /quiet/begin',
  roles: CONTROL,
  summary: 'Begins quiet time, or gives it another end',
  input: z.strictObject({
    for: z.string().min(2).max(12).describe('how long: a number with m, h or d, from 1m to 7d'),
    why: z.string().min(1).max(200).describe('the reason, shown with it'),
  }),
  answer: quietRecord.schema,
  token: 'control',
  changes: true,
  handle({ desk }, { for: life, why }) {
    const ms = durationMs(life);
    if (!(ms >= LEAST_MS && ms <= MOST_MS))
      throw new DeskError(
        'usage',
        `"${life}" is not from 1m to 7d.`,
        'Write a number with m, h or d, for example 30m.',
      );
    const api = desk.use(ALERTS);
    const nowMs = Date.now();
    api.setQuiet({ sinceMs: api.quiet()?.sinceMs ?? nowMs, untilMs: nowMs + ms, why });
    return quietAnswer(desk, 'begin');
  },
});

export const quietEnd = serviceOperation({
  route: 'POST /quiet/end',
  roles: CONTROL,
  summary: 'Ends quiet time now',
  answer: quietRecord.schema,
  token: 'control',
  changes: true,
  handle({ desk }) {
    desk.use(ALERTS).setQuiet(null);
    return quietAnswer(desk, 'end');
  },
});
