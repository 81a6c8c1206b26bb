/** What processes use right now: two readings of /proc, some hundred milliseconds apart. */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Order, ProcessUse, SlowProcess, SlowReading } from '../../desk/vitals.ts';
import { type ProcessBytes, type ProcessTicks, processIoIn, processStatIn } from './parsers.ts';

/** Processes that are read before others of the service get a turn. */
const AT_ONCE = 50;

interface Read extends ProcessTicks {
  readonly atMs: number;
  readonly bytes: ProcessBytes | null;
}

interface Places {
  readonly proc?: string;
}

const textIn = (path: string): string | null => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
};

/** Units of /proc/PID/stat, as the kernel gives them to each program: getauxval(3). */
function units(): { readonly pageBytes: number; readonly ticksPerSec: number } {
  const auxv = readFileSync('/proc/self/auxv');
  const values = new Map<bigint, number>();
  for (let at = 0; at + 16 <= auxv.length; at += 16)
    values.set(auxv.readBigUInt64LE(at), Number(auxv.readBigUInt64LE(at + 8)));
  const [pageBytes, ticksPerSec] = [values.get(6n), values.get(17n)];
  if (pageBytes === undefined || ticksPerSec === undefined)
    throw new Error('/proc/self/auxv has no page size, or no clock ticks');
  return { pageBytes, ticksPerSec };
}

export class SlowProcesses {
  readonly #proc: string;
  readonly #units = units();
  /** By the interval: callers at the same time share what is measured. */
  readonly #running = new Map<
    number,
    Promise<Omit<SlowReading, 'processes'> & { readonly found: readonly Used[] }>
  >();

  constructor({ proc = '/proc' }: Places = {}) {
    this.#proc = proc;
  }

  async read(by: Order, intervalMs: number, limit: number): Promise<SlowReading> {
    let running = this.#running.get(intervalMs);
    if (running === undefined) {
      running = this.#measure(intervalMs).finally(() => this.#running.delete(intervalMs));
      this.#running.set(intervalMs, running);
    }
    const { found, ...rest } = await running;
    const most = [...found].sort((a, b) => ORDERS[by](b) - ORDERS[by](a) || a.pid - b.pid).slice(0, limit);
    const processes: SlowProcess[] = [];
    for (const one of most) {
      if ((processes.length + 1) % AT_ONCE === 0) await turn();
      processes.push(this.#described(one));
    }
    // Their exact sizes may differ in order from those they were chosen by.
    if (by === 'memory') processes.sort((a, b) => b.residentBytes - a.residentBytes || a.pid - b.pid);
    return { ...rest, processes };
  }

  async #measure(intervalMs: number) {
    const before = await this.#all();
    await sleep(intervalMs);
    const now = await this.#all();
    const found: Used[] = [];
    for (const [pid, one] of now) {
      const earlier = before.get(pid);
      if (earlier?.start === one.start) found.push(usedBetween(earlier, one, this.#units));
    }
    return {
      found,
      intervalMs,
      all: found.length,
      passing: before.size + now.size - 2 * found.length,
      ioUnread: found.filter(({ readPerSec }) => readPerSec === null).length,
    };
  }

  async #all(): Promise<Map<number, Read>> {
    const all = new Map<number, Read>();
    let read = 0;
    for (const name of readdirSync(this.#proc)) {
      if (!/^\d+$/.test(name)) continue;
      if (++read % AT_ONCE === 0) await turn();
      const one = this.#one(name);
      if (one !== null) all.set(one.pid, one);
    }
    return all;
  }

  #one(pid: string): Read | null {
    const stat = textIn(`${this.#proc}/${pid}/stat`);
    const ticks = stat === null ? null : processStatIn(stat);
    if (ticks === null) return null;
    const io = textIn(`${this.#proc}/${pid}/io`);
    return { ...ticks, atMs: performance.now(), bytes: io === null ? null : processIoIn(io) };
  }

  /** As `Vitals.used`. */
  async used(pid: number, start: string, intervalMs: number): Promise<ProcessUse | null> {
    const before = this.#one(String(pid));
    if (before?.start !== start) return null;
    await sleep(intervalMs);
    const now = this.#one(String(pid));
    return now?.start === start ? usedBetween(before, now, this.#units) : null;
  }

  /** With what only those that are shown are asked for. */
  #described({ pid, start, comm, ...used }: Used): SlowProcess {
    const folder = `${this.#proc}/${pid}`;
    const stat = textIn(`${folder}/stat`);
    const isSame = stat !== null && processStatIn(stat)?.start === start;
    const parts = { pid, start, name: Buffer.from(comm, 'latin1').toString(), ...used };
    if (!isSame) return { ...parts, executable: '', uid: null };
    return {
      ...parts,
      residentBytes: this.#resident(folder) ?? used.residentBytes,
      executable: orElse(() => readlinkSync(`${folder}/exe`), ''),
      uid: orElse(() => statSync(folder).uid, null),
    };
  }

  /** stat(5) counts lazily, up to some tenths too low for small processes; statm(5) is exact. */
  #resident(folder: string): number | null {
    const pages = Number(textIn(`${folder}/statm`)?.split(' ')[1]);
    return Number.isSafeInteger(pages) ? pages * this.#units.pageBytes : null;
  }
}

function orElse<T, O>(read: () => T, otherwise: O): T | O {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

interface Used extends Omit<SlowProcess, 'name' | 'executable' | 'uid'> {
  readonly comm: string;
}

function usedBetween(before: Read, now: Read, { pageBytes, ticksPerSec }: ReturnType<typeof units>): Used {
  const sec = Math.max(now.atMs - before.atMs, 1) / 1000;
  const each = (key: keyof ProcessBytes): number | null =>
    before.bytes === null || now.bytes === null
      ? null
      : Math.round(Math.max(0, now.bytes[key] - before.bytes[key]) / sec);
  const cpuPercent = (100 * Math.max(0, now.ticks - before.ticks)) / ticksPerSec / sec;
  return {
    ...{ pid: now.pid, comm: now.comm, start: now.start, state: now.state },
    cpuPercent: Math.round(cpuPercent * 10) / 10,
    residentBytes: now.residentPages * pageBytes,
    ...{ readPerSec: each('readBytes'), writtenPerSec: each('writtenBytes') },
  };
}

const ORDERS: Readonly<Record<Order, (one: Used) => number>> = {
  cpu: ({ cpuPercent }) => cpuPercent,
  memory: ({ residentBytes }) => residentBytes,
  io: ({ readPerSec, writtenPerSec }) =>
    readPerSec === null || writtenPerSec === null ? -1 : readPerSec + writtenPerSec,
};
