import type { Migration } from '../../store/migrations.ts';

export const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE generations (
        number INTEGER PRIMARY KEY CHECK (number >= 0),
        authoritative INTEGER NOT NULL CHECK (authoritative IN (0, 1)),
        privilege TEXT NOT NULL,
        learned_at TEXT NOT NULL
      ) STRICT;

      -- GOD is counted at every gate run; this keeps a second one from ever being written.
      CREATE UNIQUE INDEX one_authoritative ON generations (authoritative) WHERE authoritative = 1;
      INSERT INTO generations VALUES (0, 1, '', '');
    `,
  },
  {
    version: 2,
    sql: `
      ALTER TABLE generations ADD COLUMN parent INTEGER REFERENCES generations (number);
      ALTER TABLE generations ADD COLUMN how TEXT NOT NULL DEFAULT '';

      -- Keyed and chained; '' for generation 0, which has no rows.
      ALTER TABLE generations ADD COLUMN digest TEXT NOT NULL DEFAULT '';

      -- 0: so old that its rows were let go.
      ALTER TABLE generations ADD COLUMN kept INTEGER NOT NULL DEFAULT 1 CHECK (kept IN (0, 1));

      -- The digest covers everything but the marks seen and reviewed.
      CREATE TABLE generation_rows (
        generation INTEGER NOT NULL REFERENCES generations (number),
        kind TEXT NOT NULL CHECK (kind IN ('identity', 'listener', 'class')),
        key BLOB NOT NULL,
        text TEXT NOT NULL,
        detail TEXT NOT NULL,
        review INTEGER NOT NULL CHECK (review IN (0, 1)),
        seen INTEGER NOT NULL CHECK (seen IN (0, 1)),
        reviewed INTEGER NOT NULL CHECK (reviewed IN (0, 1)),
        PRIMARY KEY (generation, kind, key)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE learning_windows (
        number INTEGER PRIMARY KEY,
        opened_ms INTEGER NOT NULL,
        until_ms INTEGER NOT NULL,
        closed_at TEXT,
        outcome TEXT NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX one_open_window ON learning_windows ((closed_at IS NULL)) WHERE closed_at IS NULL;

      -- What clean observations brought while the window is open.
      CREATE TABLE window_rows (
        kind TEXT NOT NULL CHECK (kind IN ('identity', 'listener', 'class')),
        key BLOB NOT NULL,
        text TEXT NOT NULL,
        detail TEXT NOT NULL,
        review INTEGER NOT NULL CHECK (review IN (0, 1)),
        PRIMARY KEY (kind, key)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    version: 3,
    sql: `
      -- What a scar has touched while the window was open: not learned from it.
      CREATE TABLE window_spoilt (
        kind TEXT NOT NULL CHECK (kind IN ('identity', 'listener')),
        key BLOB NOT NULL,
        PRIMARY KEY (kind, key)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    version: 9,
    sql: `
      -- One row while what starts by itself is still to be recorded, in a baseline that was learned before that was known.
      CREATE TABLE startup_unrecorded (pending INTEGER PRIMARY KEY) STRICT;
      INSERT INTO startup_unrecorded SELECT 1 WHERE (SELECT max(number) FROM generations) > 0;
    `,
  },
  {
    version: 15,
    sql: `
      -- Startup places (their ids) and paths that were not read when the baseline was learned. The place '' is any place.
      CREATE TABLE startup_missed (
        place TEXT NOT NULL,
        path TEXT NOT NULL,
        PRIMARY KEY (place, path)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO startup_missed SELECT '', '/' FROM startup_unrecorded;
      DROP TABLE startup_unrecorded;
    `,
  },
];
