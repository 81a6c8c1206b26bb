/** The answers about alerts: `GET /alerts`, `POST /alerts/test`, and quiet time. */
import { z } from 'zod';
import { SEVERITIES } from '../policy/severity.ts';
import { count, done, flag, type RecordOf, type Source, text } from './define.ts';

export const ALERT_TARGETS = ['ntfy', 'webhook', 'apprise', 'mail', 'command'] as const;

const severity = z.enum(SEVERITIES);

export const target = z.strictObject({
  name: text.describe('its name'),
  kind: z.enum(ALERT_TARGETS).describe('how it is reached'),
  least: severity.describe('least severity that is reported to it'),
  sent: z.string().nullable().describe('when a message last arrived, RFC 3339 in UTC; null before the first'),
  waiting: text.describe('title of the message on its way; "" without one'),
  tries: count.describe('attempts to deliver that message which failed'),
  reason: text.describe('why the last attempt failed; "" when it did not'),
  reported: count.describe(
    'findings and other problems that were reported to it as open and not yet as resolved',
  ),
  pending: count.describe('what is new and in no message yet'),
});
export type AlertTarget = Readonly<z.output<typeof target>>;

export const heartbeat = z.strictObject({
  name: text.describe('its name'),
  every_sec: count.describe('seconds between two of them'),
  sent: z.string().nullable().describe('when one last arrived, RFC 3339 in UTC; null before the first'),
  reason: text.describe('why the last one did not arrive; "" when it did'),
});
export type HeartbeatState = Source<z.output<typeof heartbeat>>;

/** What the alerts of a desk do now. */
export interface AlertFacts {
  readonly targets: readonly AlertTarget[];
  readonly heartbeats: readonly HeartbeatState[];
  readonly quiet: Readonly<z.output<typeof quiet>>;
}

export const delivery = z.strictObject({
  at: text.describe('when it arrived, RFC 3339 in UTC'),
  target: text.describe('the target'),
  kind: z
    .enum(['opened', 'changed', 'resolved', 'reminder', 'quiet-over', 'digest', 'test'])
    .describe(
      'opened: something new; changed: something new and something resolved, or a part resolved; resolved: nothing is open any more; digest: what changed in a day',
    ),
  severity: z.enum([...SEVERITIES, 'none']).describe('the worst of what is new, else of what is open'),
  title: text.describe('its title'),
  failed: count.describe('attempts before that failed'),
  message: text.describe('id of the message'),
});

export const quiet = z
  .strictObject({
    since: text.describe('when it began, RFC 3339 in UTC'),
    until: text.describe('when it ends, RFC 3339 in UTC'),
    why: text.describe('the reason that was given'),
  })
  .nullable()
  .describe('time in which only critical findings alert; null outside of it');

export const alerts = done('Alerts', 'H7_ALERTS', 'Where alerts go, and what was delivered', {
  targets: z.array(target).describe('targets of [[alerts.to]]'),
  heartbeats: z.array(heartbeat).describe('those of [[heartbeat]]'),
  quiet,
  deliveries: z.array(delivery).describe('the last 100 messages that arrived, the newest first'),
});
export type AlertsAnswer = RecordOf<typeof alerts>;

export const alertTest = done('AlertTest', 'H7_ALERT_TEST', 'A test message to targets of alerts', {
  results: z
    .array(
      z.strictObject({
        target: text.describe('the target'),
        ok: flag.describe('it arrived'),
        detail: text.describe('the answer, or why it did not arrive'),
        ms: z.number().describe('how long it took, ms'),
      }),
    )
    .describe('one for each target'),
});
export type AlertTestAnswer = RecordOf<typeof alertTest>;

export const quietTime = done('QuietTime', 'H7_QUIET', 'Time in which only critical findings alert', {
  action: z.enum(['show', 'begin', 'end']).describe('what was asked'),
  quiet,
});
export type QuietAnswer = RecordOf<typeof quietTime>;
