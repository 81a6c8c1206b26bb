/** The listeners (`GET /h7/listeners`) as rows with the names of its columns, in the order of the snapshot. */
import type { Voucher } from '../../checks/vouched.ts';
import { type ListenerTable, listenerTable } from '../../records/listener-table.ts';
import type { Moment } from '../../records/moment.ts';

type Columns = Omit<ListenerTable, 'ts' | 'word' | 'generation' | 'total'>;
export type ListenerFacts = {
  readonly [K in keyof Columns]: Columns[K] extends readonly (infer T)[] ? T : never;
};

export function listenerRows(moment: Moment, vouchers: readonly Voucher[]): readonly ListenerFacts[] {
  const {
    ts: _ts,
    word: _word,
    generation: _generation,
    total,
    ...columns
  } = listenerTable.assemble({ moment, vouchers });
  return Array.from(
    { length: total },
    (_, at) =>
      Object.fromEntries(
        Object.entries(columns).map(([key, list]) => [key, list[at]]),
      ) as unknown as ListenerFacts,
  );
}
