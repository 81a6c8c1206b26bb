/** What outlives the process: the baseline's generations, findings with their history, gate runs, looks at the site, samples. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../findings/finding.ts';
import type { Dropped } from '../records/moment.ts';
import type { PastRun } from '../records/scar-runs.ts';
import type { BaselineRow, Generation, HeldRow, Integrity, NewGeneration } from './baseline.ts';
import { type Database, IN_MEMORY, openDatabase } from './database.ts';
import { migrate } from './database-file.ts';
import { FILE_GONE } from './disk-code.ts';
import { DroppedCounts, type DroppedFinding } from './dropped.ts';
import { FindingHistory } from './finding-history.ts';
import { forgetCommandLines, saveAbout } from './finding-rows.ts';
import { endFirstUse, firstUseStands } from './first-use.ts';
import { gateRuns, saveGateRun } from './gate-runs.ts';
import { Generations } from './generations.ts';
import { migrations } from './migrations.ts';
import { databaseName, forgetLoss, type OpenOptions, openFolder, type Recovered } from './open.ts';
import { ServiceClock } from './service-clock.ts';
import { Shutdowns } from './shutdowns.ts';
import { SiteLines } from './site-lines.ts';
import type { RunRecord, Standing, Store } from './store-types.ts';
import { StoredSamples } from './stored-samples.ts';
import { Windows } from './windows.ts';

export type { Generation } from './baseline.ts';
export type { Recovered } from './open.ts';

export type { FindingAbout, FindingChanges, FindingLine, RunRecord, Standing, Store } from './store-types.ts';

/**
 * A store in memory, for a service whose folder cannot be written: unlearned, and nothing that is to last is taken. `reason` says
 * why, one sentence without a full stop. `wrote` is called after every write.
 */
export function openMemoryStore(folder: string, reason: string, wrote: () => void): Store {
  const database = openDatabase(':memory:', IN_MEMORY);
  migrate(database, ':memory:', migrations);
  const recovered = { at: new Date().toISOString(), reason: `${reason}.`, setAside: '' };
  return new SqliteStore(database, folder, recovered, undefined, { reason, wrote });
}

export function openStore(folder: string, options: OpenOptions = { recover: true }): Store {
  const { database, recovered } = openFolder(folder, options);
  return new SqliteStore(database, folder, recovered, options.clockMs);
}

interface Kept {
  /** Changes when another connection wrote (https://sqlite.org/pragma.html#pragma_data_version). */
  readonly version: number;
  readonly generations: readonly Generation[];
  readonly standing: Standing;
}

class SqliteStore implements Store {
  readonly site: SiteLines;
  readonly samples: StoredSamples;
  readonly temporary: string;
  readonly #wrote: () => void;
  readonly #db: Database;
  readonly #folder: string;
  readonly #generations: Generations;
  readonly #windows: Windows;
  readonly #dropped: DroppedCounts;
  readonly #findings: FindingHistory;
  readonly #shutdowns: Shutdowns;
  /** Device and inode of the file that was opened. */
  readonly #file: string;
  #recovered: Recovered | null;
  #revision = 0;
  /** What every recheck asks for, kept until some connection writes. */
  #kept: Kept;
  #closed = false;

  constructor(
    database: Database,
    folder: string,
    recovered: Recovered | null,
    clockMs = () => performance.now(),
    memory: { readonly reason: string; readonly wrote: () => void } | null = null,
  ) {
    this.temporary = memory?.reason ?? '';
    this.#wrote = memory?.wrote ?? (() => undefined);
    this.#db = database;
    this.#folder = folder;
    this.#file = this.#fileNow();
    this.#generations = new Generations(database, folder);
    this.#windows = new Windows(database);
    this.site = new SiteLines(database);
    const clock = new ServiceClock(database, clockMs);
    this.samples = new StoredSamples(database, clock);
    this.#dropped = new DroppedCounts(database);
    this.#findings = new FindingHistory(database, this.#dropped, clock);
    this.#shutdowns = new Shutdowns(database);
    this.#recovered = recovered;
    this.#kept = this.#read(this.#version());
    // Killed after a learning was committed and before the mark was taken away.
    if (this.#kept.generations.length > 1 && firstUseStands(folder)) endFirstUse(folder);
  }

  get recovered(): Recovered | null {
    return this.#recovered;
  }

  baseline(): Standing['baseline'] {
    return this.standing().baseline;
  }

  generations(): readonly Generation[] {
    return this.#fresh().generations;
  }

  rows(generation: number): readonly HeldRow[] {
    return this.#generations.rows(generation);
  }

  verify(generation: number): Integrity {
    return this.#generations.verify(generation);
  }

  verifyHeld(): Integrity {
    return this.#generations.verifyHeld();
  }

  authoritativeGenerations(): number {
    return this.standing().god;
  }

  openFindings(): readonly Finding[] {
    return this.#findings.open();
  }

  recordHistory(steps: Parameters<Store['recordHistory']>[0]): void {
    if (steps.length === 0) return;
    this.#write(() => {
      for (const step of steps)
        if ('about' in step) saveAbout(this.#db, step);
        else if ('finding' in step) this.#findings.note(step);
        else this.#findings.save(step);
    });
  }

  forgetCommandLines(): void {
    // What is overwritten must not stay readable in the file.
    this.#db.script('PRAGMA secure_delete = ON');
    let some = false;
    this.#write(() => {
      some = forgetCommandLines(this.#db);
    });
    if (some) this.#db.checkpoint();
  }

  shutdowns(limit: number): ReturnType<Store['shutdowns']> {
    return this.#shutdowns.list(limit);
  }

  recordShutdown(shutdown: Parameters<Store['recordShutdown']>[0]): void {
    this.#write(() => this.#shutdowns.record(shutdown));
  }

  finding(id: string): ReturnType<Store['finding']> {
    return this.#findings.one(id);
  }

  events(limit: number): ReturnType<Store['events']> {
    return this.#findings.events(limit);
  }

  findingsSince(epochSec: number, limit: number): ReturnType<Store['findingsSince']> {
    return this.#findings.since(epochSec, limit);
  }

  linesAfter(number: number, limit: number): ReturnType<Store['linesAfter']> {
    return this.#findings.linesAfter(number, limit);
  }

  recordRun({ run, changes, residue, seen, generation, closesWindow }: RunRecord): number | null {
    const held = this.baseline().generation;
    return this.#change(() => {
      for (const change of changes) this.#findings.save(change);
      const gone = saveGateRun(this.#db, run, residue);
      this.#dropped.addGateRuns(gone.runs, run.at);
      this.#dropped.addResidue(gone.residue, run.at);
      this.#generations.markSeen(held, seen);
      const number = generation === null ? null : this.#learn(generation);
      if (number !== null && residue.some((row) => this.#has(number, row)))
        throw new Error('residue of this run was to be learned');
      if (closesWindow !== null) this.#windows.close(run.at, closesWindow);
      return number;
    });
  }

  addGeneration(generation: NewGeneration): number {
    return this.#change(() => this.#learn(generation));
  }

  markReviewed(): void {
    this.#mustLast();
    const { generation } = this.baseline();
    this.#change(() => this.#generations.markReviewed(generation));
  }

  openWindow(openedMs: number, untilMs: number): void {
    this.#mustLast();
    this.#change(() => this.#windows.open(openedMs, untilMs));
  }

  windowRows(): readonly BaselineRow[] {
    return this.#windows.rows();
  }

  keepWindowRows(rows: readonly BaselineRow[]): void {
    this.#db.transaction(() => this.#windows.keep(rows));
  }

  spoilWindowRows(rows: readonly Pick<BaselineRow, 'kind' | 'key'>[]): void {
    this.#db.transaction(() => this.#windows.spoil(rows));
  }

  lastGateRun(): PastRun | null {
    return this.standing().lastRun;
  }

  standing(): Standing {
    return this.#fresh().standing;
  }

  gateRuns(limit: number): readonly PastRun[] {
    return gateRuns(this.#db, limit);
  }

  probe(): void {
    this.#write(() => undefined);
  }

  dropped(): Dropped {
    return this.#dropped.total;
  }

  recordUnwritten(
    findings: readonly (DroppedFinding & { readonly count: number })[],
    lines: number,
    at: string,
  ): void {
    this.#write(() => {
      this.#dropped.addLines(lines, at);
      for (const one of findings) this.#dropped.addFindings(one, one.count, 'unwritten', at);
    });
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

  /** A transaction after which what every recheck asks for is read again. */
  #change<T>(work: () => T): T {
    const before = this.#kept.standing;
    const result = this.#write(work);
    this.#kept = this.#read(this.#kept.version);
    if (this.#kept.standing.baseline.generation !== before.baseline.generation) this.#settle();
    return result;
  }

  #write<T>(work: () => T): T {
    this.#mustStand();
    let result: T;
    try {
      result = this.#db.transaction(work);
    } catch (error) {
      this.#dropped.forget();
      throw error;
    }
    this.#wrote();
    return result;
  }

  #fileNow(): string {
    const info = statSync(join(this.#folder, databaseName), { throwIfNoEntry: false });
    return info === undefined ? '' : `${info.dev} ${info.ino}`;
  }

  /** SQLite goes on with a file that was removed: what it takes then is lost with it. */
  #mustStand(): void {
    if (this.temporary === '' && this.#fileNow() !== this.#file)
      throw Object.assign(
        new Error('its file was removed or exchanged while it was open: start the desk again'),
        { code: FILE_GONE },
      );
  }

  /** Another generation is held: the first use is over, and what was learned mends a loss. */
  #settle(): void {
    this.#revision++;
    if (firstUseStands(this.#folder)) endFirstUse(this.#folder);
    if (this.#kept.generations.at(-1)?.how !== 'restored') this.#recovered = null;
    this.#kept = this.#read(this.#kept.version);
  }

  #version(): number {
    return this.#db.number('PRAGMA data_version');
  }

  #fresh(): Kept {
    const version = this.#version();
    if (version !== this.#kept.version) {
      this.#revision++;
      this.#dropped.forget();
      this.#kept = this.#read(version);
    }
    return this.#kept;
  }

  #read(version: number): Kept {
    const generations = this.#generations.list();
    // Without an authoritative one GOD is 0: the gate fails, and the baseline does not verify.
    const held = generations.find(({ authoritative }) => authoritative) ?? generations.at(-1);
    if (held === undefined) throw new Error('the store has no generation at all');
    const counts = this.#generations.counts(held.number);
    return {
      version,
      generations,
      standing: {
        baseline: { generation: held.number, learnedAt: held.learnedAt, ...counts },
        privilege: held.privilege,
        revision: this.#revision,
        firstUse: this.#recovered === null && generations.length === 1 && firstUseStands(this.#folder),
        window: this.#windows.current(),
        god: generations.filter(({ authoritative }) => authoritative).length,
        lastRun: this.gateRuns(1)[0] ?? null,
      },
    };
  }

  /** Nothing is acknowledged that would be lost with the process. */
  #mustLast(): void {
    if (this.temporary !== '') throw new Error(this.temporary);
  }

  #learn(generation: NewGeneration): number {
    this.#mustLast();
    const number = this.#generations.add(generation);
    this.#generations.carryReviewed(generation.parent, number);
    if (generation.how !== 'restored') forgetLoss(this.#db);
    return number;
  }

  #has(generation: number, { kind, key }: Pick<BaselineRow, 'kind' | 'key'>): boolean {
    const sql = 'SELECT 1 FROM generation_rows WHERE generation = ? AND kind = ? AND key = ?';
    return this.#db.first(sql, generation, kind, key) !== undefined;
  }
}
