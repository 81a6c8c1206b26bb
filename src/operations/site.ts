/** The public site. */
import { site as siteRecord } from '../records/site.ts';
import { DESK, operation } from './operation.ts';

export const site = operation({
  route: 'GET /site',
  roles: DESK,
  summary: 'The public site as it was last probed, and its history',
  answer: siteRecord.schema,
  handle: async ({ desk }) => siteRecord.assemble(await desk.site()),
});
