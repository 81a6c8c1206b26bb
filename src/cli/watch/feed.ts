/** What the view knows of the service: each part that is shown is asked for again and again, and nothing else. */
import { type Failure, failureOf } from '../../desk/failure.ts';
import { startup } from '../../features/startup/operations.ts';
import { detection, finding } from '../../operations/findings.ts';
import { live, page } from '../../operations/status.ts';
import { listeners, processes } from '../../operations/tables.ts';
import type { Detection } from '../../records/detection.ts';
import type { FindingDetail } from '../../records/finding-detail.ts';
import type { Live } from '../../records/live.ts';
import type { Page } from '../../records/page.ts';
import type { StartupAnswer } from '../../records/startup.ts';
import type { ListenerTable, ProcessTable } from '../../records/tables.ts';
import type { CliContext } from '../command.ts';

export interface Answers {
  readonly live: Live;
  readonly page: Page;
  readonly detection: Detection;
  readonly processes: ProcessTable;
  readonly listeners: ListenerTable;
  readonly startup: StartupAnswer;
  readonly finding: FindingDetail;
}
export type Part = keyof Answers;

export interface Seen<T> {
  readonly value: T;
  /** When it was current, by the clock of `nowMs`. */
  readonly atMs: number;
}

/** Times are milliseconds of `performance.now`. */
export interface Known {
  readonly seen: { readonly [P in Part]?: Seen<Answers[P]> };
  /** Why a part could not be had the last time, and since when. */
  readonly trouble: { readonly [P in Part]?: { readonly failure: Failure; readonly sinceMs: number } };
}

/** Who asks; a new one reads the token again, which a service that was started again may have changed. */
export type Connect = CliContext['client'];

/** An answer that took long is asked for less often: the service spends at most a sixth of its time on this view. */
const REST = 5;
/** What starts by itself is read from files, and changes rarely. */
const STARTUP_EVERY_MS = 60_000;
const STARTUP_WITHIN_MS = 300_000;
const RETRY_MS = 1000;

export class Feed {
  readonly #connect: Connect;
  readonly #everyMs: number;
  readonly #changed: () => void;
  readonly #clients = new Map<number | undefined, ReturnType<Connect>>();
  readonly #seen: { -readonly [P in Part]?: Seen<Answers[P]> } = {};
  readonly #trouble: { [P in Part]?: { failure: Failure; sinceMs: number } } = {};
  readonly #busy = new Set<Part>();
  readonly #dueMs: { [P in Part]?: number } = {};
  #wanted: readonly Part[] = [];
  #finding = '';
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(connect: Connect, everyMs: number, changed: () => void) {
    this.#connect = connect;
    this.#everyMs = everyMs;
    this.#changed = changed;
  }

  get known(): Known {
    return { seen: this.#seen, trouble: this.#trouble };
  }

  /** What changes, asked once. @throws Failure */
  async first(): Promise<void> {
    const atMs = performance.now();
    this.#seen.live = { value: (await this.#ask('live')) as Live, atMs };
  }

  /** From now on these parts are asked for, those that are due at once. `finding`: the id for the part of that name. */
  want(parts: readonly Part[], finding = ''): void {
    if (finding !== this.#finding) {
      delete this.#seen.finding;
      delete this.#trouble.finding;
      delete this.#dueMs.finding;
    }
    this.#finding = finding;
    this.#wanted = parts;
    this.#pump();
  }

  /** Everything that is wanted is asked for now. */
  again(): void {
    for (const part of this.#wanted) delete this.#dueMs[part];
    this.#pump();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #pump(): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    const now = performance.now();
    let next = now + this.#everyMs;
    for (const part of this.#wanted) {
      if (this.#busy.has(part)) continue;
      const due = this.#dueMs[part] ?? now;
      if (due <= now) void this.#renew(part);
      else next = Math.min(next, due);
    }
    this.#timer = setTimeout(() => this.#pump(), Math.max(1, next - now));
  }

  async #renew<P extends Part>(part: P): Promise<void> {
    this.#busy.add(part);
    const began = performance.now();
    const about = this.#finding;
    let pauseMs = part === 'startup' ? STARTUP_EVERY_MS : this.#everyMs;
    try {
      const value = this.#same(part) ?? (await this.#ask(part));
      const now = performance.now();
      pauseMs = Math.max(pauseMs, REST * (now - began));
      if (part !== 'finding' || about === this.#finding) {
        // What was read took part of this time: the older end of it counts.
        this.#seen[part] = { value, atMs: began } as never;
        delete this.#trouble[part];
      }
    } catch (error) {
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      this.#clients.clear();
      if (part !== 'finding' || about === this.#finding)
        this.#trouble[part] = { failure, sinceMs: this.#trouble[part]?.sinceMs ?? performance.now() };
      pauseMs = Math.max(this.#everyMs, RETRY_MS);
    }
    this.#busy.delete(part);
    this.#dueMs[part] = performance.now() + pauseMs;
    if (this.#closed) return;
    this.#changed();
    this.#pump();
  }

  /** The table of processes of the newest snapshot, when it is here already. */
  #same<P extends Part>(part: P): Answers[P] | undefined {
    if (part !== 'processes' || this.#trouble.live !== undefined) return undefined;
    const { processes: table, live: now } = this.#seen;
    const current =
      now !== undefined && table !== undefined && now.value.generation === table.value.generation;
    return current && now.atMs > table.atMs ? (table.value as Answers[P]) : undefined;
  }

  async #ask(part: Part): Promise<Answers[Part]> {
    const timeoutMs = part === 'startup' ? STARTUP_WITHIN_MS : undefined;
    let opening = this.#clients.get(timeoutMs);
    if (opening === undefined) {
      opening = this.#connect(timeoutMs === undefined ? {} : { timeoutMs });
      this.#clients.set(timeoutMs, opening);
    }
    const client = await opening;
    switch (part) {
      case 'live':
        return client.ask(live, {});
      case 'page':
        return client.ask(page, {});
      case 'detection':
        return client.ask(detection, {});
      case 'processes':
        return client.ask(processes, {});
      case 'listeners':
        return client.ask(listeners, {});
      case 'startup':
        return client.ask(startup, { fresh: 'false' });
      case 'finding':
        return client.ask(finding, { id: this.#finding });
    }
  }
}
