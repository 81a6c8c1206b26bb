/** Alerts to people and programs, heartbeats, and quiet time. */
import { feature } from '../../desk/feature.ts';
import { migrations } from './saved.ts';
import type { AlertTurn } from './turn.ts';

export * from './operations.ts';
export * from './query-tables.ts';

export const FEATURE = feature<AlertTurn>({
  id: 'alerts',
  commands: {
    alert: async () => (await import('./alert-command.ts')).alertCommand,
    quiet: async () => (await import('./quiet-command.ts')).quietCommand,
  },
  migrations,
  resident: async () => new (await import('./turn.ts')).AlertTurn(),
  async make(host, part) {
    const { DeskAlerts } = await import('./desk-alerts.ts');
    return new DeskAlerts(host, part as AlertTurn | undefined);
  },
});
