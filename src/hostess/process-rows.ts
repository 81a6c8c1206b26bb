/** The process table as rows that grounds name. A row is made when it is asked for: the table stays in its columns. */
import { FRIED_STATES, isKernelThread, processSubject } from '../checks/subjects.ts';
import { COMM_BYTES } from '../engine/process-table.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { FACT, WRAP, WRAP_STATE } from '../native/types.ts';
import { offsetTime } from '../records/time.ts';
import { matches, type Relation, type Rows } from './paths.ts';

export const WRAP_WORDS = ['free', 'wrapped', 'blind', 'not applicable'] as const;

/** What each bit of the wrap column means. */
const WRAPPED_BY: Readonly<Record<keyof typeof WRAP, string>> = {
  seccomp: 'a seccomp filter',
  nsUser: 'a user namespace of its own',
  nsPid: 'a pid namespace of its own',
  nsMnt: 'a mount namespace of its own',
  nsNet: 'a network namespace of its own',
  label: 'an enforcing security label',
  bounded: 'no_new_privs with a reduced bounding set',
};

export interface ProcessFacts {
  readonly pid: number;
  readonly ppid: number;
  readonly kind: 'process' | 'kernel thread' | 'zombie' | 'dead';
  readonly comm: string;
  /** "" when it could not be read. */
  readonly executable: string;
  readonly identity: string;
  /** Null when it could not be read. */
  readonly uid: number | null;
  readonly threads: number;
  /** Pid of the tracer, 0 = none. */
  readonly tracer: number;
  readonly wrap: (typeof WRAP_WORDS)[number];
  readonly wrapped_by: readonly string[];
  readonly container: boolean;
  readonly terminal: boolean;
  /** In the process tree of the desk. */
  readonly own: boolean;
  /** RFC 3339; null while the boot clock is unread. */
  readonly started: string | null;
  /** Ids of open findings about it. */
  readonly findings: readonly string[];
}

export type FindingsOf = (pid: number) => readonly string[];

const ZOMBIE = 'Z'.charCodeAt(0);
const encoder = new TextEncoder();

export class ProcessRows implements Rows {
  readonly #snapshot: Snapshot;
  readonly #findings: FindingsOf;
  /** Rows of processes that are there. */
  readonly #live: readonly number[];
  readonly #chosen = new Map<string, Chosen>();

  constructor(snapshot: Snapshot, findings: FindingsOf) {
    this.#snapshot = snapshot;
    this.#findings = findings;
    const { count, columns } = snapshot.processes;
    const live: number[] = [];
    for (let row = 0; row < count; row++) if (columns.state[row] !== 0) live.push(row);
    this.#live = live;
  }

  get length(): number {
    return this.#live.length;
  }

  at(index: number): ProcessFacts | undefined {
    const row = this.#live[index];
    return row === undefined ? undefined : this.facts(row);
  }

  where(key: string, relation: Relation, value: string): Chosen {
    const name = `${key}${relation}${value}`;
    let chosen = this.#chosen.get(name);
    if (chosen === undefined) {
      chosen = new Chosen(this, this.#rows(key, relation, value));
      this.#chosen.set(name, chosen);
    }
    return chosen;
  }

  #rows(key: string, relation: Relation, value: string): readonly number[] {
    const { processes } = this.#snapshot;
    if (relation === '=' && key === 'pid') {
      if (!/^\d{1,10}$/.test(value)) return [];
      const row = processes.rowOf(Number(value));
      return row >= 0 && processes.columns.state[row] !== 0 ? [row] : [];
    }
    if (relation === '=' && key === 'wrap') {
      const wanted = WRAP_WORDS.indexOf(value as (typeof WRAP_WORDS)[number]);
      return this.#live.filter((row) => processes.columns.wrapState[row] === wanted);
    }
    if (relation === '=' && key === 'uid' && /^\d{1,10}$/.test(value)) {
      const { seen, uid } = processes.columns;
      return this.#live.filter((row) => ((seen[row] ?? 0) & FACT.status) !== 0 && uid[row] === Number(value));
    }
    if (relation === '=' && key === 'kind') return this.#live.filter((row) => this.kindOf(row) === value);
    if (relation === '=' && (key === 'comm' || key === 'executable') && !value.includes('\ufffd')) {
      const wanted = encoder.encode(value);
      const bytesOf = (row: number) => (key === 'comm' ? processes.comm(row) : processes.exe(row));
      return this.#live.filter((row) => sameBytes(bytesOf(row), wanted));
    }
    return this.#live.filter((row) => matches(this.facts(row)[key as keyof ProcessFacts], relation, value));
  }

  kindOf(row: number): ProcessFacts['kind'] {
    const { processes } = this.#snapshot;
    const state = processes.columns.state[row] ?? 0;
    if (FRIED_STATES.includes(state)) return state === ZOMBIE ? 'zombie' : 'dead';
    return isKernelThread(processes, row) ? 'kernel thread' : 'process';
  }

  facts(row: number): ProcessFacts {
    const { processes, engine, machine, at } = this.#snapshot;
    const { columns } = processes;
    const subject = processSubject(processes, row);
    const wrap = columns.wrapState[row] ?? WRAP_STATE.notApplicable;
    const bits = columns.wrap[row] ?? 0;
    const { uptimeSec, clockTicksPerSecond } = machine;
    const startMs =
      uptimeSec === null
        ? null
        : Math.round(at.epochMs - (uptimeSec - Number(subject.start) / clockTicksPerSecond) * 1000);
    return {
      pid: subject.pid,
      ppid: columns.ppid[row] ?? 0,
      kind: this.kindOf(row),
      comm: subject.comm,
      executable: subject.executable,
      identity: subject.identity,
      uid: ((columns.seen[row] ?? 0) & FACT.status) === 0 ? null : (columns.uid[row] ?? null),
      threads: columns.threads[row] ?? 0,
      tracer: columns.tracer[row] ?? 0,
      wrap: WRAP_WORDS[wrap] ?? 'not applicable',
      wrapped_by:
        wrap === WRAP_STATE.wrapped
          ? Object.entries(WRAP)
              .filter(([, bit]) => (bits & bit) !== 0)
              .map(([name]) => WRAPPED_BY[name as keyof typeof WRAP])
          : [],
      container: columns.container[row] === 1,
      terminal: columns.tty[row] !== 0,
      own: engine.deskPids.includes(subject.pid),
      started: startMs === null ? null : offsetTime({ epochMs: startMs, offsetMin: at.offsetMin }),
      findings: this.#findings(subject.pid),
    };
  }

  /**
   * How processes are called that go by one of these names: `comm=NAME` or `executable=PATH`, each once. A name is a command name, or
   * the last part of an executable's path; one that begins with / is the whole path.
   */
  named(names: readonly string[]): readonly (readonly ['comm' | 'executable', string])[] {
    const { processes } = this.#snapshot;
    const { comm } = processes.columns;
    const wanted = names.map((name) => ({ name, bytes: encoder.encode(name) }));
    const found = new Map<string, readonly ['comm' | 'executable', string]>();
    const put = (key: 'comm' | 'executable', name: string) => found.set(`${key} ${name}`, [key, name]);
    for (const { name, bytes } of wanted) {
      if (bytes.length === 0) continue;
      const path = name.startsWith('/');
      for (const row of this.#live) {
        if (path) {
          if (sameBytes(processes.exe(row), bytes)) {
            put('executable', name);
            break;
          }
          continue;
        }
        // The kernel keeps 15 bytes of a command name.
        const at = row * COMM_BYTES;
        if (comm[at] === bytes[0] && sameBytes(processes.comm(row), bytes.subarray(0, COMM_BYTES - 1))) {
          put('comm', bytes.length < COMM_BYTES ? name : name.slice(0, COMM_BYTES - 1));
          break;
        }
      }
      if (path || [...found.values()].some(([, known]) => known === name)) continue;
      for (const row of this.#live) {
        const exe = processes.exe(row);
        const from = exe.length - bytes.length;
        if (from > 0 && exe[from - 1] === SLASH && sameBytes(exe.subarray(from), bytes)) {
          put('executable', processSubject(processes, row).executable);
          break;
        }
      }
    }
    return [...found.values()];
  }
}

const SLASH = '/'.charCodeAt(0);

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** Some rows of the table. */
class Chosen implements Rows {
  readonly #table: ProcessRows;
  readonly rows: readonly number[];

  constructor(table: ProcessRows, rows: readonly number[]) {
    this.#table = table;
    this.rows = rows;
  }

  get length(): number {
    return this.rows.length;
  }

  at(index: number): ProcessFacts | undefined {
    const row = this.rows[index];
    return row === undefined ? undefined : this.#table.facts(row);
  }

  where(key: string, relation: Relation, value: string): Chosen {
    const among = new Set(this.#table.where(key, relation, value).rows);
    return new Chosen(
      this.#table,
      this.rows.filter((row) => among.has(row)),
    );
  }
}
