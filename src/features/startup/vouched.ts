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

type Keys = Map<string, Set<string>>;

/** Keys by path. */
function keysOf(rows: readonly Pick<StartupFact, 'path' | 'key'>[]): Keys {
  const keys: Keys = new Map();
  for (const { path, key } of rows) keys.set(path, (keys.get(path) ?? new Set()).add(key));
  return keys;
}

export class VouchedStarts {
  readonly #access: Access;
  /** What the store has; null until it was read. */
  #stored: Keys | null = null;
  /** What the store does not have yet: it refused it, or could not be read. */
  readonly #unsaved: Keys = new Map();

  constructor(access: Access) {
    this.#access = access;
  }

  /** The same starts, those that a package vouched for earlier marked so; what one vouches for now is remembered. */
  take(entries: readonly StartupFact[]): readonly StartupFact[] {
    const stored = this.#read();
    const known = (path: string) => this.#unsaved.get(path) ?? stored?.get(path);
    // Of a file that is vouched for now, what it has now is all that counts.
    for (const [path, keys] of keysOf(entries.filter(isVouched)))
      if (!isSame(known(path), keys)) this.#unsaved.set(path, keys);
    if (stored !== null && this.#unsaved.size > 0) this.#save(stored);
    return entries.map((entry) =>
      mayBeEarlier(entry) && known(entry.path)?.has(entry.key)
        ? { ...entry, voucher: { ...entry.voucher, kind: 'earlier' } }
        : entry,
    );
  }

  #read(): Keys | null {
    const { db } = this.#access.store;
    const read = () => keysOf(db.all<{ path: string; key: string }>('SELECT path, key FROM startup_vouched'));
    this.#stored ??= this.#access.read<Keys | null>('startup vouched', read, null);
    return this.#stored;
  }

  #save(stored: Keys): void {
    const { db } = this.#access.store;
    const isSaved = this.#access.record('startup vouched', () => {
      for (const [path, keys] of this.#unsaved) {
        db.run('DELETE FROM startup_vouched WHERE path = ?', path);
        for (const key of keys) db.run('INSERT INTO startup_vouched VALUES (?, ?)', path, key);
      }
    });
    if (!isSaved) return;
    for (const [path, keys] of this.#unsaved) stored.set(path, keys);
    this.#unsaved.clear();
  }
}

const isSame = (one: ReadonlySet<string> | undefined, other: ReadonlySet<string>): boolean =>
  one !== undefined && one.size === other.size && [...other].every((key) => one.has(key));
