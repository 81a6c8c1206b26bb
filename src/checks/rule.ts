/**
 * A predicate as data: expressions over the columns of a table, which `compile.ts` turns into a program for the vectorised
 * batch. Nothing here touches a row.
 */

import type { ListenerColumns, ProcessColumns } from '../engine/native/types.ts';
import type { Snapshot } from '../engine/snapshot.ts';

export type ProcessColumn = Exclude<keyof ProcessColumns, 'comm'>;
export type ListenerColumn = Exclude<keyof ListenerColumns, 'address'>;

/** A value that changes with each sweep. Parameters of one name are one. */
export interface Parameter {
  readonly name: string;
  /** 64 bits; for a column of signed numbers in two's complement. */
  of(snapshot: Snapshot): bigint;
}

type Value = bigint | Parameter;

export type Expression<Column extends string = string> =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'flag'; readonly parameter: Parameter }
  | { readonly kind: 'masked'; readonly column: Column; readonly mask: Value; readonly value: Value }
  | { readonly kind: 'range'; readonly column: Column; readonly low: Value; readonly high: Value }
  | { readonly kind: 'member'; readonly column: Column; readonly values: readonly bigint[] }
  | { readonly kind: 'port'; readonly column: Column; readonly ports: ReadonlySet<number> }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Expression<Column>[] }
  | { readonly kind: 'not'; readonly of: Expression<Column> };

/** Rows whose evidence was read and does not decide. */
export interface BlindRule<Column extends string = string> {
  readonly when: Expression<Column>;
  readonly reason: string;
  /** As in `Blindness`. */
  readonly cure: string | ((snapshot: Snapshot) => string);
  /** Whether an open finding about such a row must not expire for it. */
  readonly hides: boolean;
}

interface RuleParts<Column extends string> {
  /** The rows that are subjects of the check at all. */
  readonly applies: Expression<Column>;
  /** Of these, in order: a row belongs to the first that holds, and is judged no further. */
  readonly blind?: readonly BlindRule<Column>[];
  readonly fails: Expression<Column>;
}

/** Vanished rows are not subjects; those whose `needs` (FACT_* bits) were not read are blind, regardless of `applies`. */
interface ProcessRule extends RuleParts<ProcessColumn> {
  readonly subjects: 'processes';
  readonly needs: number;
}

interface ListenerRule extends RuleParts<ListenerColumn> {
  readonly subjects: 'listeners';
}

export type Rule = ProcessRule | ListenerRule;

const MOST = 0xffff_ffff_ffff_ffffn;

export const always: Expression<never> = { kind: 'constant', value: true };
export const never: Expression<never> = { kind: 'constant', value: false };

/** Every row when the parameter is not 0, else none. */
export const flag = (parameter: Parameter): Expression<never> => ({ kind: 'flag', parameter });

/** (column & mask) == value, both cut to the column's width. */
export const masked = <C extends string>(column: C, mask: Value, value: Value): Expression<C> => ({
  kind: 'masked',
  column,
  mask,
  value,
});

export const equals = <C extends string>(column: C, value: Value): Expression<C> =>
  masked(column, MOST, value);

/** The column, of unsigned numbers, is below `value`. */
export const below = <C extends string>(column: C, value: Value): Expression<C> =>
  not({ kind: 'range', column, low: value, high: MOST });

export const member = <C extends string>(column: C, values: Iterable<bigint>): Expression<C> => ({
  kind: 'member',
  column,
  values: [...values],
});

export const port = <C extends string>(column: C, ports: ReadonlySet<number>): Expression<C> => ({
  kind: 'port',
  column,
  ports,
});

export const all = <C extends string>(...of: readonly Expression<C>[]): Expression<C> => ({
  kind: 'all',
  of,
});
export const any = <C extends string>(...of: readonly Expression<C>[]): Expression<C> => ({
  kind: 'any',
  of,
});
export const not = <C extends string>(of: Expression<C>): Expression<C> => ({ kind: 'not', of });
