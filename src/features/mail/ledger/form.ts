/** The schema of the people ledger's database. A migration that was released is never edited; append the next. */
import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TrustOptions } from '../../../base/trusted-file.ts';
import type { LedgerTotals } from '../../../records/ledger.ts';
import type { Database } from '../../../store/database.ts';
import type { Migration } from '../../../store/migrations.ts';

export const ledgerName = 'people.db';

/** The owner of the ledger's folder may own the ledger: the service chose it, and the state folder around it is private. */
export function ledgerTrust(path: string): TrustOptions {
  const uid = lstatSync(dirname(path), { throwIfNoEntry: false })?.uid;
  return uid === undefined ? {} : { uid };
}

/** Deleted rows leave no bytes behind. A power cut may lose the last batches with their places: they are read again. */
export const LEDGER = [
  'journal_mode = WAL',
  'synchronous = NORMAL',
  'foreign_keys = ON',
  'secure_delete = ON',
  // KiB when negative; pages.
  'cache_size = -32768',
  'wal_autocheckpoint = 4000',
  'temp_store = MEMORY',
] as const;

export function totalsOf(database: Database): LedgerTotals {
  const row = database.first('SELECT people, messages, left_out FROM totals') as readonly number[];
  const [people = 0, messages = 0, leftOut = 0] = row;
  return { people, messages, leftOut };
}

export const ledgerMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      -- key: of digests and cursors; own: digest of the addresses that were the user's own.
      CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE totals (people INTEGER NOT NULL, messages INTEGER NOT NULL, left_out INTEGER NOT NULL) STRICT;
      INSERT INTO totals VALUES (0, 0, 0);

      CREATE TABLE folders (
        id INTEGER PRIMARY KEY,
        source TEXT NOT NULL,
        folder TEXT NOT NULL,
        place TEXT NOT NULL,
        UNIQUE (source, folder)
      ) STRICT;
      CREATE TABLE units (
        folder INTEGER NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
        unit INTEGER NOT NULL,
        PRIMARY KEY (folder, unit)
      ) STRICT, WITHOUT ROWID;

      -- Messages that were counted.
      CREATE TABLE messages (key BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;

      -- What messages add up to, in whatever order they come: sums, least and greatest values, bits.
      CREATE TABLE tallies (
        address TEXT PRIMARY KEY,
        received INTEGER NOT NULL,
        sent INTEGER NOT NULL,
        copied INTEGER NOT NULL,
        -- 4 × milliseconds + code of the first contact.
        opening INTEGER NOT NULL,
        last_ms INTEGER NOT NULL,
        traits INTEGER NOT NULL,
        -- JSON: [name, messages with it].
        names TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      -- What waits to be added to tallies, a batch each, as columns (ledger-types.ts): people are the mailboxes that were not named before.
      CREATE TABLE journal (
        number INTEGER PRIMARY KEY,
        people TEXT NOT NULL,
        times BLOB NOT NULL,
        flags BLOB NOT NULL,
        named BLOB NOT NULL,
        ends BLOB NOT NULL
      ) STRICT;

      -- Persons as they are told, made of tallies. The id is a keyed digest: it tells nothing of the address.
      CREATE TABLE people (
        id INTEGER PRIMARY KEY,
        address TEXT NOT NULL UNIQUE,
        domain TEXT NOT NULL,
        name TEXT NOT NULL,
        names TEXT NOT NULL,
        -- -1: never at a believable time.
        first_ms INTEGER NOT NULL,
        last_ms INTEGER NOT NULL,
        contact INTEGER NOT NULL,
        received INTEGER NOT NULL,
        sent INTEGER NOT NULL,
        copied INTEGER NOT NULL,
        list INTEGER NOT NULL CHECK (list IN (0, 1)),
        automated INTEGER NOT NULL CHECK (automated IN (0, 1)),
        odd TEXT NOT NULL,
        like_domain TEXT NOT NULL,
        like_name TEXT NOT NULL,
        name_skeleton TEXT NOT NULL,
        rank INTEGER NOT NULL,
        name_key TEXT NOT NULL,
        -- Folded; the second without local parts.
        search TEXT NOT NULL,
        open_search TEXT NOT NULL
      ) STRICT;
      CREATE INDEX people_by_rank ON people (rank);
      CREATE INDEX people_by_name ON people (name_key);
      CREATE INDEX people_by_first ON people (first_ms);
      CREATE INDEX people_by_last ON people (last_ms);
      CREATE INDEX people_by_received ON people (received);
      CREATE INDEX people_by_sent ON people (sent);
      CREATE INDEX people_by_domain ON people (domain, like_domain);
      CREATE INDEX people_by_skeleton ON people (name_skeleton) WHERE name_skeleton <> '';
      CREATE INDEX people_like_others ON people (like_name) WHERE like_name <> '';

      -- Keyed digests of addresses that were forgotten: mail up to that time does not bring them back.
      CREATE TABLE forgotten (digest BLOB PRIMARY KEY, until_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    `,
  },
];
