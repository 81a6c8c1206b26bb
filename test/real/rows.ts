/** One sweep of either backend, directly from the addon: every column of every row, copied, with texts resolved. */
import { allocate, type Columns, columnsOver } from '../../src/engine/native/columns.ts';
import type { Capacity, NativeAddon, ProcessColumns } from '../../src/engine/native/types.ts';

/** Column name to value, by pid; `exe` and `cgroup` are texts (latin1), `comm` is 16 bytes in hexadecimal digits. */
export type Rows = ReadonlyMap<number, Readonly<Record<string, string>>>;

const CAPACITY: Capacity = { processes: 20_000, sockets: 0, holders: 0, text: 16 << 20 };

export class Sweeper {
  readonly addon: NativeAddon;
  readonly root: number;
  readonly #columns: Columns;

  constructor(addon: NativeAddon, path = '/proc') {
    this.addon = addon;
    const root = addon.openRoot(path);
    if (typeof root !== 'number') throw new Error(`${path}: ${root.code}`);
    this.root = root;
    addon.reference(root);
    const layout = addon.layout(CAPACITY);
    this.#columns = columnsOver(allocate(layout), layout, CAPACITY);
  }

  close(): void {
    this.addon.closeRoot(this.root);
  }

  procfs(): Rows {
    const { bytes } = this.#columns;
    const count = this.addon.listProcesses(this.root, bytes, CAPACITY);
    if (typeof count !== 'number') throw new Error(`listing: ${count.code}`);
    const { overflow } = this.addon.sweepShard(this.root, bytes, CAPACITY, count, 0, 1);
    if (overflow) throw new Error('the text arena ran out');
    return this.#rows(count);
  }

  bpf(listed: boolean): Rows {
    const swept = this.addon.sweepTasks(this.root, this.#columns.bytes, CAPACITY, listed);
    if ('errno' in swept) throw new Error(`sweepTasks: ${swept.code}`);
    if (swept.overflow || swept.count > CAPACITY.processes) throw new Error('the buffer is too small');
    return this.#rows(swept.count);
  }

  #rows(count: number): Rows {
    const { processes, text } = this.#columns;
    const names = Object.keys(processes) as (keyof ProcessColumns)[];
    const numbers = names.filter((name) => name !== 'comm' && !/^(exe|cgroup)/.test(name));
    const textOf = (offset = 0, length = 0) =>
      Buffer.from(text.subarray(offset, offset + length)).toString('latin1');
    const rows = new Map<number, Record<string, string>>();
    let last = 0;
    for (let row = 0; row < count; row++) {
      const pid = processes.pid[row] ?? 0;
      if (pid <= last) throw new Error(`row ${row}: pid ${pid} follows ${last}`);
      last = pid;
      if (processes.state[row] === 0) continue;
      const values = Object.fromEntries(numbers.map((name) => [name, String(processes[name][row])]));
      rows.set(pid, {
        ...values,
        state: String.fromCharCode(processes.state[row] ?? 0),
        comm: Buffer.from(processes.comm.subarray(row * 16, row * 16 + 16)).toString('hex'),
        exe: textOf(processes.exeOffset[row], processes.exeLength[row]),
        cgroup: textOf(processes.cgroupOffset[row], processes.cgroupLength[row]),
      });
    }
    return rows;
  }
}

/** `pid column: first / second` for every row in both with the same start. */
export function differences(first: Rows, second: Rows): string[] {
  const found: string[] = [];
  for (const [pid, row] of first) {
    const other = second.get(pid);
    if (other === undefined || other.start !== row.start) continue;
    for (const [name, value] of Object.entries(row)) {
      if (other[name] !== value) found.push(`${pid} ${name}: ${value} / ${other[name]}`);
    }
  }
  return found;
}
