/** What changed since a time: looks at the machine, keeps what has changed, and answers. */
import { feature } from '../../desk/feature.ts';
import { migrations } from './saved.ts';

export * from './operations.ts';

export const FEATURE = feature({
  id: 'diff',
  migrations,
  async make(host) {
    const { DeskDiff } = await import('./desk-diff.ts');
    return new DeskDiff(host);
  },
});
