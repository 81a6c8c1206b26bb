/**
 * Conditions over the rows of a source, in three values: true, false, and null for unknown. A cell that is unknown makes a
 * comparison unknown, as NULL does in SQL; unknown is neither true nor false, so `not` keeps it, `and` is false where a part is
 * false, and `or` is true where a part is true. A cell that is none is a known fact: it equals no value, so `!=` is true of it
 * and every other comparison false. Whether a cell that is unknown is none is unknown too; `is unknown` never is.
 */
import { type BoundCondition, PATTERNS } from './bind.ts';
import type { Budget } from './budget.ts';
import { compareValues, ranked } from './order.ts';
import type { Cell, Column, Operator, Source, Value } from './types.ts';

export type Test = (row: number) => boolean | null;

type Scalar = string | number | boolean;

const ASCII = /^[\0-\x7f]*$/;

/** A to Z as a to z, as LIKE of SQLite does; other letters stay. */
function folded(text: string, budget?: Budget): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Each run of capitals is a call.
  budget?.spend(text.length / 2);
  return text.replace(/[A-Z]+/g, (some) => some.toLowerCase());
}

/** Whether a text fits a pattern, folded both: `%` is any characters, `_` one (a code point). The steps are spent as they are made. */
function like(text: readonly string[], pattern: readonly string[], budget: Budget): boolean {
  let [at, next] = [0, 0];
  // Where the last % was, and the first character that it does not cover yet.
  let [star, covered] = [-1, 0];
  let steps = 0;
  while (at < text.length) {
    steps += 1;
    const wanted = pattern[next];
    if (wanted === '%') {
      star = next;
      covered = at;
      next += 1;
    } else if (wanted !== undefined && (wanted === '_' || wanted === text[at])) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      next = star + 1;
      covered += 1;
      at = covered;
    } else {
      budget.spend(steps / 8);
      return false;
    }
    if (steps > 4096) {
      budget.spend(steps / 8);
      steps = 0;
    }
  }
  budget.spend(steps / 8);
  while (pattern[next] === '%') next += 1;
  return next === pattern.length;
}

type Compare = (cell: Scalar) => boolean;

function textTest(operator: Operator, value: string, budget: Budget): Compare {
  const wanted = folded(value);
  const pattern = [...wanted];
  return (cell) => {
    const text = String(cell);
    budget.read(text);
    switch (operator) {
      case 'contains':
        return folded(text, budget).includes(wanted);
      case 'starts':
        return folded(text.slice(0, wanted.length)) === wanted;
      case 'ends':
        return wanted.length <= text.length && folded(text.slice(text.length - wanted.length)) === wanted;
      default:
        // Its characters are copied.
        budget.spend(text.length / 4);
        return like([...folded(text, budget)], pattern, budget);
    }
  };
}

/** Of a cell that is known; of a ranked column the rank. */
function compareTest(operator: Operator, values: readonly Value[], budget: Budget): Compare {
  const [value] = values as readonly [Value];
  switch (operator) {
    case '=':
      return (cell) => cell === value;
    case '!=':
      return (cell) => cell !== value;
    case '<':
      return (cell) => compareValues(cell, value) < 0;
    case '<=':
      return (cell) => compareValues(cell, value) <= 0;
    case '>':
      return (cell) => compareValues(cell, value) > 0;
    case '>=':
      return (cell) => compareValues(cell, value) >= 0;
    case 'in': {
      const set = new Set(values);
      return (cell) => set.has(cell);
    }
    default:
      return textTest(operator, String(value), budget);
  }
}

function columnTest(
  { column, operator, values }: Extract<BoundCondition, { kind: 'compare' }>,
  source: Source,
  budget: Budget,
): Test {
  const read = source.read(column.name);
  if (column.type === 'list') {
    const [wanted] = values;
    const entry: Compare =
      operator === 'contains' ? (one) => String(one) === wanted : textTest(operator, String(wanted), budget);
    return (row) => {
      const cell = read(row);
      budget.spend(1);
      if (cell === null) return null;
      if (!Array.isArray(cell)) return false;
      budget.spend(cell.length / 8);
      return cell.some(entry);
    };
  }
  const compare = compareTest(operator, values, budget);
  // Patterns compare the texts, not the ranks.
  const isRanked = column.ranked === true && !PATTERNS.includes(operator);
  return (row) => {
    const cell = read(row);
    if (typeof cell === 'string') budget.read(cell);
    else budget.spend(1);
    if (cell === null) return null;
    if (cell === undefined) return operator === '!=';
    return compare((isRanked ? ranked(column, cell) : cell) as Scalar);
  };
}

/** A list without entries is none. */
const isNone = (cell: Cell): boolean => cell === undefined || (Array.isArray(cell) && cell.length === 0);

/** A function of the row. Its steps are spent when it is called. */
export function testOf(condition: BoundCondition, source: Source, budget: Budget): Test {
  switch (condition.kind) {
    case 'compare':
      return columnTest(condition, source, budget);
    case 'is': {
      const { what, not, column } = condition;
      const read = source.read(column.name);
      const isUnknown = what === 'unknown';
      return (row) => {
        budget.spend(1);
        const cell = read(row);
        if (isUnknown) return (cell === null) !== not;
        return cell === null ? null : isNone(cell) !== not;
      };
    }
    case 'not': {
      const test = testOf(condition.part, source, budget);
      return (row) => {
        const value = test(row);
        return value === null ? null : !value;
      };
    }
    case 'and':
    case 'or': {
      const tests = condition.parts.map((part) => testOf(part, source, budget));
      const decides = condition.kind === 'or';
      return (row) => {
        let result: boolean | null = !decides;
        for (const test of tests) {
          const value = test(row);
          if (value === decides) return decides;
          if (value === null) result = null;
        }
        return result;
      };
    }
  }
}

/** The columns of a condition, each once. */
export function columnsOf(condition: BoundCondition): readonly Column[] {
  if ('parts' in condition) return [...new Set(condition.parts.flatMap(columnsOf))];
  return condition.kind === 'not' ? columnsOf(condition.part) : [condition.column];
}
