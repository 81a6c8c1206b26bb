/** What the charts of the pages are drawn from. */
import { z } from 'zod';
import { ofNewest } from '../../desk/context.ts';
import { DESK, operation } from '../../desk/operation.ts';
import { history as historyRecord } from '../../records/history.ts';
import { HISTORY_SPANS } from '../../records/measures.ts';
import { HISTORY } from './api.ts';

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
    ofNewest(desk, `${historyRecord.name} ${span}`, (state) =>
      historyRecord.assemble({ state, span, rows: desk.use(HISTORY).samples(span) }),
    ),
});
