/** Deliveries and quiet time as records show them. */
import type { AlertsAnswer, QuietAnswer } from '../../records/alerts.ts';
import type { Delivery, QuietTime } from './saved.ts';

const time = (ms: number): string => new Date(ms).toISOString();

export const shownDelivery = ({ atMs, ...delivery }: Delivery): AlertsAnswer['deliveries'][number] => ({
  ...delivery,
  at: time(atMs),
});

export const shownQuiet = (quiet: QuietTime | null): QuietAnswer['quiet'] =>
  quiet === null ? null : { since: time(quiet.sinceMs), until: time(quiet.untilMs), why: quiet.why };
