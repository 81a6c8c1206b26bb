/** Whether the machine runs what was installed: what packages leave in /run, and the kernel that starts next. */
import { existsSync } from 'node:fs';
import { linkOf, namesIn, textOf } from '../../base/read-or-empty.ts';
import type { VitalFacts } from '../../checks/vitals.ts';
import type { Gathered } from './files.ts';
import { releaseIn } from './parsers.ts';

/** `running`: the release of the running kernel; `container`: why the files are not those of the machine, "" where they are. */
export function rebootOf(gathered: Gathered, running: string, container: string): VitalFacts['reboot'] {
  if (container !== '') return gathered.absent('reboot', container);
  if (existsSync(gathered.path('/run/reboot-required'))) {
    const packages = textOf(gathered.path('/run/reboot-required.pkgs')).split('\n').filter(Boolean);
    const named = [...new Set(packages)].slice(0, 5).join(', ');
    return { required: true, reason: named === '' ? 'a package asks for it' : `asked for by ${named}` };
  }
  const modules = [...namesIn(gathered.path('/lib/modules')), ...namesIn(gathered.path('/usr/lib/modules'))];
  const kernels = namesIn(gathered.path('/boot')).flatMap((name) => releaseIn(name) ?? []);
  if (modules.length === 0 && kernels.length === 0)
    return gathered.absent(
      'reboot',
      'the machine has no kernel of its own: neither /boot nor /lib/modules has one',
    );
  if (modules.length > 0 && !modules.includes(running) && !kernels.includes(running))
    return { required: true, reason: `the running kernel ${running} is not installed any more` };
  const next = ['/vmlinuz', '/boot/vmlinuz']
    .map((name) => releaseIn(linkOf(gathered.path(name))))
    .find(Boolean);
  return next === undefined || next === null || next === running
    ? { required: false, reason: '' }
    : { required: true, reason: `the kernel ${next} is installed, ${running} runs` };
}
