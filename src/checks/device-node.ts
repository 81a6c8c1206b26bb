import { octal } from '../base/closed-folder.ts';
import type { DeviceScan, StrangeNode } from '../engine/native/host-types.ts';
import { isBlind, ofKind, readTwice } from './blindness.ts';
import type { Check, FailParts, Report } from './check.ts';

const hides = ofKind('file');

function explainNode({ path, kind, bytes, uid, mode, major, minor }: StrangeNode): FailParts {
  const at = `/dev/${path}`;
  const regular = kind === 'regular file';
  return {
    subject: { kind: 'file', path: at },
    summary: regular
      ? `${at} is a regular file of ${bytes} bytes among the devices`
      : `${at} is a character device with the number ${major}:${minor}, which no driver has`,
    evidence: { path: at, kind, uid, mode: octal(mode), ...(regular ? { bytes } : { major, minor }) },
    evidenceClass: kind,
  };
}

function reportUnseen({ unseen, cut, majors, strangeCount, strange }: DeviceScan, report: Report): void {
  isBlind(majors, 'the list of drivers', report, hides);
  if (unseen.length > 0)
    report.blind({
      reason: `some folders below /dev could not be read (${unseen.slice(0, 4).join(', ')})`,
      cure: 'check what is mounted there',
      subjects: unseen.length,
      hides,
    });
  if (cut)
    report.blind({
      reason: 'there are too many entries below /dev to see them all',
      cure: 'check what fills it',
      hides,
    });
  if (strangeCount > strange.length)
    report.blind({
      reason: `more than ${strange.length} entries below /dev are not devices, and the others are not listed`,
      cure: 'remove those that are listed',
      subjects: strangeCount - strange.length,
      hides,
    });
}

/** Regular files and unknown character devices in /dev: a folder that is rarely checked and that a boot empties. */
export const deviceNode: Check = {
  id: 'device-node',
  avenue: 'scar',
  severity: 'medium',
  tier: 3,
  techniques: ['T1564.001'],
  key: ['uid', 'mode', 'major', 'minor'],
  text: {
    about: '/dev contains a file that is not a device.',
    benign: 'A program that keeps its state in /dev, or a device whose driver was unloaded.',
    remedy: 'check what it is and who put it there, and remove it if it is not yours',
  },
  causes: [
    {
      name: 'kubernetes',
      why: 'Kubernetes puts the termination message of a container there',
      path: ['/dev/termination-log'],
    },
  ],
  async scan({ scans }, report) {
    const read = () => scans.devices();
    const readings = await readTwice(read, '/dev', report, hides, ({ strange }) => strange.length > 0);
    if (readings === null) return;
    const [before, now] = readings;
    const strange = now.strange.filter(({ path, kind }) =>
      before.strange.some((one) => one.path === path && one.kind === kind),
    );
    for (const node of strange) report.fail(explainNode(node));
    reportUnseen(now, report);
    if (strange.length === 0) report.pass();
  },
};
