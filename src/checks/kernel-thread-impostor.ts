import { textOf } from '../engine/bytes.ts';
import { FACT } from '../native/types.ts';
import type { Check } from './check.ts';
import { eachProcess } from './looks.ts';
import { isKernelThread, isUserSpace, processSubject } from './subjects.ts';

/** Names that only kernel threads bear: bracketed, or `kworker/…`, `ksoftirqd/…` and their like. */
const KERNEL_NAME =
  /^(\[.+|(kworker|ksoftirqd|migration|rcu_|kthreadd|kswapd|khugepaged|cpuhp)(\/|$|\d).*)$/s;

/** A user-space process (no PF_KTHREAD flag, proc_pid_stat(5) field 9) that looks like a kernel thread. */
export const kernelThreadImpostor: Check = {
  id: 'kernel-thread-impostor',
  avenue: 'inject_clip',
  severity: 'high',
  tier: 1,
  text: {
    about: 'A user-space program poses as a kernel thread.',
    benign: 'Usermode helpers of the kernel, which live for a moment only.',
    remedy: 'look at its executable and stop it if it is not yours',
  },
  judge({ snapshot }, report) {
    const table = snapshot.processes;
    const kthreadd = table.rowOf(2) >= 0 && isKernelThread(table, table.rowOf(2)) ? 2 : 0;
    eachProcess(snapshot, report, FACT.stat, (row) => {
      if (!isUserSpace(table, row)) return;
      const comm = textOf(table.comm(row));
      const childOfKernel = kthreadd !== 0 && table.columns.ppid[row] === kthreadd;
      if (!KERNEL_NAME.test(comm) && !childOfKernel) return report.pass();
      report.fail({
        subject: processSubject(table, row),
        summary: `process ${table.columns.pid[row]} looks like the kernel thread ${comm} and is a user-space program`,
        evidence: { comm, parent: table.columns.ppid[row] ?? 0, executable: textOf(table.exe(row)) },
      });
    });
  },
};
