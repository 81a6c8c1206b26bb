/** Entries of the endpoint table about what pages show as tables and charts. */
import { z } from 'zod';
import { history } from '../records/history.ts';
import { HISTORY_SPANS } from '../records/measures.ts';
import type { ListenerRole } from '../records/moment.ts';
import { listenerTable, processTable } from '../records/tables.ts';
import type { Endpoint } from './endpoint.ts';

const DESK = ['control', 'office'] as const satisfies readonly ListenerRole[];

const historyQuery = z.strictObject({
  span: z
    .enum(HISTORY_SPANS)
    .default('15m')
    .describe('how far back: by the second, by the minute, by ten minutes'),
});

export const TABLE_ENDPOINTS = [
  {
    id: 'history',
    method: 'GET',
    path: '/h7/history',
    roles: DESK,
    summary: 'What the charts are drawn from',
    query: historyQuery,
    answer: history.schema,
  },
  {
    id: 'processes',
    method: 'GET',
    path: '/h7/processes',
    roles: DESK,
    summary: 'The process table with its confinement, as columns',
    answer: processTable.schema,
  },
  {
    id: 'listeners',
    method: 'GET',
    path: '/h7/listeners',
    roles: DESK,
    summary: 'The listeners with what allows them, as columns',
    answer: listenerTable.schema,
  },
] as const satisfies readonly Endpoint[];
