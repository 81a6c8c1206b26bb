/** Command lines of processes, as tables keep them in a column `about` (ProcessAbout as JSON). */
import type { Access } from '../../store/store.ts';

/** Takes command lines, and what was reported of them, out of a table, and from the file too. */
export function forgetCommandLines(access: Access, table: 'findings' | 'shutdowns'): void {
  const { db } = access.store;
  const having = "json_extract(about, '$.command') IS NOT NULL";
  const forget = (): boolean => {
    // What is overwritten must not stay readable in the file.
    db.script('PRAGMA secure_delete = ON');
    const kept = db.number(`SELECT count(*) FROM ${table} WHERE ${having}`);
    db.run(
      `UPDATE ${table} SET about =
         json_set(about, '$.command', json('null'), '$.program', json_extract(about, '$.name')) WHERE ${having}`,
    );
    return kept > 0;
  };
  const operation = `forgetCommandLines ${table}`;
  if (access.records && access.write(operation, forget, false))
    access.read(operation, () => db.checkpoint(), false);
}
