import type { HiddenProcess } from '../engine/hidden-pids.ts';
import type { ProcCover } from '../engine/native/host-types.ts';
import { isBlind, ofKind } from './blindness.ts';
import type { Blindness, Check, FailParts } from './check.ts';
import type { ProcessSubject } from './subjects.ts';

const hides = ofKind('process');

/** The same for both ways of finding it: its row, if any, may belong to another process. */
const subjectOf = (pid: number, comm: string, executable: string, start: string): ProcessSubject => ({
  kind: 'process',
  pid,
  start,
  comm,
  executable,
  identity: executable || comm,
  uid: null,
});

const nameIn = (comm: string): string => (comm === '' ? '' : ` (${comm})`);

function explainCovered(pid: number, covers: readonly ProcCover[]): FailParts {
  const { comm = '', executable = '', start = '0' } = covers[0] ?? {};
  const places = covers.map(({ place }) => (place === '' ? `/proc/${pid}` : `/proc/${pid}/${place}`));
  return {
    subject: subjectOf(pid, comm, executable, start),
    summary: `something is mounted over ${places.join(', ')}, so that process ${pid}${nameIn(comm)} cannot be read`,
    evidence: { comm, executable, mounted_over: places.join(' ') },
    evidenceClass: 'covered',
    remedy: `check process ${pid} with desk hidden pid, then remove the mount with "umount ${places[0]}"`,
  };
}

function explainHidden(found: HiddenProcess): FailParts {
  const { pid, form, seenBy, folder, start } = found;
  const [comm, executable] = [found.comm ?? '', found.exe ?? ''];
  const process = `process ${pid}${nameIn(comm)}`;
  return {
    subject: subjectOf(pid, comm, executable, start ?? '0'),
    summary:
      form === 'covered'
        ? `something is mounted over ${process}, so that it cannot be read`
        : `${process} runs and the list of processes leaves it out`,
    evidence: { comm, executable, seen_by: seenBy.join(' '), folder },
    evidenceClass: form,
  };
}

/** `WHAT: CURE` as the sweep for hidden things writes it. */
export function blindnessOf(reason: string): Pick<Blindness, 'reason' | 'cure'> {
  const colon = reason.indexOf(': ');
  return colon < 0 ? { reason, cure: '' } : { reason: reason.slice(0, colon), cure: reason.slice(colon + 2) };
}

/**
 * A process that runs and is not shown. What is mounted over a process is judged at every recheck; whether the list of
 * processes leaves one out is checked periodically, by asking the kernel for every possible pid.
 */
export const hiddenProcess: Check = {
  id: 'hidden-process',
  avenue: 'inject_clip',
  severity: 'critical',
  tier: 3,
  techniques: ['T1014', 'T1564'],
  alone: true,
  key: ['comm', 'executable'],
  text: {
    about: 'A running process is hidden from the process list.',
    benign: 'None known: a process that starts or ends during a scan is checked twice.',
    remedy: 'disconnect the machine from the network and examine it from a system that you trust',
  },
  judge({ snapshot }, report) {
    const { covers } = snapshot.host;
    if (isBlind(covers, 'what is mounted over processes', report, hides)) return;
    for (const pid of new Set(covers.map((one) => one.pid))) {
      const own = covers.filter((one) => one.pid === pid);
      report.fail(explainCovered(pid, own));
    }
    if (covers.length === 0) report.pass();
  },
  async scan({ scans }, report, signal) {
    const sweep = await scans.hiddenPids({ signal });
    if (isBlind(sweep, 'the processes', report, hides)) return;
    for (const reason of sweep.blind) report.blind({ ...blindnessOf(reason), hides });
    for (const one of sweep.found) report.fail(explainHidden(one));
    if (sweep.judged && sweep.found.length === 0) report.pass();
  },
};
