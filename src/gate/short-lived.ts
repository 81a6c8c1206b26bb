/**
 * Short-lived programs: a low note about a process counts once the process is some seconds old. An unlearned program that ends
 * before is no finding; it is counted here. One that keeps coming back is a finding when its processes have run for a minute in
 * all, a sixtieth of the time between them taken off.
 */
import { type Fail, SETTLED_SEC } from '../checks/check.ts';
import { keysOf } from '../checks/finding-id.ts';
import { ageSec, FRIED_STATES } from '../checks/subjects.ts';
import { unlearnedProcess } from '../checks/unlearned-process.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { ShortLived } from '../records/moment.ts';
import type { Findings } from './cook.ts';
import { RunningTime } from './running-time.ts';

const MINUTE_MS = 60_000;
const MINUTES = 60;
/** Programs told apart in a minute, and told of the hour. */
const MOST_PROGRAMS = 64;
const MOST_TOLD = 8;

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
  #dueMs: number | null = null;
  readonly #ran = new RunningTime();

  /** Milliseconds until the first of those that wait is old enough; null when none waits. */
  get dueMs(): number | null {
    return this.#dueMs;
  }

  /**
   * Member keys of the fails that wait: low ones of checks that settle, about a process that is young, of no open finding and of no
   * program that keeps coming back. Takes every sample, so that who has ended since the one before is counted.
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
      if (open.has(finding) || this.#ran.isLong(finding, nowMs)) continue;
      waiting.add(member);
      dueSec = Math.min(dueSec, left);
      if (check.id === unlearnedProcess.id)
        unlearned.set(member, { pid: subject.pid, start: subject.start, program: subject.identity });
    }
    for (const [member, one] of this.#waiting)
      if (!unlearned.has(member) && hasEnded(one, snapshot)) this.#count(one.program, nowMs);
    this.#waiting = unlearned;
    this.#ran.take(young, nowMs);
    this.#dueMs = Number.isFinite(dueSec) ? Math.ceil(dueSec * 1000) : null;
    return waiting;
  }

  /** Whether the program of this finding keeps coming back: its finding stays open between its processes. */
  keepsComing(finding: string, nowMs: number): boolean {
    return this.#ran.isLong(finding, nowMs);
  }

  /** Something else is known now. */
  forget(): void {
    this.#ran.forget();
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
      programs: named.slice(0, MOST_TOLD).map(([program, times]) => ({ program, count: times })),
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

/** Its process is gone or dead, not merely known or another program by now. */
function hasEnded({ pid, start }: Waiting, { processes }: Snapshot): boolean {
  const row = processes.rowOf(pid);
  if (row < 0 || String(processes.columns.start[row]) !== start) return true;
  const state = processes.columns.state[row] ?? 0;
  return state === 0 || FRIED_STATES.includes(state);
}
