/** A sweep of the engine in the format of `kernel.ts`, copied out of the shared columns at once. */

import { FACT, PF_KTHREAD, WRAP_STATE } from '../../src/engine/native/types.ts';
import type { Snapshot } from '../../src/engine/snapshot.ts';

export interface SweptProcess {
  readonly pid: number;
  readonly start: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly wrap: number;
  readonly state: keyof typeof WRAP_STATE;
  readonly comm: string;
  readonly exe: string;
  /** Names of the facts that the kernel refused. */
  readonly refused: readonly string[];
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const inode = (value: number | undefined) => (value ? String(value) : '?');

/** Every process that still existed during the sweep; names and paths as bytes-in-text (latin1). */
export function sweptProcesses({ processes }: Snapshot): Map<number, SweptProcess> {
  const { columns, count } = processes;
  const swept = new Map<number, SweptProcess>();
  const states = Object.entries(WRAP_STATE) as [keyof typeof WRAP_STATE, number][];
  for (let row = 0; row < count; row++) {
    const letter = String.fromCharCode(columns.state[row] ?? 0);
    if (letter === '\0') continue;
    const pid = columns.pid[row] ?? -1;
    swept.set(pid, {
      pid,
      start: String(columns.start[row]),
      facts: {
        ppid: String(columns.ppid[row]),
        tty: String(columns.tty[row]),
        kernelThread: String(((columns.flags[row] ?? 0) & PF_KTHREAD) !== 0),
        zombie: String('ZX'.includes(letter)),
        threads: String(columns.threads[row]),
        uid: String(columns.uid[row]),
        euid: String(columns.euid[row]),
        seccomp: String(columns.seccomp[row]),
        noNewPrivs: String(columns.noNewPrivs[row]),
        capEff: (columns.capEff[row] ?? 0n).toString(16),
        capBnd: (columns.capBnd[row] ?? 0n).toString(16),
        tracer: String(columns.tracer[row]),
        nsUser: inode(columns.nsUser[row]),
        nsPid: inode(columns.nsPid[row]),
        nsMnt: inode(columns.nsMnt[row]),
        nsNet: inode(columns.nsNet[row]),
      },
      wrap: columns.wrap[row] ?? 0,
      state: states.find(([, value]) => value === columns.wrapState[row])?.[0] ?? 'notApplicable',
      comm: latin1(processes.comm(row)),
      exe: latin1(processes.exe(row)),
      refused: Object.entries(FACT)
        .filter(([, bit]) => ((columns.refused[row] ?? 0) & bit) !== 0)
        .map(([name]) => name),
    });
  }
  return swept;
}

/** Keys as in `KernelSocket`, with their holders (`pid/fd`, sorted). */
export function sweptSockets({ listeners }: Snapshot): Map<string, readonly string[]> {
  return new Map(
    listeners.map(({ protocol, address, port, inode: number, holders }) => [
      `${protocol} ${address} ${port} ${number}`,
      holders.map(({ pid, fd }) => `${pid}/${fd}`).sort(),
    ]),
  );
}
