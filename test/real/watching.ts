/** A running watch that collects its deltas for a test. */
import { allocate, columnsOver } from '../../src/engine/native/columns.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { isRefusal } from '../../src/engine/native/types.ts';
import type { WatchDelta, WatchOptions, WatchStart } from '../../src/engine/native/watch-types.ts';

const { addon, build } = loadNative();

export interface Seen {
  readonly delta: WatchDelta;
  /** Pids reported, negative = gone. */
  readonly pids: readonly number[];
  readonly atMs: number;
}

export const usual: WatchOptions = {
  listenPollMs: 10,
  rereadMs: [10, 100, 1000],
  allMs: 5000,
  tracepoint: true,
};

/** Among others it reports an end, and this process: whether that is gone or a zombie. */
export const ends =
  (pid: number) =>
  ({ delta, pids }: Seen): boolean =>
    delta.events.exit > 0 && pids.some((one) => Math.abs(one) === pid);

/** Stopped with `using`. */
export class Watching implements Disposable {
  readonly start: WatchStart;
  readonly seen: Seen[] = [];
  /** Index after the delta that the last `until` returned. */
  mark = 0;
  readonly #pids = new Int32Array(4096);
  #notify: () => void = () => {};

  constructor(options: Partial<WatchOptions> = {}) {
    const start = addon.watchStart({ ...usual, ...options }, () => this.#take());
    if (isRefusal(start)) throw new Error(`the watch is refused: ${start.code}`);
    this.start = start;
  }

  #take(): void {
    const delta = addon.watchTake(this.start.watch, this.#pids);
    const pids = [...this.#pids.subarray(0, delta.count)];
    this.seen.push({ delta, pids, atMs: performance.now() });
    this.#notify();
  }

  /** Resolves with the first delta from `since` (an index into `seen`) that satisfies `fits`; throws after 30 s. */
  async until(what: string, fits: (seen: Seen) => boolean, since = 0): Promise<Seen> {
    let late = false;
    // Keeps node running, which the watch does not.
    const deadline = setTimeout(() => {
      late = true;
      this.#notify();
    }, 30_000);
    try {
      return await this.#search(fits, since, () => {
        if (late) throw new Error(`never reported: ${what}`);
      });
    } finally {
      clearTimeout(deadline);
    }
  }

  async #search(fits: (seen: Seen) => boolean, since: number, check: () => void): Promise<Seen> {
    for (let at = since; ; at++) {
      while (at >= this.seen.length) {
        check();
        await new Promise<void>((resolve) => {
          this.#notify = resolve;
        });
      }
      const seen = this.seen[at] as Seen;
      if (!fits(seen)) continue;
      this.mark = at + 1;
      return seen;
    }
  }

  /** Sum of a counter over all deltas so far. */
  sum(count: (delta: WatchDelta) => number): number {
    return this.seen.reduce((total, { delta }) => total + count(delta), 0);
  }

  [Symbol.dispose](): void {
    addon.watchStop(this.start.watch);
  }
}

const capacity = { processes: 0, sockets: 1 << 16, holders: 0, text: 0 };
const layout = addon.layout(capacity);
const columns = columnsOver(allocate(layout), layout, capacity);

/** Whether the kernel's table has a listener on the port now; the result is passed to the watch. `protocol`: 6 TCP, 17 UDP. */
export function listens(watching: Watching, protocol: number, port: number): boolean {
  const { listeners, refusals } = addon.listSockets(columns.bytes, capacity, false);
  if (refusals.length > 0) throw new Error(`the listeners cannot be read: ${refusals[0]?.code}`);
  addon.watchSaw(watching.start.watch, columns.bytes, capacity, listeners);
  const rows = Array.from({ length: listeners }, (_, row) => row);
  return rows.some(
    (row) => columns.listeners.protocol[row] === protocol && columns.listeners.port[row] === port,
  );
}

/** Waits until the watch reports listeners and the port is then listed, or gone. */
export async function heard(
  watching: Watching,
  protocol: number,
  port: number,
  there: boolean,
): Promise<void> {
  const what = `${protocol === 6 ? 'TCP' : 'UDP'} port ${port} ${there ? 'opened' : 'closed'}`;
  await watching.until(
    what,
    ({ delta }) => delta.listeners && listens(watching, protocol, port) === there,
    watching.mark,
  );
}

export { addon, build };
