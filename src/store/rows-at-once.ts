/** Many rows by one statement, as JSON: to bind the values of each row costs several times what SQLite does with it. */
import type { Database, Value } from './database.ts';

/** Rows of one statement: its text is a few hundred KB. */
const AT_ONCE = 1000;

type Plain = string | number;

function* portions<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += AT_ONCE) yield items.slice(from, from + AT_ONCE);
}

/** An INSERT of these columns whose one value is the JSON of rows; `conflict` is an ON CONFLICT clause. */
export const insertOf = (table: string, columns: readonly string[], conflict: string): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map((_, at) => `value ->> ${at}`).join(', ')}
   FROM json_each(?) WHERE true ${conflict}`;

/** Runs an INSERT of `insertOf` for all rows. */
export function insertAll(database: Database, sql: string, rows: readonly (readonly Plain[])[]): void {
  for (const some of portions(rows)) database.run(sql, JSON.stringify(some));
}

/** Rows of a query with one value, the JSON of a list that json_each(?) takes apart, for all items. */
export function findAll(database: Database, sql: string, items: readonly Plain[]): (readonly Value[])[] {
  return [...portions(items)].flatMap((some) => database.lists(sql, JSON.stringify(some)));
}
