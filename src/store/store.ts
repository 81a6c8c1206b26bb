/** What outlives the process: the baseline's generations, findings with their history, gate runs. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../checks/judgement.ts';
import type { BaselineFacts, GateFacts, GateStep } from '../records/moment.ts';
import type { Database } from './database.ts';
import { type FindingRow, findingOf, saveFinding } from './finding-rows.ts';
import { databaseName, type OpenOptions, openFolder, type Recovered } from './open.ts';

export type { Recovered } from './open.ts';

export interface Generation {
  /** 0 = the empty baseline, which exists from creation. */
  readonly number: number;
  readonly authoritative: boolean;
  /** Privilege it was learned with; "" for generation 0. */
  readonly privilege: string;
  /** RFC 3339; "" for generation 0. */
  readonly learnedAt: string;
}

export interface GateRun {
  /** RFC 3339. */
  readonly at: string;
  /** `scar` stopped at the gate, `check` told what cook-off would do, `cook` did it. */
  readonly mode: 'scar' | 'check' | 'cook';
  readonly state: GateFacts['state'];
  readonly scarCount: number;
  /** Authoritative generations counted at the run. */
  readonly god: number;
  readonly steps: readonly GateStep[];
}

interface FindingEvent {
  readonly at: string;
  readonly event: string;
}

export interface Standing {
  readonly baseline: Pick<BaselineFacts, 'generation' | 'learnedAt' | 'identities' | 'seenAgain' | 'rows'>;
  readonly god: number;
  readonly lastRun: GateRun | null;
}

/** SQLite's own errors (disk full, I/O) throw with their code; the caller degrades the store alone. */
export interface Store {
  /** Set while this folder's earlier database was lost and nothing was learned since. */
  readonly recovered: Recovered | null;
  /** The held generation A, as the records tell it. */
  baseline(): Standing['baseline'];
  generations(): readonly Generation[];
  /** GOD. */
  authoritativeGenerations(): number;
  /** Findings open at the last record, to go on from after a restart. */
  openFindings(): readonly Finding[];
  /** One transaction: these opened, those closed, with a line of history each. */
  recordFindings(opened: readonly Finding[], closed: readonly Finding[], at: string): void;
  /** A line of history for a finding that is known; nothing for another. */
  recordEvent(finding: string, at: string, event: string): void;
  finding(id: string): { readonly finding: Finding; readonly history: readonly FindingEvent[] } | undefined;
  /** Newest events of all findings first. */
  events(limit: number): readonly (FindingEvent & { readonly finding: string; readonly summary: string })[];
  recordGateRun(run: GateRun): void;
  lastGateRun(): GateRun | null;
  /** What every recheck asks for, by one look at the database: the held generation, GOD and the last gate run. */
  standing(): Standing;
  /** Newest first. */
  gateRuns(limit: number): readonly GateRun[];
  /** Bytes of the database and its log. */
  sizeBytes(): number;
  close(): void;
}

/** Rows kept; older ones go, so that a flapping subject cannot fill the disk. */
const keptClosedFindings = 10_000;
const keptEventsPerFinding = 200;
const keptGateRuns = 5_000;

export function openStore(folder: string, options: OpenOptions = { recover: true }): Store {
  const { database, recovered } = openFolder(folder, options);
  return new SqliteStore(database, folder, recovered);
}

interface GenerationRow {
  readonly number: number;
  readonly authoritative: number;
  readonly privilege: string;
  readonly learned_at: string;
}

interface GateRow {
  readonly at: string;
  readonly mode: GateRun['mode'];
  readonly state: GateRun['state'];
  readonly scar_count: number;
  readonly god: number;
  readonly steps: string;
}

interface Kept {
  readonly version: number;
  readonly generations: readonly Generation[];
  readonly run: GateRun | null;
}

function baselineOf(generations: readonly Generation[]): Standing['baseline'] {
  const held = generations.find(({ authoritative }) => authoritative);
  if (held === undefined) throw new Error('the store holds no authoritative generation');
  // Generation 0 is the empty baseline.
  return { generation: held.number, learnedAt: held.learnedAt, identities: 0, seenAgain: 0, rows: 0 };
}

const godOf = (generations: readonly Generation[]): number =>
  generations.filter(({ authoritative }) => authoritative).length;

class SqliteStore implements Store {
  readonly recovered: Recovered | null;
  readonly #db: Database;
  readonly #folder: string;
  /** What every recheck asks for, kept until some connection writes. */
  #kept: Kept;
  #closed = false;

  constructor(database: Database, folder: string, recovered: Recovered | null) {
    this.#db = database;
    this.#folder = folder;
    this.recovered = recovered;
    this.#kept = this.#read(this.#version());
  }

  baseline(): Standing['baseline'] {
    return baselineOf(this.generations());
  }

  generations(): readonly Generation[] {
    return this.#fresh().generations;
  }

  authoritativeGenerations(): number {
    return godOf(this.generations());
  }

  openFindings(): readonly Finding[] {
    return this.#db
      .all<FindingRow>("SELECT * FROM findings WHERE state = 'open' ORDER BY changed, id")
      .map(findingOf);
  }

  recordFindings(opened: readonly Finding[], closed: readonly Finding[], at: string): void {
    if (opened.length === 0 && closed.length === 0) return;
    this.#db.transaction(() => {
      for (const finding of opened) {
        const before = saveFinding(this.#db, finding, 'open');
        if (before !== 'open') this.#event(finding.id, at, before === null ? 'opened' : 'opened again');
      }
      for (const finding of closed)
        if (saveFinding(this.#db, finding, 'closed') !== 'closed') this.#event(finding.id, at, 'closed');
      this.#db.run(
        `DELETE FROM findings WHERE id IN
           (SELECT id FROM findings WHERE state = 'closed' ORDER BY changed DESC LIMIT -1 OFFSET ?)`,
        keptClosedFindings,
      );
    });
  }

  recordEvent(finding: string, at: string, event: string): void {
    this.#db.transaction(() => {
      const known = this.#db.all<{ id: string }>('SELECT id FROM findings WHERE id = ?', finding);
      if (known.length > 0) this.#event(finding, at, event);
    });
  }

  finding(id: string): { finding: Finding; history: readonly FindingEvent[] } | undefined {
    const row = this.#db.all<FindingRow>('SELECT * FROM findings WHERE id = ?', id)[0];
    if (row === undefined) return undefined;
    const history = this.#db.all<FindingEvent>(
      'SELECT at, event FROM finding_events WHERE finding = ? ORDER BY number',
      id,
    );
    return { finding: findingOf(row), history };
  }

  events(limit: number): readonly (FindingEvent & { finding: string; summary: string })[] {
    return this.#db.all(
      `SELECT at, event, finding, summary FROM finding_events JOIN findings ON id = finding
       ORDER BY number DESC LIMIT ?`,
      limit,
    );
  }

  recordGateRun({ at, mode, state, scarCount, god, steps }: GateRun): void {
    this.#db.transaction(() => {
      this.#db.run(
        'INSERT INTO gate_runs (at, mode, state, scar_count, god, steps) VALUES (?, ?, ?, ?, ?, ?)',
        at,
        mode,
        state,
        scarCount,
        god,
        JSON.stringify(steps),
      );
      this.#db.run(
        'DELETE FROM gate_runs WHERE number <= (SELECT max(number) FROM gate_runs) - ?',
        keptGateRuns,
      );
    });
    this.#kept = this.#read(this.#kept.version);
  }

  lastGateRun(): GateRun | null {
    return this.#fresh().run;
  }

  standing(): Standing {
    const { generations, run } = this.#fresh();
    return { baseline: baselineOf(generations), god: godOf(generations), lastRun: run };
  }

  gateRuns(limit: number): readonly GateRun[] {
    return this.#db
      .all<GateRow>('SELECT * FROM gate_runs ORDER BY number DESC LIMIT ?', limit)
      .map(({ at, mode, state, scar_count, god, steps }) => ({
        at,
        mode,
        state,
        scarCount: scar_count,
        god,
        steps: JSON.parse(steps) as GateStep[],
      }));
  }

  sizeBytes(): number {
    return ['', '-wal']
      .map((part) => statSync(join(this.#folder, databaseName + part), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#db.close();
  }

  /** Changes when another connection wrote (https://sqlite.org/pragma.html#pragma_data_version). */
  #version(): number {
    return this.#db.number('PRAGMA data_version');
  }

  #fresh(): Kept {
    const version = this.#version();
    if (version !== this.#kept.version) this.#kept = this.#read(version);
    return this.#kept;
  }

  #read(version: number): Kept {
    const generations = this.#db
      .all<GenerationRow>('SELECT * FROM generations ORDER BY number')
      .map(({ number, authoritative, privilege, learned_at }) => ({
        number,
        authoritative: authoritative === 1,
        privilege,
        learnedAt: learned_at,
      }));
    return { version, generations, run: this.gateRuns(1)[0] ?? null };
  }

  #event(id: string, at: string, event: string): void {
    this.#db.run('INSERT INTO finding_events (finding, at, event) VALUES (?, ?, ?)', id, at, event);
    this.#db.run(
      `DELETE FROM finding_events WHERE finding = ?1 AND number NOT IN
         (SELECT number FROM finding_events WHERE finding = ?1 ORDER BY number DESC LIMIT ?2)`,
      id,
      keptEventsPerFinding,
    );
  }
}
