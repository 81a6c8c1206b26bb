/** The feature that compares the files of packages with what their databases recorded. */
import { feature } from '../../desk/feature.ts';
import { migrations } from './kept.ts';

export * from './operations.ts';
export * from './query-tables.ts';

export const FEATURE = feature({
  id: 'packages',
  commands: {
    packages: async () => (await import('./packages-command.ts')).packages,
  },
  migrations,
  async make(host) {
    const { DeskPackages } = await import('./desk-packages.ts');
    return new DeskPackages(host);
  },
});
