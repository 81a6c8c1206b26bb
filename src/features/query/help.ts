/** Queries explained to a language model: the grammar in a few lines, and tables with their columns. */
import { historyOf } from '../../query/time.ts';
import type { Column, Table } from '../../query/types.ts';

export const QUERY_HELP = `A query:
TABLE [select ITEMS] [where CONDITION] [group by COLUMNS] [order by ITEMS] [limit N] [since TIME] [until TIME] [at TIME] [ever]
ITEMS: columns, or count() count(COLUMN) distinct(COLUMN) sum(COLUMN) min(COLUMN) max(COLUMN) avg(COLUMN), with commas between them. In "order by" a - before an item is descending order.
CONDITION: COLUMN = VALUE, also != < <= > >=; COLUMN contains VALUE, also starts, ends, like; COLUMN in (VALUE, VALUE); COLUMN is none; COLUMN is unknown; a column of true and false by itself; with and, or, not and parentheses. A text with spaces is in "quotes". A column cannot be compared with another one.
TIME: today, yesterday, 2h, 7d, 2026-01-31.

Examples:
processes where threads > 10 order by -threads limit 3
processes select sum(threads), max(threads) where not own
listeners where scope = public and allowed is none
findings where severity >= high order by -severity
findings ever since yesterday
gate_runs where gate = fail limit 3
startup where vouched = none and user = root
ports where required and not up
samples select max(recheck_us), avg(pids) since 24h`;

export function tableText(table: Table): string {
  const { name, meaning, columns, time, past = [] } = table;
  const history = time === undefined && past.length === 0 ? '' : ` (${historyOf(table)})`;
  return [`${name}: ${meaning}${history}`, ...columns.map(columnText)].join('\n');
}

function columnText({ name, type, unit, meaning, values }: Column): string {
  const kind = [type, ...(unit === '' ? [] : [`in ${unit}`])].join(' ');
  const those = values === undefined ? '' : `, one of ${values.join(' ')}`;
  return `  ${name}: ${kind}${those}; ${meaning}`;
}
