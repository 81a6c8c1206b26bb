/** What changed in a day, in which something of every kind has happened. */

import { utcTime } from '../../src/engine/time.ts';
import type { FactChange } from '../../src/features/diff/compare.ts';
import { type DiffRows, diffOf } from '../../src/features/diff/groups.ts';

export const UNTIL_MS = Date.UTC(2026, 0, 3, 8);
export const HOUR_MS = 3_600_000;
export const SINCE_MS = UNTIL_MS - 24 * HOUR_MS;
const FIRST_MS = SINCE_MS - 24 * HOUR_MS;

/** Seen an hour before the end, 30 s after the look before. */
export const factChange = (parts: Partial<FactChange> & Pick<FactChange, 'kind'>): FactChange => ({
  ...{ key: 'key', name: 'name', before: null, after: 'after', packaged: false },
  ...{ fromMs: UNTIL_MS - HOUR_MS - 30_000, atMs: UNTIL_MS - HOUR_MS },
  ...parts,
});

const looks = ['startup', 'account', 'group', 'listener', 'program', 'package', 'blind', 'severity'].map(
  (kind) => [kind, { firstMs: FIRST_MS, lastMs: UNTIL_MS }] as const,
);

/** A day in which nothing has happened, and all is known. */
export const diffRows = (parts: Partial<DiffRows> = {}): DiffRows => ({
  ...{ sinceMs: SINCE_MS, untilMs: UNTIL_MS, shown: (ms) => utcTime(ms) as string },
  ...{ findings: [], findingsGone: '', firstFindingMs: FIRST_MS, changes: [], unseen: [] },
  ...{ counts: new Map(), looks: new Map(looks), looked: new Set(), troubles: new Map() },
  ...{ certificates: [], bootedMs: null },
  pauses: { firstMs: FIRST_MS, pauses: [] },
  ...parts,
});

/** `evil`: words that a process or a user chooses. */
export const eventfulRows = (evil = ''): DiffRows =>
  diffRows({
    bootedMs: UNTIL_MS - 2 * HOUR_MS,
    findings: [
      {
        ...{ id: '0011223344556677', title: `A deleted program runs${evil}`, check: 'deleted-executable' },
        severity: 'high',
        turns: [{ atMs: UNTIL_MS - HOUR_MS, opened: true }],
      },
      {
        ...{ id: '8899aabbccddeeff', title: 'A listener is new', check: 'new-listener', severity: 'medium' },
        turns: [
          { atMs: UNTIL_MS - 3 * HOUR_MS, opened: true },
          { atMs: UNTIL_MS - 2 * HOUR_MS, opened: false },
        ],
      },
    ],
    changes: [
      factChange({
        kind: 'startup',
        key: 'crontab /etc/cron.d/x 1',
        name: `/etc/cron.d/x${evil}`,
        after: `crontab: /x${evil}, as root`,
      }),
      factChange({ kind: 'startup', key: 'systemd-unit /usr/lib/y 1', name: '/usr/lib/y', packaged: true }),
      factChange({ kind: 'account', key: 'eve', name: `eve${evil}`, after: 'uid 1002' }),
      factChange({
        kind: 'listener',
        key: 'tcp 0.0.0.0:80',
        name: 'tcp 0.0.0.0:80',
        after: '/usr/sbin/nginx',
      }),
      factChange({ kind: 'package', key: 'dpkg nginx', name: 'nginx', before: '1.0-1', after: '1.0-2' }),
    ],
    counts: new Map([['listener', { shortLived: 12, leftOut: 0 }]]),
    certificates: [{ name: 'example.org', endsMs: UNTIL_MS + 3.5 * 24 * HOUR_MS }],
    pauses: { firstMs: FIRST_MS, pauses: [{ fromMs: SINCE_MS + HOUR_MS, toMs: SINCE_MS + 4 * HOUR_MS }] },
    unseen: [{ key: 'check hidden-port', name: `check hidden-port${evil}`, detail: 'refused' }],
  });

export const eventfulDay = (evil?: string) => diffOf(eventfulRows(evil));
