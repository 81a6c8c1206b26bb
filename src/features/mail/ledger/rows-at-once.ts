/** Many rows of a table. */
import type { Database, Value } from '../../../store/database.ts';

/** Items of one query: its text is some ten KB. */
const AT_ONCE = 1000;

/** An INSERT of these columns; `conflict` is an ON CONFLICT clause. */
export const insertOf = (table: string, columns: readonly string[], conflict: string): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ${conflict}`;

/** Runs an INSERT of `insertOf` for all rows: to bind values costs half of what SQLite takes to read them from JSON. */
export function insertAll(database: Database, sql: string, rows: readonly (readonly Value[])[]): void {
  for (const row of rows) database.run(sql, ...row);
}

/** Rows of a query with one value, the JSON of a list that json_each(?) takes apart, for all items. */
export function findAll(
  database: Database,
  sql: string,
  items: readonly (string | number)[],
): (readonly Value[])[] {
  const found: (readonly Value[])[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    found.push(...database.lists(sql, JSON.stringify(items.slice(from, from + AT_ONCE))));
  return found;
}
