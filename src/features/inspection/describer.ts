/**
 * Who the processes of findings are: user, parent, start, working directory and command line, read once for each by a helper that
 * can be killed. Only subjects of findings are asked about, so many a second, and no recheck waits for it.
 */
import type { Logger } from 'pino';
import { atMost } from '../../base/promises.ts';
import { ageSec, listenerOf, processSubject } from '../../checks/subjects.ts';
import { isRefusal } from '../../engine/native/types.ts';
import type { Snapshot } from '../../engine/snapshot.ts';
import type { Finding, ProcessAbout } from '../../findings/finding.ts';
import type { Note } from '../../privileges/child.ts';
import { userName } from '../../privileges/uids.ts';
import { commandText, programText } from './command-line.ts';
import { Helper } from './helper.ts';
import { Later } from './later.ts';

/** Processes that are read a second, and at once after a second without any. */
export const MOST_A_SECOND = 20;
/** Findings that show a process; those beyond it, the least severe, show none. */
export const MOST_DESCRIBED = 500;
/** Who could not be read (a busy machine, a helper that was ended) is tried again after so long, and so many times in all. */
const AGAIN_MS = 1_000;
const MOST_TRIES = 3;
/** The helper ends after so long without work. */
const IDLE_MS = 10_000;

/** The process of a finding. */
interface Target {
  readonly pid: number;
  /** Clock ticks after boot, as text. */
  readonly start: string;
  readonly name: string;
  readonly executable: string;
  readonly uid: number | null;
  /** Milliseconds since the epoch; null when it is not known. */
  readonly startedMs: number | null;
}

/** Of a finding, by its id. */
interface Wanted {
  readonly id: string;
  readonly target: Target;
}

interface Kept {
  /** Which process it is about, and what that ran. */
  readonly key: string;
  about: ProcessAbout | null;
  /** How often it was tried in vain. */
  tries: number;
}

interface DescriberOptions {
  /** Whether command lines are read. */
  readonly commandLines: boolean;
  /** RFC 3339, of milliseconds since the epoch. */
  readonly time: (epochMs: number) => string;
  /** Something was read: the next recheck shows it. */
  readonly changed: () => void;
  /** Findings that were open when the service last stopped. */
  readonly open?: readonly Finding[];
  /** How long what failed rests. */
  readonly againMs?: number;
  readonly log: Logger;
  /** Told of every helper that is started. */
  readonly note?: Note;
  readonly helper?: () => Pick<Helper, 'describe' | 'close'>;
}

/** What a recheck made of the findings. */
interface Changes {
  readonly findings: readonly Finding[];
  readonly opened: readonly Finding[];
  readonly closed: readonly Finding[];
}

export class Describer {
  readonly #options: DescriberOptions;
  readonly #kept = new Map<string, Kept>();
  /** To be read, the next one first. */
  readonly #wanted = new Map<string, Target>();
  /** Failed, and tried again. */
  readonly #again: Later<Wanted>;
  /** Ids of findings whose process is known since the last `attach`. */
  readonly #fresh = new Set<string>();
  #helper: Pick<Helper, 'describe' | 'close'> | null = null;
  #running: Promise<void> | null = null;
  #secondMs = Number.NEGATIVE_INFINITY;
  #thisSecond = 0;
  /** Until the next second's share. */
  #pause: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: DescriberOptions) {
    this.#options = options;
    this.#again = new Later(options.againMs ?? AGAIN_MS, ({ id, target }) => {
      if (this.#kept.get(id)?.key !== keyOf(target)) return;
      this.#wanted.set(id, target);
      this.#run();
    });
    for (const { id, subject, about } of options.open ?? [])
      if (about !== null && subject.kind === 'process')
        this.#kept.set(id, { key: keyOf(subject), about, tries: 0 });
  }

  /**
   * The same findings with the processes that are known by now; `described`: those of them that were not new and have theirs since
   * the last call. What is not known yet is read from now on. To be called while the snapshot's columns hold.
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

  /** Who a process is, read now; null when that could not be read. */
  async one(snapshot: Snapshot, pid: number): Promise<ProcessAbout | null> {
    const target = targetOf(snapshot, pid);
    if (target === null || this.#closed) return null;
    const helper = this.#make();
    try {
      const about = await this.#read(target, helper);
      return about === 'gone' ? null : about;
    } finally {
      await helper.close();
    }
  }

  /** Resolves when nothing is wanted any more, at the latest after `withinMs`. */
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
    // Of another program than it was, the old words would be wrong.
    this.#kept.set(id, { key, about: null, tries: 0 });
    this.#wanted.set(id, target);
  }

  #forget(id: string): void {
    this.#kept.delete(id);
    this.#wanted.delete(id);
  }

  #run(): void {
    if (this.#running !== null || this.#wanted.size === 0 || this.#closed || this.#pause !== undefined)
      return;
    clearTimeout(this.#idle);
    const { log } = this.#options;
    const failed = (err: unknown) => log.error({ err }, 'reading who the processes of findings are failed');
    this.#running = this.#work()
      .catch(failed)
      .finally(() => {
        this.#running = null;
        if (this.#closed) return;
        if (this.#wanted.size === 0) this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
        else {
          const restMs = Math.max(1, this.#secondMs + 1_000 - performance.now());
          this.#pause = setTimeout(() => {
            this.#pause = undefined;
            this.#run();
          }, restMs).unref();
        }
      });
  }

  /** Until nothing is wanted, or the second has had its share. */
  async #work(): Promise<void> {
    let read = false;
    for (const [id, target] of this.#wanted) {
      if (this.#closed || !this.#mayRead()) break;
      this.#wanted.delete(id);
      this.#helper ??= this.#make();
      const about = await this.#read(target, this.#helper);
      if (this.#closed) return;
      const kept = this.#kept.get(id);
      if (kept?.key !== keyOf(target) || about === 'gone') continue;
      if (about === null) {
        if (++kept.tries < MOST_TRIES) this.#again.add({ id, target });
        continue;
      }
      kept.about = about;
      this.#fresh.add(id);
      read = true;
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

  #make(): Pick<Helper, 'describe' | 'close'> {
    const { helper, note } = this.#options;
    return helper?.() ?? new Helper(note === undefined ? {} : { note });
  }

  /** Null when there was no answer. */
  async #read(target: Target, helper: Pick<Helper, 'describe'>): Promise<ProcessAbout | 'gone' | null> {
    const { commandLines, time } = this.#options;
    const { pid, start, name, uid, startedMs } = target;
    const answer = await helper.describe(pid, start, commandLines);
    if (answer.kind === 'gone') return 'gone';
    if (answer.kind !== 'described') return null;
    const { parent, directory, arguments: words, cut, executable } = answer.about;
    const args = words === undefined || isRefusal(words) ? null : words;
    return {
      pid,
      name,
      executable: executable || target.executable,
      program: programText(executable || target.executable || name, args ?? []),
      uid,
      user: uid === null ? '' : userName(uid),
      parent,
      started: startedMs === null ? '' : time(startedMs),
      directory: isRefusal(directory) ? '' : directory,
      command: args === null ? null : commandText(args, cut),
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

/** Null when it is not there. */
function targetOf(snapshot: Snapshot, pid: number): Target | null {
  const { processes: table, at } = snapshot;
  const row = table.rowOf(pid);
  if (row < 0 || table.columns.state[row] === 0) return null;
  const start = table.columns.start[row] ?? 0n;
  const { executable, comm: name, uid } = processSubject(table, row);
  const age = ageSec(snapshot, Number(start));
  // Whole seconds: two looks must not differ by a rounding.
  const startedMs = age === null ? null : Math.round((at.epochMs - age * 1000) / 1000) * 1000;
  return { pid, start: String(start), name, executable, uid, startedMs };
}
