/** What this machine starts by itself. */
import { feature } from '../../desk/feature.ts';
import { migrations } from './vouched.ts';

export * from './operations.ts';
export * from './query-tables.ts';

export const FEATURE = feature({
  id: 'startup',
  commands: {
    accounts: async () => (await import('./accounts-command.ts')).accounts,
    startup: async () => (await import('./startup-command.ts')).startup,
  },
  migrations,
  async make(host) {
    const { DeskStartup } = await import('./desk-startup.ts');
    return new DeskStartup(host);
  },
});
