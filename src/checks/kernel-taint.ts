import { ofKind, readTwice } from './blindness.ts';
import type { Check } from './check.ts';

/** By bit: name and what set it (Documentation/admin-guide/tainted-kernels.rst). */
const BITS: readonly (readonly [name: string, because: string])[] = [
  ['proprietary-module', 'a proprietary module was loaded'],
  ['forced-load', 'a module was loaded by force'],
  ['out-of-specification', 'the machine is not what this kernel was built for'],
  ['forced-unload', 'a module was unloaded by force'],
  ['machine-check', 'the processor reported a machine check'],
  ['bad-page', 'a page of memory was in a wrong state'],
  ['user-request', 'a program of user space asked for it'],
  ['died', 'the kernel has died once (oops or bug)'],
  ['acpi-override', 'an ACPI table was replaced by the user'],
  ['warning', 'the kernel has issued a warning'],
  ['staging-driver', 'a driver of the staging tree was loaded'],
  ['firmware-workaround', 'a bug of the firmware is worked around'],
  ['out-of-tree-module', 'a module from outside the kernel tree was loaded'],
  ['unsigned-module', 'a module without a valid signature was loaded'],
  ['soft-lockup', 'a processor hung in the kernel'],
  ['live-patch', 'the kernel was patched while it ran'],
  ['auxiliary', 'a reason that the distribution defines'],
  ['struct-randomisation', 'the kernel was built with randomised structures'],
  ['in-kernel-test', 'a test in the kernel was run'],
  ['firmware-mutation', 'user space changed the firmware of a device in a way that may harm'],
];

/** What has happened to the kernel since it was booted, as it says itself. A bit that is set stays so until the next boot. */
export const kernelTaint: Check = {
  id: 'kernel-taint',
  avenue: 'scar',
  severity: 'medium',
  tier: 3,
  techniques: ['T1014', 'T1547.006'],
  text: {
    about: 'The kernel is tainted: something was loaded, or happened, that its developers do not support.',
    benign: 'Drivers from outside the kernel tree, and bugs of hardware or firmware.',
    remedy: 'find the cause in the kernel log, remove it and reboot',
  },
  causes: Object.entries({
    'proprietary-module': 'drivers of graphics cards are often proprietary',
    'out-of-tree-module': 'drivers are often built separately from the kernel (DKMS)',
    'unsigned-module': 'modules built on the machine are often unsigned',
  }).map(([name, why]) => ({ name, why, evidenceClass: [name] })),
  async scan({ scans }, report) {
    const readings = await readTwice(() => scans.taint(), 'the taint of the kernel', report, ofKind('host'));
    if (readings === null) return;
    const taint = readings[0] & readings[1];
    for (let bit = 0; bit < 64; bit++) {
      if (((taint >> BigInt(bit)) & 1n) === 0n) continue;
      const [name, because] = BITS[bit] ?? [`bit-${bit}`, 'a reason that this version does not know'];
      report.fail({
        subject: { kind: 'host', name: `kernel ${name}` },
        summary: `the kernel is tainted: ${because} (${name}, bit ${bit})`,
        evidence: { bit, tainted: String(taint) },
        evidenceClass: name,
      });
    }
    if (taint === 0n) report.pass();
  },
};
