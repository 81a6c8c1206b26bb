/** The memory of the service as the kernel counts it; read when the metrics are read. */
import { linkOf, namesIn, textOf } from '../base/read-or-empty.ts';

const KIB = 1024;

/** Of processes together: what is in memory (a page that several of them map counts for each), and each page's share among all that map it. */
interface GroupMemory {
  readonly residentBytes: number;
  readonly proportionalBytes: number;
}

/** Processes that have ended, or may not be read, are left out (proc_pid_smaps(5)). */
export function memoryOf(pids: Iterable<number>): GroupMemory {
  let residentBytes = 0;
  let proportionalBytes = 0;
  for (const pid of pids) {
    const text = textOf(`/proc/${pid}/smaps_rollup`);
    residentBytes += KIB * numberIn(text, 'Rss');
    proportionalBytes += KIB * numberIn(text, 'Pss');
  }
  return { residentBytes, proportionalBytes };
}

/** Kernel memory of the BPF maps that this process has open, as the kernel charges it. */
export function bpfMapBytes(): number {
  let bytes = 0;
  for (const descriptor of namesIn('/proc/self/fd'))
    if (linkOf(`/proc/self/fd/${descriptor}`) === 'anon_inode:bpf-map')
      bytes += numberIn(textOf(`/proc/self/fdinfo/${descriptor}`), 'memlock');
  return bytes;
}

function numberIn(text: string, key: string): number {
  return Number(new RegExp(`^${key}:\\s*(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}
