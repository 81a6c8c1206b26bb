/**
 * Which starts of each file a package has vouched for: when a configuration file changes, the starts that it had before stay known, and
 * only new ones are judged.
 */
import type { StartupFact } from '../../checks/startup.ts';
import type { Migration } from '../../store/migrations.ts';
import type { Access } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    version: 10,
    sql: `
      CREATE TABLE startup_vouched (
        path TEXT NOT NULL,
        key TEXT NOT NULL,
        PRIMARY KEY (path, key)
      ) STRICT, WITHOUT ROWID;
    `,
  },
];

const isVouched = ({ voucher }: StartupFact): boolean =>
  voucher.kind === 'package' || voucher.kind === 'copy';

/** A packaged file that is not made to be changed is judged as a whole. */
const mayBeEarlier = ({ voucher: { kind, configuration } }: StartupFact): boolean =>
  kind === 'none' || (kind === 'changed' && configuration);

export class VouchedStarts {
  readonly #access: Access;
  /** Keys by path; null until they were read. */
  #known: Map<string, Set<string>> | null = null;

  constructor(access: Access) {
    this.#access = access;
  }

  /** The same starts, those that a package vouched for earlier marked so; what one vouches for now is remembered. */
  take(entries: readonly StartupFact[]): readonly StartupFact[] {
    const known = this.#read();
    this.#remember(entries.filter(isVouched), known);
    return entries.map((entry) =>
      mayBeEarlier(entry) && known.get(entry.path)?.has(entry.key)
        ? { ...entry, voucher: { ...entry.voucher, kind: 'earlier' } }
        : entry,
    );
  }

  #read(): Map<string, Set<string>> {
    if (this.#known !== null) return this.#known;
    const { db } = this.#access.store;
    const rows = this.#access.read<readonly { path: string; key: string }[]>(
      'startup vouched',
      () => db.all<{ path: string; key: string }>('SELECT path, key FROM startup_vouched'),
      [],
    );
    const known = new Map<string, Set<string>>();
    for (const { path, key } of rows) known.set(path, (known.get(path) ?? new Set()).add(key));
    this.#known = known;
    return known;
  }

  /** Of a file that is vouched for now, what it has now is all that counts. */
  #remember(entries: readonly StartupFact[], known: Map<string, Set<string>>): void {
    const now = new Map<string, Set<string>>();
    for (const { path, key } of entries) now.set(path, (now.get(path) ?? new Set()).add(key));
    const changed = [...now].filter(([path, keys]) => !isSame(known.get(path), keys));
    if (changed.length === 0) return;
    for (const [path, keys] of changed) known.set(path, keys);
    const { db } = this.#access.store;
    this.#access.write(
      'startup vouched',
      () => {
        for (const [path, keys] of changed) {
          db.run('DELETE FROM startup_vouched WHERE path = ?', path);
          for (const key of keys) db.run('INSERT INTO startup_vouched VALUES (?, ?)', path, key);
        }
        return true;
      },
      false,
    );
  }
}

const isSame = (one: ReadonlySet<string> | undefined, other: ReadonlySet<string>): boolean =>
  one !== undefined && one.size === other.size && [...other].every((key) => one.has(key));
