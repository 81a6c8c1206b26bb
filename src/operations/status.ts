/** The state of the desk: its records, the record of the pages, and the live view. */

import { wholeRecord } from '../desk/context.ts';
import { DESK, operation, SHOWN } from '../desk/operation.ts';
import { chargeReport } from '../records/charge-report.ts';
import { deskHygiene } from '../records/desk-hygiene.ts';
import { deskStatus } from '../records/desk-status.ts';
import { liveView } from '../records/live.ts';
import { page as pageRecord } from '../records/page.ts';

export const status = operation({
  route: 'GET /status',
  roles: DESK,
  summary: 'The desk status record',
  answer: deskStatus.schema,
  handle: wholeRecord(deskStatus),
});

export const av = operation({
  route: 'GET /av',
  roles: DESK,
  summary: 'The desk hygiene record',
  answer: deskHygiene.schema,
  handle: wholeRecord(deskHygiene),
});

export const charge = operation({
  route: 'GET /h7/charge',
  roles: DESK,
  summary: 'The charge report',
  answer: chargeReport.schema,
  handle: wholeRecord(chargeReport),
});

export const page = operation({
  route: 'GET /h7/page',
  roles: SHOWN,
  summary: 'Everything the pages show, of one snapshot',
  answer: pageRecord.schema,
  handle: wholeRecord(pageRecord, false),
});

export const live = operation({
  route: 'GET /h7/live',
  roles: SHOWN,
  summary:
    'What changes; as text/event-stream the events snapshot, finding, scar, port and missed, resumed by Last-Event-ID',
  answer: liveView.schema,
  stream: true,
  async handle({ desk, service }, _input, call) {
    const state = await desk.state();
    if (service === null) return liveView.assemble({ state, ageMs: 0, before: null });
    return call.wantsStream ? service.follow(call) : service.liveView(state);
  },
});
