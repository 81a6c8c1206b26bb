import type { HiddenProcess } from '../engine/hidden-suspects.ts';
import type { ProcCover } from '../engine/native/host-types.ts';
import { isRefusal } from '../engine/native/types.ts';
import { refusedBlindness } from './blindness.ts';
import type { Blindness, Check, FailParts } from './check.ts';
import type { ProcessSubject } from './subjects.ts';

const hidesProcesses: NonNullable<Blindness['hides']> = ({ kind }) => kind === 'process';

/** The same for both ways of finding it: its row, if it has one, may be another's. */
const subjectOf = (pid: number, comm: string, executable: string, start: string): ProcessSubject => ({
  kind: 'process',
  pid,
  start,
  comm,
  executable,
  identity: executable || comm,
  uid: null,
});

function explainCovered(pid: number, covers: readonly ProcCover[]): FailParts {
  const { comm = '', executable = '', start = '0' } = covers[0] ?? {};
  const places = covers.map(({ place }) => (place === '' ? `/proc/${pid}` : `/proc/${pid}/${place}`));
  return {
    subject: subjectOf(pid, comm, executable, start),
    summary: `something is mounted over ${places.join(', ')}, so that process ${pid}${comm === '' ? '' : ` (${comm})`} cannot be looked at`,
    evidence: { comm, executable, mounted_over: places.join(' ') },
    evidenceClass: 'covered',
    remedy: `look at process ${pid} with desk hidden pid, then take the mount away with "umount ${places[0]}"`,
  };
}

function explainHidden(found: HiddenProcess): FailParts {
  const { pid, form, seenBy, folder, start } = found;
  const [comm, executable] = [found.comm ?? '', found.exe ?? ''];
  const name = comm === '' ? '' : ` (${comm})`;
  return {
    subject: subjectOf(pid, comm, executable, start ?? '0'),
    summary:
      form === 'covered'
        ? `something is mounted over process ${pid}${name}, so that it cannot be looked at`
        : `process ${pid}${name} runs and the list of processes leaves it out`,
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
 * processes leaves one out is asked of the kernel for every number there is, now and then.
 */
export const hiddenProcess: Check = {
  id: 'hidden-process',
  avenue: 'inject_clip',
  severity: 'critical',
  tier: 3,
  alone: true,
  key: ['comm', 'executable'],
  text: {
    about: 'A process runs and the machine does not show it.',
    benign: 'None that is known: a process that starts or ends during a look is looked at twice.',
    remedy: 'take the machine off the network and look at it from a system that you trust',
  },
  judge({ snapshot }, report) {
    const { covers } = snapshot.host;
    if (isRefusal(covers)) {
      const blindness = refusedBlindness('what is mounted over processes', covers);
      report.blind({ ...blindness, hides: hidesProcesses });
      return;
    }
    for (const pid of new Set(covers.map((one) => one.pid)))
      report.fail(
        explainCovered(
          pid,
          covers.filter((one) => one.pid === pid),
        ),
      );
    if (covers.length === 0) report.pass();
  },
  async scan({ scans }, report, signal) {
    const found = await scans.hiddenPids({ signal });
    if (isRefusal(found)) {
      const blindness = refusedBlindness('the processes', found);
      report.blind({ ...blindness, hides: hidesProcesses });
      return;
    }
    for (const reason of found.blind) report.blind({ ...blindnessOf(reason), hides: hidesProcesses });
    for (const one of found.found) report.fail(explainHidden(one));
    if (found.judged && found.found.length === 0) report.pass();
  },
};
