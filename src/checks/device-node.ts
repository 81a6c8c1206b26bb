import type { DeviceLook, StrangeNode } from '../engine/native/host-types.ts';
import { isRefusal } from '../engine/native/types.ts';
import { refusedBlindness } from './blindness.ts';
import type { Check, FailParts, Report } from './check.ts';

const octal = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0');

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

function tellUnseen({ unseen, cut, majors, strangeCount, strange }: DeviceLook, report: Report): void {
  const hides = ({ kind }: { readonly kind: string }) => kind === 'file';
  if (majors !== null) report.blind({ ...refusedBlindness('the list of drivers', majors), hides });
  if (unseen.length > 0)
    report.blind({
      reason: `some folders below /dev were not looked into (${unseen.slice(0, 4).join(', ')})`,
      cure: 'look at what is mounted there',
      subjects: unseen.length,
      hides,
    });
  if (cut)
    report.blind({
      reason: 'there are too many entries below /dev to see them all',
      cure: 'look at what fills it',
      hides,
    });
  if (strangeCount > strange.length)
    report.blind({
      reason: `more than ${strange.length} entries below /dev are no devices, and the others are not listed`,
      cure: 'take away those that are listed',
      subjects: strangeCount - strange.length,
      hides,
    });
}

/** Regular files and unknown character devices in /dev: a folder that few people look into, and that a boot empties. */
export const deviceNode: Check = {
  id: 'device-node',
  avenue: 'scar',
  severity: 'medium',
  tier: 3,
  key: ['uid', 'mode', 'major', 'minor'],
  text: {
    about: 'Something among the devices is not a device.',
    benign: 'A program that keeps its state in /dev, or a device whose driver was unloaded.',
    remedy: 'look at what it is and who put it there, and take it away if it is not yours',
  },
  causes: [
    {
      name: 'kubernetes',
      why: 'Kubernetes puts the termination message of a container there',
      path: ['/dev/termination-log'],
    },
  ],
  async scan({ scans }, report) {
    const first = await scans.devices();
    const second = isRefusal(first) || first.strange.length === 0 ? first : await scans.devices();
    for (const one of [first, second])
      if (isRefusal(one)) {
        const blindness = refusedBlindness('/dev', one);
        report.blind({ ...blindness, hides: ({ kind }) => kind === 'file' });
        return;
      }
    const [before, now] = [first as DeviceLook, second as DeviceLook];
    const same = ({ path, kind }: StrangeNode): boolean =>
      before.strange.some((one) => one.path === path && one.kind === kind);
    const strange = now.strange.filter(same);
    for (const node of strange) report.fail(explainNode(node));
    tellUnseen(now, report);
    if (strange.length === 0) report.pass();
  },
};
