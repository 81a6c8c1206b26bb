import { TRAIT } from '../engine/native/batch-types.ts';
import { isKernelThread } from '../engine/process-states.ts';
import type { Check } from './check.ts';
import { trait, USER_SPACE } from './conditions.ts';
import { names } from './executables.ts';
import { all, any, equals, flag, type Parameter } from './rule.ts';
import { processSubject } from './subjects.ts';

const KTHREADD = 2;

/** Pid 2 is the parent of all kernel threads, but in a pid namespace of its own it may be any process. */
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
  techniques: ['T1036.005'],
  key: ['comm', 'executable'],
  text: {
    about: 'A user-space program poses as a kernel thread.',
    benign: 'Usermode helpers of the kernel, which live for milliseconds only.',
    remedy: 'check its executable and stop it if it is not yours',
  },
  causes: [
    {
      name: 'usermode-helpers',
      why: 'the kernel starts these programs, as children of kthreadd',
      executable: names(`/usr/bin/kmod /bin/kmod /sbin/modprobe /usr/sbin/modprobe /sbin/request-key
        /usr/sbin/request-key /usr/lib/systemd/systemd-coredump /usr/share/apport/apport
        /usr/lib/systemd/systemd-cgroups-agent /sbin/bridge-stp /usr/sbin/bridge-stp`),
      uid: 0,
      evidenceClass: ['child of kthreadd'],
    },
  ],
  rule: () => ({
    ...USER_SPACE,
    fails: any(trait(TRAIT.kernelName), all(flag(kthreaddRuns), equals('ppid', BigInt(KTHREADD)))),
  }),
  explain({ snapshot }, row) {
    const { columns } = snapshot.processes;
    const subject = processSubject(snapshot.processes, row);
    const { pid, comm, executable } = subject;
    const named = ((columns.traits[row] ?? 0) & TRAIT.kernelName) !== 0;
    return {
      subject,
      summary: `process ${pid} has the name of the kernel thread ${comm} and is a user-space program`,
      evidence: { comm, parent: columns.ppid[row] ?? 0, executable },
      evidenceClass: named ? 'name' : 'child of kthreadd',
    };
  },
};
