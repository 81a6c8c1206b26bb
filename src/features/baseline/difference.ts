/** A against B, and what learning would add. */
import type { DeskError } from '../../desk.ts';
import type { Difference } from '../../records/baseline-diff.ts';
import type { Moment } from '../../records/moment.ts';
import { changedBetween } from './identity-detail.ts';
import type { Rows } from './observation.ts';

const beyond = (rows: Rows, held: Rows): Difference['added'] =>
  [...rows].filter(([id]) => !held.has(id)).map(([, row]) => row);

/** `brought`: the rows that learning would take, or why it would be refused. Classes of findings are told only when they are new. */
export const differenceOf = (
  moment: Moment,
  held: Rows,
  observed: Rows,
  brought: Rows | DeskError,
): Difference => ({
  moment,
  generation: moment.desk.baseline.generation,
  added: beyond(observed, held),
  gone: [...held].filter(([id, { kind }]) => kind !== 'class' && !observed.has(id)).map(([, row]) => row),
  changed: changedBetween(held, observed.values()),
  learns:
    brought instanceof Error ? [] : [...beyond(brought, held), ...changedBetween(held, brought.values())],
  refusal: brought instanceof Error ? `${brought.message} ${brought.remedy}` : '',
});
