/**
 * The processes of findings: user, parent, start, working directory and command line, read once for each by a helper that can be
 * killed. Only subjects of findings are read, at a limited rate, and no recheck waits for it.
 */
import type { Logger } from 'pino';
import { atMost } from '../../base/promises.ts';
import { ancestorsOf, unitOf } from '../../checks/origin.ts';
import { ageSec, listenerOf, processSubject } from '../../checks/subjects.ts';
import type { Config } from '../../config/schema.ts';
import type { ProgramAsked } from '../../desk/inspection.ts';
import { instantAt } from '../../engine/assemble.ts';
import { textOf } from '../../engine/bytes.ts';
import { isRefusal } from '../../engine/native/types.ts';
import type { Snapshot } from '../../engine/snapshot.ts';
import { offsetTime } from '../../engine/time.ts';
import type { Finding, ProcessAbout } from '../../findings/finding.ts';
import { userName } from '../../privileges/uids.ts';
import { commandText, programText } from './command-line.ts';
import { DelayQueue } from './delay-queue.ts';
import type { Helper } from './helper.ts';

export const MOST_A_SECOND = 20;
/** Findings that show a process; the least severe beyond it do not. */
export const MOST_DESCRIBED = 500;
/** Pause before a failed read (a busy machine, a helper that was ended) is repeated, and reads in all. */
const AGAIN_MS = 1_000;
const MOST_TRIES = 3;
/** Callers of `programs` that wait. */
const MOST_WAITING = 4;
/** The helper ends after this time without work. */
const IDLE_MS = 10_000;

type DescribeHelper = Pick<Helper, 'describe' | 'close'>;

interface Target {
  readonly pid: number;
  /** Clock ticks after boot, as text. */
  readonly start: string;
  readonly name: string;
  readonly executable: string;
  readonly uid: number | null;
  /** Milliseconds since the epoch; null when unknown. */
  readonly startedMs: number | null;
}

type Placed = Target & Pick<ProcessAbout, 'ancestors' | 'unit'>;

interface Kept {
  readonly id: string;
  /** The process and what it ran. */
  readonly key: string;
  /** Null for what an earlier run read. */
  readonly target: Placed | null;
  about: ProcessAbout | null;
  tries: number;
}

interface DescriberOptions {
  /** Whose command lines are read: none, those of findings, or also of processes that are asked for one by one. */
  readonly commandLines: Config['privacy']['command_lines'];
  /** Something was read: the next recheck shows it. */
  readonly changed: () => void;
  /** Findings that were open when the service last stopped. */
  readonly open?: readonly Finding[];
  readonly againMs?: number;
  readonly log: Logger;
  readonly helper: () => DescribeHelper;
}

interface Changes {
  readonly findings: readonly Finding[];
  readonly opened: readonly Finding[];
  readonly closed: readonly Finding[];
}

export class Describer {
  readonly #options: DescriberOptions;
  readonly #kept = new Map<string, Kept>();
  /** To be read, the next one first. */
  readonly #wanted = new Set<Kept>();
  readonly #again: DelayQueue<Kept>;
  /** Ids of findings whose process was read since the last `attach`. */
  readonly #fresh = new Set<string>();
  #helper: DescribeHelper | null = null;
  #running: Promise<void> | null = null;
  #secondMs = Number.NEGATIVE_INFINITY;
  #thisSecond = 0;
  #pause: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;
  /** Processes that are asked for one by one. */
  #asking: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(options: DescriberOptions) {
    this.#options = options;
    this.#again = new DelayQueue(options.againMs ?? AGAIN_MS, (kept) => {
      this.#wanted.add(kept);
      this.#run();
    });
    for (const { id, subject, about } of options.open ?? [])
      if (about !== null && subject.kind === 'process')
        this.#kept.set(id, { id, key: keyOf(subject), target: null, about, tries: 0 });
  }

  /**
   * The same findings with their processes as far as known, and reads the others from now on. `described`: earlier findings whose
   * process was read since the last call. To be called while the snapshot's columns are valid.
   */
  attach<C extends Changes>(changes: C, snapshot: Snapshot): C & { readonly described: readonly Finding[] } {
    const { findings, opened, closed } = changes;
    const before = new Set(this.#kept.keys());
    const shown = findings.slice(0, MOST_DESCRIBED);
    for (const finding of shown) {
      before.delete(finding.id);
      this.#want(finding, snapshot);
    }
    const withAbout = (finding: Finding): Finding => {
      const about = this.#kept.get(finding.id)?.about ?? null;
      return about === null ? finding : { ...finding, about };
    };
    const isNew = new Set(opened.map(({ id }) => id));
    const known = findings.map(withAbout);
    const answer = {
      ...changes,
      findings: known,
      opened: opened.map(withAbout),
      closed: closed.map(withAbout),
      described: known.filter(({ id }) => this.#fresh.has(id) && !isNew.has(id)),
    };
    this.#fresh.clear();
    for (const id of before) this.#forget(id);
    this.#run();
    return answer;
  }

  /**
   * Of a process that is asked for, one after the other: its command line is read as far as that is allowed. Callers limit how many wait;
   * one whose `signal` is aborted before its turn is skipped.
   */
  one(snapshot: Snapshot, pid: number, found: boolean, signal: AbortSignal): Promise<ProcessAbout | null> {
    const target = targetOf(snapshot, pid);
    if (target === null) return Promise.resolve(null);
    const wanted = placed(target, snapshot);
    const { commandLines } = this.#options;
    const read = this.#asking.then(() =>
      signal.aborted ? null : this.#once(wanted, commandLines === 'asked' || found),
    );
    this.#asking = read.catch(() => undefined);
    return read;
  }

  /** As `Inspection.programs`: read by one helper, in the same queue. */
  async programs(
    snapshot: Snapshot,
    asked: readonly ProgramAsked[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, string>> {
    const { commandLines, helper: start } = this.#options;
    const programs = new Map<number, string>();
    const wanted = asked
      .filter(({ found }) => commandLines === 'asked' || (found && commandLines === 'findings'))
      .flatMap((one) => {
        const target = targetOf(snapshot, one.pid);
        return target?.start === one.start ? [placed(target, snapshot)] : [];
      });
    if (wanted.length === 0 || this.#waiting >= MOST_WAITING) return programs;
    this.#waiting += 1;
    const read = this.#asking.then(async () => {
      const helper = start();
      try {
        for (const target of wanted) {
          if (signal.aborted || this.#closed) return;
          const about = await this.#read(target, helper);
          if (about === 'gone' || about === null || about.command === null) continue;
          programs.set(about.pid, about.program);
        }
      } finally {
        this.#waiting -= 1;
        await helper.close();
      }
    });
    this.#asking = read.catch(() => undefined);
    await read;
    return programs;
  }

  /** Of a process with a finding, at once: it does not wait behind what is asked for. */
  async now(snapshot: Snapshot, pid: number): Promise<ProcessAbout | null> {
    const target = targetOf(snapshot, pid);
    return target === null ? null : this.#once(placed(target, snapshot), true);
  }

  async #once(target: Placed, commandLine: boolean): Promise<ProcessAbout | null> {
    if (this.#closed) return null;
    const helper = this.#options.helper();
    try {
      const about = await this.#read(target, helper, commandLine);
      return about === 'gone' ? null : about;
    } finally {
      await helper.close();
    }
  }

  /** Resolves when everything was read, at the latest after `withinMs`. */
  async settled(withinMs: number): Promise<void> {
    const untilMs = performance.now() + withinMs;
    while (this.#running !== null && performance.now() < untilMs)
      await atMost(this.#running, untilMs - performance.now());
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wanted.clear();
    this.#again.clear();
    clearTimeout(this.#pause);
    clearTimeout(this.#idle);
    await this.#end();
  }

  #want(finding: Finding, snapshot: Snapshot): void {
    const { id, subject } = finding;
    const pid =
      subject.kind === 'process' ? subject.pid : (listenerOf(subject, snapshot)?.holders[0]?.pid ?? null);
    const kept = this.#kept.get(id);
    if (pid === null) return;
    const target = targetOf(snapshot, pid);
    // A process that is gone is shown as it was.
    if (target === null || (subject.kind === 'process' && target.start !== subject.start)) return;
    const key = keyOf(target);
    if (kept?.key === key) return;
    // It runs another program now: its description is out of date.
    this.#forget(id);
    const fresh = { id, key, target: placed(target, snapshot), about: null, tries: 0 };
    this.#kept.set(id, fresh);
    this.#wanted.add(fresh);
  }

  #forget(id: string): void {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    if (kept === undefined) return;
    this.#wanted.delete(kept);
    this.#again.delete(kept);
  }

  #run(): void {
    if (this.#running !== null || this.#wanted.size === 0 || this.#closed || this.#pause !== undefined)
      return;
    clearTimeout(this.#idle);
    const { log } = this.#options;
    const failed = (err: unknown) => log.error({ err }, 'reading the processes of findings failed');
    this.#running = this.#work()
      .catch(failed)
      .finally(() => {
        this.#running = null;
        if (this.#closed) return;
        if (this.#wanted.size === 0) this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
        else {
          const leftMs = Math.max(1, this.#secondMs + 1_000 - performance.now());
          this.#pause = setTimeout(() => {
            this.#pause = undefined;
            this.#run();
          }, leftMs).unref();
        }
      });
  }

  /** Until everything is read, or the rate limit of this second is reached. */
  async #work(): Promise<void> {
    let read = false;
    for (const kept of this.#wanted) {
      if (this.#closed || !this.#mayRead()) break;
      this.#wanted.delete(kept);
      const { target } = kept;
      if (target === null) continue;
      this.#helper ??= this.#options.helper();
      const about = await this.#read(target, this.#helper);
      if (this.#closed) return;
      if (about === 'gone' || this.#kept.get(kept.id) !== kept) continue;
      if (about !== null) {
        kept.about = about;
        this.#fresh.add(kept.id);
        read = true;
      } else if (++kept.tries < MOST_TRIES) this.#again.add(kept);
    }
    if (read) this.#options.changed();
  }

  #mayRead(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#secondMs >= 1_000) {
      this.#secondMs = nowMs;
      this.#thisSecond = 0;
    }
    return this.#thisSecond++ < MOST_A_SECOND;
  }

  /** Null when there was no answer. */
  async #read(
    target: Placed,
    helper: DescribeHelper,
    commandLine = true,
  ): Promise<ProcessAbout | 'gone' | null> {
    const { pid, start, name, uid, startedMs, ancestors, unit } = target;
    const args = commandLine && this.#options.commandLines !== 'never';
    const answer = await helper.describe(pid, start, args);
    if (answer.kind === 'gone') return 'gone';
    if (answer.kind !== 'described') return null;
    const { parent, directory, arguments: words, cut, executable } = answer.about;
    const read = words === undefined || isRefusal(words) ? null : words;
    return {
      pid,
      start,
      name,
      executable: executable || target.executable,
      program: programText(executable || target.executable || name, read ?? []),
      uid,
      user: uid === null ? '' : userName(uid),
      parent,
      ancestors,
      unit,
      started: startedMs === null ? '' : offsetTime(instantAt(startedMs)),
      directory: isRefusal(directory) ? '' : directory,
      command: read === null ? null : commandText(read, cut),
    };
  }

  async #end(): Promise<void> {
    const helper = this.#helper;
    this.#helper = null;
    await helper?.close();
  }
}

const keyOf = ({ pid, start, executable }: Pick<Target, 'pid' | 'start' | 'executable'>): string =>
  `${pid} ${start} ${executable}`;

function targetOf(snapshot: Snapshot, pid: number): Target | null {
  const { processes: table, at } = snapshot;
  const row = table.rowOf(pid);
  if (row < 0 || table.columns.state[row] === 0) return null;
  const start = table.columns.start[row] ?? 0n;
  const { executable, comm: name, uid } = processSubject(table, row);
  const age = ageSec(snapshot, Number(start));
  // Whole seconds, so that rounding does not make two reads differ.
  const startedMs = age === null ? null : Math.round((at.epochMs - age * 1000) / 1000) * 1000;
  return { pid, start: String(start), name, executable, uid, startedMs };
}

/** With what started it, which is read once: targets are compared in each recheck. */
function placed(target: Target, { processes: table }: Snapshot): Placed {
  const row = table.rowOf(target.pid);
  return { ...target, ancestors: ancestorsOf(table, row), unit: unitOf(textOf(table.cgroup(row))) };
}
