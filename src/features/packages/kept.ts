/** The last comparison in the store: after a start the service continues from it. */
import { type AlteredFile, severityOf } from '../../checks/packages.ts';
import type { PackageScan } from '../../desk/packages.ts';
import { severityRank } from '../../policy/severity.ts';
import type { Migration } from '../../store/migrations.ts';
import type { Access } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    version: 11,
    sql: `
      CREATE TABLE package_seals (
        list TEXT PRIMARY KEY,
        seal TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE package_scan (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        scan TEXT NOT NULL
      ) STRICT;
    `,
  },
];

/** Altered files that are kept: each has some 300 bytes. */
const MOST_KEPT = 5_000;

/** Earlier versions read dpkg alone, and kept no `database`. */
function scanOf(text: string): PackageScan {
  const scan = JSON.parse(text) as PackageScan;
  return { ...scan, altered: scan.altered.map((file) => ({ ...file, database: file.database ?? 'dpkg' })) };
}

interface Kept {
  readonly scan: PackageScan | null;
  readonly seals: Map<string, string>;
}

/** The most severe are kept, and that there were more. */
function keptOf(scan: PackageScan): PackageScan {
  const { altered, unread } = scan;
  if (altered.length <= MOST_KEPT && unread.length <= MOST_KEPT) return scan;
  const rank = (file: AlteredFile): number => severityRank(severityOf(file));
  const more = { path: '/', reason: `only ${MOST_KEPT} altered or unread files are kept` };
  return {
    ...scan,
    altered: [...altered].sort((a, b) => rank(b) - rank(a)).slice(0, MOST_KEPT),
    unread: [...unread.slice(0, MOST_KEPT), more],
  };
}

export class KeptComparison {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  read(): Kept {
    const { db } = this.#access.store;
    return this.#access.read<Kept>(
      'packages',
      () => {
        const rows = db.all<{ list: string; seal: string }>('SELECT list, seal FROM package_seals');
        const [row] = db.all<{ scan: string }>('SELECT scan FROM package_scan');
        return {
          scan: row === undefined ? null : scanOf(row.scan),
          seals: new Map(rows.map(({ list, seal }) => [list, seal])),
        };
      },
      { scan: null, seals: new Map() },
    );
  }

  /** Writes the seals that are others than `before`. */
  write(scan: PackageScan, seals: ReadonlyMap<string, string>, before: ReadonlyMap<string, string>): void {
    const { db } = this.#access.store;
    this.#access.write(
      'packages',
      () => {
        for (const list of before.keys())
          if (!seals.has(list)) db.run('DELETE FROM package_seals WHERE list = ?', list);
        for (const [list, seal] of seals)
          if (before.get(list) !== seal)
            db.run('INSERT OR REPLACE INTO package_seals VALUES (?, ?)', list, seal);
        const kept = keptOf(scan);
        db.run('INSERT OR REPLACE INTO package_scan VALUES (1, ?)', JSON.stringify(kept));
        return true;
      },
      false,
    );
  }
}
