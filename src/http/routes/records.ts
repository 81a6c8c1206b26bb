/** Reads that are a function of the moment: each is assembled and serialised once per moment. */
import { jsonText } from '../../base/visible-text.ts';
import type { Desk } from '../../desk.ts';
import { DeskError } from '../../desk.ts';
import { acceptanceFor } from '../../law/accept.ts';
import { chargeReport } from '../../records/charge-report.ts';
import { deskHygiene } from '../../records/desk-hygiene.ts';
import { deskStatus } from '../../records/desk-status.ts';
import { detection } from '../../records/detection.ts';
import { findingDetail } from '../../records/finding-detail.ts';
import type { Moment } from '../../records/moment.ts';
import { scar } from '../../records/scar.ts';
import { scarRuns } from '../../records/scar-runs.ts';
import { site } from '../../records/site.ts';
import { bodyOf, tagger } from '../bodies.ts';
import type { ControlHandlers } from '../control-app.ts';
import type { Reply } from '../endpoint.ts';

interface Assembled {
  readonly name: string;
  assemble(moment: Moment): unknown;
}

export function recordRoutes(desk: Desk) {
  const etag = tagger();
  const whole = (record: Assembled) => async (): Promise<Reply> => {
    const moment = await desk.moment();
    const json = bodyOf(moment, record.name, () => jsonText(record.assemble(moment)));
    return { json, etag: etag(moment, json) };
  };
  return {
    status: whole(deskStatus),
    charge: whole(chargeReport),
    av: whole(deskHygiene),
    scar: whole(scar),
    'scar-runs': async ({ query: { limit } }) => ({
      json: jsonText(scarRuns.assemble({ moment: await desk.moment(), runs: desk.gateRuns(limit) })),
    }),
    site: async () => ({ json: jsonText(site.assemble(await desk.site())) }),
    detection: async ({ query }) => {
      const moment = await desk.moment();
      const json =
        Object.keys(query).length > 0
          ? jsonText(detection.assemble({ moment, ...query }))
          : bodyOf(moment, detection.name, () => jsonText(detection.assemble({ moment })));
      return { json, etag: etag(moment, json) };
    },
    finding: async ({ params }) => {
      const moment = await desk.moment();
      const known = desk.finding(params.id);
      if (known === undefined)
        throw new DeskError(
          'not-found',
          'No finding has this id',
          'See the ids in /detection or with "desk findings".',
        );
      return {
        json: jsonText(
          findingDetail.assemble({ moment, ...known, acceptance: acceptanceFor(known.finding) }),
        ),
      };
    },
  } satisfies Partial<ControlHandlers>;
}
