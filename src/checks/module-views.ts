import type { ModuleViews } from '../engine/native/host-types.ts';
import { isRefusal } from '../engine/native/types.ts';
import { refusedBlindness } from './blindness.ts';
import type { Check } from './check.ts';

const VIEWS = [
  { key: 'onlyListed', shows: '/proc/modules', hides: '/sys/module' },
  { key: 'onlyInSys', shows: '/sys/module', hides: '/proc/modules' },
] as const satisfies readonly {
  readonly key: keyof ModuleViews;
  readonly shows: string;
  readonly hides: string;
}[];

/** Modules that one of the kernel's two lists shows and the other does not: hiding from one is the first thing a rootkit does. */
export const moduleViews: Check = {
  id: 'module-views',
  avenue: 'scar',
  severity: 'high',
  tier: 3,
  text: {
    about: 'A kernel module shows in one list of modules and not in the other.',
    benign: 'A module that was loaded or unloaded during the look (two looks must agree).',
    remedy: 'take the machine off the network and look at it from a system that you trust',
  },
  async scan({ scans }, report) {
    const [first, second] = [await scans.modules(), await scans.modules()];
    for (const one of [first, second])
      if (isRefusal(one)) {
        const blindness = refusedBlindness('the lists of kernel modules', one);
        report.blind({ ...blindness, hides: ({ kind }) => kind === 'host' });
        return;
      }
    const [before, now] = [first as ModuleViews, second as ModuleViews];
    let strange = 0;
    for (const { key, shows, hides } of VIEWS)
      for (const name of now[key].filter((one) => before[key].includes(one))) {
        strange++;
        report.fail({
          subject: { kind: 'host', name: `module ${name}` },
          summary: `the kernel module ${name} shows in ${shows} and not in ${hides}`,
          evidence: { module: name, shown_in: shows, missing_in: hides },
          evidenceClass: `missing in ${hides}`,
        });
      }
    if (strange === 0) report.pass();
  },
};
