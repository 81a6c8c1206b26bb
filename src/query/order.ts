/** The order of cells. */
import type { Cell, Column } from './types.ts';

/** By code points, as SQLite orders UTF-8: UTF-16 has surrogates before U+E000. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  if (at === most) return a.length - b.length;
  const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
  const isHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
  if (isHalf(one) !== isHalf(other)) return isHalf(one) ? 1 : -1;
  return one - other;
}

type Comparable = string | number | boolean;

export const compareValues = (a: Comparable, b: Comparable): number =>
  typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b);

/** A text of a ranked column as its rank; a value it should not have is behind all others. */
export function ranked({ values = [], ranked: isRanked }: Column, cell: Cell): Cell {
  if (isRanked !== true || typeof cell !== 'string') return cell;
  const rank = values.indexOf(cell);
  return rank < 0 ? values.length : rank;
}

/** Known values first, then unknown ones, then those that are none, in either direction. */
const place = (cell: Cell): number => (cell === undefined ? 2 : cell === null ? 1 : 0);

/** For `order by`; lists are not ordered. */
export function compareCells(a: Cell, b: Cell, descending: boolean): number {
  const places = place(a) - place(b);
  if (places !== 0 || place(a) > 0) return places;
  const compared = compareValues(a as Comparable, b as Comparable);
  return descending ? -compared : compared;
}
