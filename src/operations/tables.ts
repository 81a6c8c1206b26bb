/** What pages show as tables: of the newest state. */

import { ofNewest } from '../desk/context.ts';
import { DESK, operation } from '../desk/operation.ts';
import { listenerTable, processTable } from '../records/tables.ts';

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
    ofNewest(desk, listenerTable.name, (state) =>
      listenerTable.assemble({ state, allowSources: desk.allowSources(state) }),
    ),
});
