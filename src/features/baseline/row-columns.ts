/** Rows of a baseline as tables hold them: those of generations and those that an open window gathers. */

import { type Blob, bytesOf, type Value } from '../../store/database.ts';
import type { BaselineRow, RowKind } from './rows.ts';

export interface RowColumns {
  readonly kind: RowKind;
  readonly key: Blob;
  readonly text: string;
  readonly detail: string;
  readonly review: number;
}

export const rowOf = ({ kind, key, text, detail, review }: RowColumns): BaselineRow => ({
  kind,
  key: bytesOf(key),
  text,
  detail,
  review: review === 1,
});

/** In the order of the columns. */
export const valuesOf = ({ kind, key, text, detail, review }: BaselineRow): Value[] => [
  kind,
  key,
  text,
  detail,
  review ? 1 : 0,
];
