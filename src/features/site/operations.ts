/** The public site. */

import { DESK, operation } from '../../desk/operation.ts';
import { SITE } from '../../desk/site-seen.ts';
import { site as siteRecord } from '../../records/site.ts';

export const site = operation({
  route: 'GET /site',
  roles: DESK,
  summary: 'The public site as it was last probed, and its history',
  answer: siteRecord.schema,
  async handle({ desk }) {
    const seen = await desk.use(SITE).seen();
    return siteRecord.assemble({ ...seen, state: await desk.state() });
  },
});
