/** The database's form, one numbered step per change. A step that was released is never edited; append the next. */

export interface Migration {
  /** 1, 2, 3, …: the `user_version` after it ran. */
  readonly version: number;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

      CREATE TABLE generations (
        number INTEGER PRIMARY KEY CHECK (number >= 0),
        authoritative INTEGER NOT NULL CHECK (authoritative IN (0, 1)),
        privilege TEXT NOT NULL,
        learned_at TEXT NOT NULL
      ) STRICT;
      -- GOD is counted at every gate run; this keeps a second one from ever being written.
      CREATE UNIQUE INDEX one_authoritative ON generations (authoritative) WHERE authoritative = 1;
      INSERT INTO generations VALUES (0, 1, '', '');

      CREATE TABLE findings (
        id TEXT PRIMARY KEY,
        state TEXT NOT NULL CHECK (state IN ('open', 'closed')),
        "check" TEXT NOT NULL,
        avenue TEXT NOT NULL,
        severity TEXT NOT NULL,
        subject TEXT NOT NULL,
        summary TEXT NOT NULL,
        evidence TEXT NOT NULL,
        benign TEXT NOT NULL,
        remedy TEXT NOT NULL,
        scar INTEGER NOT NULL CHECK (scar IN (0, 1)),
        first_seen TEXT NOT NULL,
        last_seen TEXT NOT NULL,
        changed INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX findings_by_state ON findings (state, changed);

      CREATE TABLE finding_events (
        number INTEGER PRIMARY KEY,
        finding TEXT NOT NULL REFERENCES findings (id) ON DELETE CASCADE,
        at TEXT NOT NULL,
        event TEXT NOT NULL
      ) STRICT;
      CREATE INDEX finding_events_by_finding ON finding_events (finding, number);

      CREATE TABLE gate_runs (
        number INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        mode TEXT NOT NULL CHECK (mode IN ('scar', 'check', 'cook')),
        state TEXT NOT NULL CHECK (state IN ('pass', 'fail')),
        scar_count INTEGER NOT NULL,
        god INTEGER NOT NULL,
        steps TEXT NOT NULL
      ) STRICT;
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

      -- C of each run: what its scars touch.
      CREATE TABLE residue (
        run INTEGER NOT NULL REFERENCES gate_runs (number) ON DELETE CASCADE,
        finding TEXT NOT NULL,
        severity TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('identity', 'listener', 'class')),
        key BLOB NOT NULL,
        PRIMARY KEY (run, finding, kind, key)
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

      ALTER TABLE findings ADD COLUMN evidence_class TEXT NOT NULL DEFAULT '';
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
    version: 4,
    sql: `
      -- Looks at the public site: one when something changed, and one each hour.
      CREATE TABLE site_probes (
        number INTEGER PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        ms REAL NOT NULL,
        changed TEXT NOT NULL,
        state TEXT NOT NULL
      ) STRICT;
    `,
  },
  {
    version: 5,
    sql: `
      -- Minutes of the desk, by the second since the epoch at which they begin.
      CREATE TABLE samples (
        at INTEGER PRIMARY KEY,
        recheck_us REAL NOT NULL,
        recheck_max_us REAL NOT NULL,
        pids INTEGER NOT NULL,
        wrapped INTEGER NOT NULL,
        public_listen INTEGER NOT NULL,
        bgl INTEGER NOT NULL,
        findings INTEGER NOT NULL,
        scars INTEGER NOT NULL,
        temp_c REAL
      ) STRICT;
    `,
  },
  {
    version: 6,
    sql: `
      -- What is no longer kept, counted.
      CREATE TABLE dropped (
        kind TEXT NOT NULL CHECK (kind IN ('finding', 'gate-run')),
        "check" TEXT NOT NULL,
        severity TEXT NOT NULL,
        reason TEXT NOT NULL,
        count INTEGER NOT NULL,
        last_at TEXT NOT NULL,
        PRIMARY KEY (kind, "check", severity, reason)
      ) STRICT, WITHOUT ROWID;

      -- changed when it was first written, and the service time (meta.service_sec) of the last write.
      ALTER TABLE findings ADD COLUMN first_changed INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE findings ADD COLUMN changed_sec INTEGER NOT NULL DEFAULT 0;
      UPDATE findings SET first_changed = changed;
      CREATE INDEX findings_by_share ON findings (state, "check", severity, first_changed);
      CREATE INDEX findings_by_change ON findings (changed);

      -- The service time of the write: the wall clock that begins a minute may be set back and forward.
      ALTER TABLE samples ADD COLUMN stored_sec INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX samples_by_age ON samples (stored_sec);
    `,
  },
  {
    version: 7,
    sql: `
      -- Lines of history and rows of residue are counted too.
      CREATE TABLE dropped_of_all (
        kind TEXT NOT NULL CHECK (kind IN ('finding', 'gate-run', 'line', 'residue')),
        "check" TEXT NOT NULL,
        severity TEXT NOT NULL,
        reason TEXT NOT NULL,
        count INTEGER NOT NULL,
        last_at TEXT NOT NULL,
        PRIMARY KEY (kind, "check", severity, reason)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO dropped_of_all SELECT kind, "check", severity, reason, count, last_at FROM dropped;
      DROP TABLE dropped;
      ALTER TABLE dropped_of_all RENAME TO dropped;
    `,
  },
  {
    version: 8,
    sql: `
      -- Equal findings are one with its members, as JSON; before, each process had its own.
      ALTER TABLE findings ADD COLUMN members TEXT NOT NULL DEFAULT '{"count":1,"pids":[]}';
      UPDATE findings SET members = json_object('count', 1, 'pids', json_array(json_extract(subject, '$.pid')))
        WHERE json_extract(subject, '$.kind') = 'process';

      -- The process that a finding is about, as JSON (ProcessAbout); null while it is not known.
      ALTER TABLE findings ADD COLUMN about TEXT;

      -- Banned listeners that are down, once for each that is alike; about: who held it, as JSON, null where it was not known.
      CREATE TABLE shutdowns (
        number INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        finding TEXT NOT NULL,
        protocol TEXT NOT NULL,
        address TEXT NOT NULL,
        port INTEGER NOT NULL,
        executable TEXT NOT NULL,
        uid INTEGER,
        ended TEXT NOT NULL CHECK (ended IN ('SIGTERM', 'SIGKILL', 'itself')),
        "by" TEXT NOT NULL CHECK ("by" IN ('policy', 'command')),
        times INTEGER NOT NULL,
        about TEXT
      ) STRICT;
    `,
  },
];
