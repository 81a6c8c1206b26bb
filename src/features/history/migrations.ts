import type { Migration } from '../../store/migrations.ts';

export const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
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
    `,
  },
  {
    version: 2,
    sql: `
      ALTER TABLE findings ADD COLUMN evidence_class TEXT NOT NULL DEFAULT '';
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
    `,
  },
];
