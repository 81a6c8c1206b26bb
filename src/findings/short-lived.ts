/**
 * Short-lived programs: a low note about a process counts once the process is some seconds old. An unlearned program that ends
 * before is not a finding; it is counted here. One that keeps coming back is a finding when its processes have run for a minute
 * in all, less a sixtieth of the time between them.
 */
import { type Fail, SETTLED_SEC } from '../checks/check.ts';
import { ageSec } from '../checks/subjects.ts';
import { unlearnedProcess } from '../checks/unlearned-process.ts';
import { ZOMBIE_STATES } from '../engine/process-states.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Findings } from './cook.ts';
import { keysOf } from './finding-id.ts';

/** Unlearned programs that ended before they were old enough to be reported. */
export interface ShortLived {
  /** Since the start of this process. */
  readonly total: number;
  readonly lastHour: number;
  /** Those of the last hour that ran most often, by identity. */
  readonly programs: readonly { readonly program: string; readonly count: number }[];
}

const MINUTE_MS = 60_000;
const MINUTES = 60;
/** Programs counted one by one in a minute, and shown of the hour. */
const MOST_PROGRAMS = 64;
const MOST_SHOWN = 8;

/** Every other one of a minute. */
const OTHERS = 'others';

interface Waiting {
  readonly pid: number;
  readonly start: string;
  readonly program: string;
}

interface Minute {
  readonly at: number;
  count: number;
  readonly programs: Map<string, number>;
}

export class Settling {
  /** Unlearned programs that wait, by member key. */
  #waiting: ReadonlyMap<string, Waiting> = new Map();
  #minutes: Minute[] = [];
  #total = 0;
  /** Milliseconds until the first of those that wait is old enough; null when none wait. */
  dueMs: number | null = null;
  /** By finding key; the finding of a program that has run long stays open between its processes. */
  readonly ran = new RunningTime();

  /**
   * Member keys of the fails that wait: low ones of checks that settle, about a young process, without an open finding, of a
   * program that does not keep coming back. Takes every sample, to count what has ended since the one before.
   */
  among(fails: readonly Fail[], open: Findings, snapshot: Snapshot): ReadonlySet<string> {
    const waiting = new Set<string>();
    const unlearned = new Map<string, Waiting>();
    const young = new Set<string>();
    const nowMs = snapshot.at.monotonicMs;
    let dueSec = Number.POSITIVE_INFINITY;
    for (const fail of fails) {
      const { check, subject, severity } = fail;
      if (check.settles !== true || severity !== 'low' || subject.kind !== 'process') continue;
      const { finding, member } = keysOf(fail);
      const left = SETTLED_SEC - (ageSec(snapshot, Number(subject.start)) ?? SETTLED_SEC);
      if (left <= 0) continue;
      young.add(finding);
      if (open.has(finding) || this.ran.isLong(finding, nowMs)) continue;
      waiting.add(member);
      dueSec = Math.min(dueSec, left);
      if (check.id === unlearnedProcess.id)
        unlearned.set(member, { pid: subject.pid, start: subject.start, program: subject.identity });
    }
    for (const [member, one] of this.#waiting)
      if (!unlearned.has(member) && hasEnded(one, snapshot)) this.#count(one.program, nowMs);
    this.#waiting = unlearned;
    this.ran.take(young, nowMs);
    this.dueMs = Number.isFinite(dueSec) ? Math.ceil(dueSec * 1000) : null;
    return waiting;
  }

  /** What was counted in the hour before this monotonic time. */
  counted(nowMs: number): ShortLived {
    this.#dropOldMinutes(nowMs);
    const programs = new Map<string, number>();
    let count = 0;
    for (const minute of this.#minutes) {
      count += minute.count;
      for (const [program, times] of minute.programs)
        programs.set(program, (programs.get(program) ?? 0) + times);
    }
    const named = [...programs].filter(([program]) => program !== OTHERS).sort(([, a], [, b]) => b - a);
    return {
      total: this.#total,
      lastHour: count,
      programs: named.slice(0, MOST_SHOWN).map(([program, times]) => ({ program, count: times })),
    };
  }

  #count(program: string, nowMs: number): void {
    this.#dropOldMinutes(nowMs);
    const at = Math.floor(nowMs / MINUTE_MS);
    let minute = this.#minutes.at(-1);
    if (minute?.at !== at) {
      minute = { at, count: 0, programs: new Map() };
      this.#minutes.push(minute);
    }
    const { programs } = minute;
    const name = programs.has(program) || programs.size < MOST_PROGRAMS ? program : OTHERS;
    programs.set(name, (programs.get(name) ?? 0) + 1);
    minute.count++;
    this.#total++;
  }

  #dropOldMinutes(nowMs: number): void {
    const oldest = Math.floor(nowMs / MINUTE_MS) - MINUTES;
    while ((this.#minutes[0]?.at ?? Number.POSITIVE_INFINITY) <= oldest) this.#minutes.shift();
  }
}

/** Its process is gone or dead, not merely learned or running another program. */
function hasEnded({ pid, start }: Waiting, { processes }: Snapshot): boolean {
  const row = processes.rowOf(pid);
  if (row < 0 || String(processes.columns.start[row]) !== start) return true;
  const state = processes.columns.state[row] ?? 0;
  return state === 0 || ZOMBIE_STATES.includes(state);
}

/** A program that has run for this long counts as long-running. */
const LONG_MS = 60_000;
/** Five minutes without a process shrink that to this: it is not expected back. */
const SHORT_MS = 55_000;
/** A second in each minute does not count. */
const SHRINKS = 1 / 60;
/** Between two samples a process has run no longer than it may be young. */
const MOST_BETWEEN_MS = SETTLED_SEC * 1000;
/** Accounts that are kept: those that ran longest. */
const MOST = 1024;

interface Account {
  ranMs: number;
  atMs: number;
  long: boolean;
}

/**
 * How long the young processes of a program have run, all together: an account that grows while a sample shows one of them, and
 * that shrinks by a sixtieth of the time. A program that is restarted again and again to stay young still reaches the limit.
 */
export class RunningTime {
  #accounts = new Map<string, Account>();
  /** What the last sample showed, and when. */
  #running: Iterable<string> = [];
  #sampleMs = 0;

  /** Takes a sample: keys of which young processes run, at this monotonic time. */
  take(running: Iterable<string>, nowMs: number): void {
    const ms = Math.min(nowMs - this.#sampleMs, MOST_BETWEEN_MS);
    for (const key of this.#running) this.#add(key, ms, nowMs);
    this.#running = running;
    this.#sampleMs = nowMs;
    if (this.#accounts.size > 2 * MOST) this.#keepLongest(nowMs);
  }

  /** Whether it has run long, and ran within the last five minutes. */
  isLong(key: string, nowMs: number): boolean {
    const account = this.#accounts.get(key);
    return account?.long === true && ranBy(account, nowMs) > SHORT_MS;
  }

  /** The generation changed. */
  forget(): void {
    this.#accounts.clear();
    this.#running = [];
  }

  #add(key: string, ms: number, nowMs: number): void {
    const before = this.#accounts.get(key);
    const ranMs = Math.min(LONG_MS, (before === undefined ? 0 : ranBy(before, nowMs)) + ms);
    const long = ranMs >= LONG_MS || this.isLong(key, nowMs);
    this.#accounts.set(key, { ranMs, atMs: nowMs, long });
  }

  #keepLongest(nowMs: number): void {
    const sorted = [...this.#accounts].sort(([, a], [, b]) => ranBy(b, nowMs) - ranBy(a, nowMs));
    this.#accounts = new Map(sorted.slice(0, MOST).filter(([, account]) => ranBy(account, nowMs) > 0));
  }
}

const ranBy = ({ ranMs, atMs }: Account, nowMs: number): number =>
  Math.max(0, ranMs - (nowMs - atMs) * SHRINKS);
