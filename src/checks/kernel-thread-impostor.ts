import { textOf } from '../engine/bytes.ts';
import { TRAIT } from '../engine/native/batch-types.ts';
import { FACT } from '../engine/native/types.ts';
import { isKernelThread } from '../engine/process-states.ts';
import type { Check } from './check.ts';
import { trait, userSpace } from './conditions.ts';
import { all, any, equals, flag, type Parameter } from './rule.ts';
import { processSubject } from './subjects.ts';

const KTHREADD = 2;

/** Pid 2 is the parent of all kernel threads, but in a pid namespace of its own it may be anybody. */
const kthreaddRuns: Parameter = {
  name: 'kthreadd runs',
  of({ processes }) {
    const row = processes.rowOf(KTHREADD);
    return row >= 0 && isKernelThread(processes, row) ? 1n : 0n;
  },
};

/** A user-space process (no PF_KTHREAD flag, proc_pid_stat(5) field 9) that looks like a kernel thread. */
export const kernelThreadImpostor: Check = {
  id: 'kernel-thread-impostor',
  avenue: 'inject_clip',
  severity: 'high',
  tier: 1,
  key: ['comm', 'executable'],
  text: {
    about: 'A user-space program poses as a kernel thread.',
    benign: 'Usermode helpers of the kernel, which live for a moment only.',
    remedy: 'look at its executable and stop it if it is not yours',
  },
  causes: [
    {
      name: 'usermode-helpers',
      why: 'the kernel itself starts these programs, as children of kthreadd',
      executable: [
        ...['/usr/bin/kmod', '/bin/kmod', '/sbin/modprobe', '/usr/sbin/modprobe', '/sbin/request-key'],
        ...['/usr/sbin/request-key', '/usr/lib/systemd/systemd-coredump', '/usr/share/apport/apport'],
        ...['/usr/lib/systemd/systemd-cgroups-agent', '/sbin/bridge-stp', '/usr/sbin/bridge-stp'],
      ],
      uid: 0,
      evidenceClass: ['child of kthreadd'],
    },
  ],
  rule: () => ({
    subjects: 'processes',
    needs: FACT.stat,
    applies: userSpace,
    fails: any(trait(TRAIT.kernelName), all(flag(kthreaddRuns), equals('ppid', BigInt(KTHREADD)))),
  }),
  explain({ snapshot }, row) {
    const table = snapshot.processes;
    const comm = textOf(table.comm(row));
    const named = ((table.columns.traits[row] ?? 0) & TRAIT.kernelName) !== 0;
    return {
      subject: processSubject(table, row),
      summary: `process ${table.columns.pid[row]} looks like the kernel thread ${comm} and is a user-space program`,
      evidence: { comm, parent: table.columns.ppid[row] ?? 0, executable: textOf(table.exe(row)) },
      evidenceClass: named ? 'name' : 'child of kthreadd',
    };
  },
};
