/** The public site: probes and their history. */
import { feature } from '../../desk/feature.ts';
import { migrations } from './site-lines.ts';

export * from './operations.ts';
export * from './query-tables.ts';

export const FEATURE = feature({
  id: 'site',
  commands: {
    public: async () => (await import('./public-command.ts')).publicSite,
  },
  migrations,
  async make(host) {
    const { DeskSite } = await import('./desk-site.ts');
    return new DeskSite(host);
  },
});
