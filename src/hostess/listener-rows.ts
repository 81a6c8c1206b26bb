/** The listeners (`GET /h7/listeners`) as rows that grounds name, with the columns' own names. */
import type { Voucher } from '../checks/vouched.ts';
import type { Law } from '../law/law.ts';
import { type ListenerTable, listenerTable } from '../records/listener-table.ts';
import type { Moment } from '../records/moment.ts';

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

/** Which of `law.listen` allows it, by place; -1 when none does. */
export const lawEntryOf = ({ allowedListeners }: Law, one: ListenerFacts): number =>
  allowedListeners.findIndex(
    ({ ports, protocol, scope, executable }) =>
      ports.includes(one.port) &&
      protocol === one.protocol &&
      (scope === 'any' || scope === one.scope) &&
      (executable === '' || executable === one.executable),
  );
