/** The feature that reads the state of the machine itself, and what processes use of it. */
import { feature } from '../../desk/feature.ts';

export * from './operations.ts';
export * from './query-tables.ts';

export const FEATURE = feature({
  id: 'vitals',
  async make(host) {
    const { DeskVitals } = await import('./desk-vitals.ts');
    return new DeskVitals(host);
  },
});
