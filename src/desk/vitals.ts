/** The state of the machine, as the service and operations ask for it. */
import type { VitalFacts } from '../checks/vitals.ts';
import type { LastLogin } from '../engine/native/vitals-types.ts';
import type { VitalsFacts } from '../records/vitals.ts';
import { token } from './token.ts';

export type Order = 'cpu' | 'memory' | 'io';

/** How long the use of processes is measured, where nothing else is asked for. */
export const SLOW_MS = 500;

export interface ProcessUse {
  readonly state: string;
  /** Of one processor; of several threads it may be more than 100. */
  readonly cpuPercent: number;
  readonly residentBytes: number;
  /** To and from disks; null where it could not be read. */
  readonly readPerSec: number | null;
  readonly writtenPerSec: number | null;
}

export interface SlowProcess extends ProcessUse {
  readonly pid: number;
  /** Clock ticks after boot. */
  readonly start: string;
  readonly name: string;
  /** "" where it could not be read. */
  readonly executable: string;
  /** Null where the process has ended meanwhile. */
  readonly uid: number | null;
}

export interface SlowReading {
  readonly intervalMs: number;
  readonly processes: readonly SlowProcess[];
  /** Those that were compared. */
  readonly all: number;
  /** Those that began or ended in between: they are not compared. */
  readonly passing: number;
  /** Those whose disk use could not be read. */
  readonly ioUnread: number;
}

export interface Vitals {
  /** Read now, or some seconds ago. */
  read(): Promise<VitalsFacts>;
  /** The last two readings, the earlier one first. */
  both(): Promise<readonly [VitalFacts, VitalFacts]>;
  /** Last logins, the latest first; a text says why they are not known. */
  logins(): Promise<readonly LastLogin[] | string>;
  /** What processes use, measured over an interval from now on; sorted, at most `limit`. */
  slow(by: Order, intervalMs: number, limit: number): Promise<SlowReading>;
  /** The same of one process, by its start in clock ticks after boot; null where it has ended. */
  used(pid: number, start: string, intervalMs: number): Promise<ProcessUse | null>;
}

export const VITALS = token<Vitals>('vitals');
