/** The public site and further ones: probes, their history, uptime. */
import { feature } from '../../desk/feature.ts';
import * as lines from './site-lines.ts';
import * as spans from './site-spans.ts';

export * from './operations.ts';
export * from './public-operations.ts';
export * from './query-tables.ts';

export const FEATURE = feature({
  id: 'site',
  commands: {
    public: async () => (await import('./public-command.ts')).publicSite,
  },
  migrations: [...lines.migrations, ...spans.migrations],
  async make(host) {
    const { DeskSite } = await import('./desk-site.ts');
    return new DeskSite(host);
  },
});
