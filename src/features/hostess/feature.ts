/** The hostess: answers questions from the records. */
import { feature } from '../../desk/feature.ts';

export * from './operations.ts';
export * from './query-tables.ts';

export const FEATURE = feature({
  id: 'hostess',
  commands: {
    ask: async () => (await import('./ask-command.ts')).ask,
  },
  async make(host) {
    (await import('./desk-hostess.ts')).provideHostess(host);
    return {};
  },
});
