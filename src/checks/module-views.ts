import { ofKind, readTwice } from './blindness.ts';
import type { Check } from './check.ts';

const VIEWS = [
  { key: 'onlyListed', shows: '/proc/modules', hides: '/sys/module' },
  { key: 'onlyInSys', shows: '/sys/module', hides: '/proc/modules' },
] as const;

/** Modules that one of the kernel's two lists shows and the other does not: hiding from one is the first thing a rootkit does. */
export const moduleViews: Check = {
  id: 'module-views',
  avenue: 'scar',
  severity: 'high',
  tier: 3,
  techniques: ['T1014', 'T1547.006'],
  text: {
    about: 'A kernel module is in only one of the two lists of modules.',
    benign: 'A module that was loaded or unloaded during the scan (two readings must agree).',
    remedy: 'disconnect the machine from the network and examine it from a system that you trust',
  },
  async scan({ scans }, report) {
    const read = () => scans.modules();
    const readings = await readTwice(read, 'the lists of kernel modules', report, ofKind('host'));
    if (readings === null) return;
    const [before, now] = readings;
    let strange = 0;
    for (const { key, shows, hides } of VIEWS)
      for (const name of now[key].filter((one) => before[key].includes(one))) {
        strange++;
        report.fail({
          subject: { kind: 'host', name: `module ${name}` },
          summary: `the kernel module ${name} appears in ${shows} and not in ${hides}`,
          evidence: { module: name, shown_in: shows, missing_in: hides },
          evidenceClass: `missing in ${hides}`,
        });
      }
    if (strange === 0) report.pass();
  },
};
