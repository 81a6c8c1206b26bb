/** What pages show as tables and charts: of the newest moment. */
import { z } from 'zod';
import { history as historyRecord } from '../records/history.ts';
import { HISTORY_SPANS } from '../records/measures.ts';
import type { Moment } from '../records/moment.ts';
import { listenerTable, processTable } from '../records/tables.ts';
import { OfMoment } from './context.ts';
import type { Desk } from './desk.ts';
import { DESK, operation } from './operation.ts';

/** Columns are overwritten two sweeps later: the newest moment has its own still, whatever went on while one was awaited. */
async function ofNewest<R>(desk: Desk, key: string, make: (newest: Moment) => R): Promise<OfMoment<R>> {
  const moment = await desk.moment();
  const newest = desk.latest() ?? moment;
  return new OfMoment(newest, key, () => make(newest));
}

export const history = operation({
  route: 'GET /h7/history',
  roles: DESK,
  summary: 'What the charts are drawn from',
  input: z.strictObject({
    span: z
      .enum(HISTORY_SPANS)
      .default('15m')
      .describe('how far back: by the second, by the minute, by ten minutes'),
  }),
  answer: historyRecord.schema,
  handle: ({ desk }, { span }) =>
    ofNewest(desk, `${historyRecord.name} ${span}`, (moment) =>
      historyRecord.assemble({ moment, span, rows: desk.history(span) }),
    ),
});

export const processes = operation({
  route: 'GET /h7/processes',
  roles: DESK,
  summary: 'The process table with its confinement, as columns',
  answer: processTable.schema,
  handle: ({ desk }) => ofNewest(desk, processTable.name, processTable.assemble),
});

export const listeners = operation({
  route: 'GET /h7/listeners',
  roles: DESK,
  summary: 'The listeners with what allows them, as columns',
  answer: listenerTable.schema,
  handle: ({ desk }) =>
    ofNewest(desk, listenerTable.name, (moment) =>
      listenerTable.assemble({ moment, allowSources: desk.allowSources(moment) }),
    ),
});
