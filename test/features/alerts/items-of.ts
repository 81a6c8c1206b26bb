/** Items of alerts for tests. */
import type { AlertItem } from '../../../src/features/alerts/message.ts';

export const item = (id: string, more: Partial<AlertItem> = {}): AlertItem => ({
  ...{ id, severity: 'medium', check: 'unknown-listener', title: `finding ${id}` },
  ...{ user: 'www-data', program: 'php-fpm', command: 'php-fpm --secret', peer: '203.0.113.7:4444' },
  ...{ benign: 'a service you started', next: `desk findings ${id}` },
  ...{ since: '2026-11-22T10:30:00.000+01:00', over: false },
  ...more,
});

export const open = (...items: readonly AlertItem[]): ReadonlyMap<string, AlertItem> =>
  new Map(items.map((one) => [one.id, one]));
