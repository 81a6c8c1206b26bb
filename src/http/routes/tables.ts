/** What is shown as a table or drawn: of the newest moment, assembled once per moment. */
import { jsonText } from '../../base/visible-text.ts';
import type { Desk } from '../../desk.ts';
import { history } from '../../records/history.ts';
import type { Moment } from '../../records/moment.ts';
import { listenerTable, processTable } from '../../records/tables.ts';
import { bodyOf } from '../bodies.ts';
import type { ControlHandlers } from '../control-app.ts';
import type { Reply } from '../endpoint.ts';

export function tableRoutes(desk: Desk) {
  const whole = async (name: string, make: (moment: Moment) => unknown): Promise<Reply> => {
    const moment = await desk.moment();
    // Columns are overwritten two sweeps later: the newest moment has its own still, whatever went on meanwhile.
    return { json: bodyOf(desk.latest() ?? moment, name, (newest) => jsonText(make(newest))) };
  };
  return {
    processes: () => whole(processTable.name, processTable.assemble),
    listeners: () =>
      whole(listenerTable.name, (moment) =>
        listenerTable.assemble({ moment, vouchers: desk.vouchers(moment) }),
      ),
    history: ({ query: { span } }) =>
      whole(`${history.name} ${span}`, (moment) =>
        history.assemble({ moment, span, rows: desk.history(span) }),
      ),
  } satisfies Partial<ControlHandlers>;
}
