/** A healthy machine. */
import { concernsOf, type DiskFacts, type VitalFacts } from '../../src/checks/vitals.ts';
import { defaultConfig } from '../../src/config/load.ts';
import { lawOf } from '../../src/features/law/law.ts';
import type { VitalsFacts } from '../../src/records/vitals.ts';

const GIB = 1024 ** 3;

export const diskFacts = (parts: Partial<DiskFacts> = {}): DiskFacts => ({
  path: '/',
  device: '/dev/vda1',
  type: 'ext4',
  bytes: 100 * GIB,
  availableBytes: 60 * GIB,
  availablePercent: 60,
  inodes: 1000,
  freeInodes: 900,
  freeInodesPercent: 90,
  readOnly: false,
  turnedReadOnly: false,
  reason: '',
  ...parts,
});

export const vitalFacts = (parts: Partial<VitalFacts> = {}): VitalFacts => ({
  readMs: 1_767_323_046_000,
  uptimeSec: 93_784,
  load: [0.5, 0.25, 0.125],
  cpus: 4,
  cpu: { busy: 12.5, ioWait: 1, steal: 0 },
  memory: { bytes: 8 * GIB, availableBytes: 4 * GIB, swapBytes: GIB, swapFreeBytes: GIB },
  pressure: {
    cpu: { percent10: 1, percent300: 2 },
    memory: { percent10: 0, percent300: 0 },
    io: { percent10: 0.5, percent300: 0.25 },
  },
  disks: [diskFacts()],
  notAsked: [],
  drives: [{ name: 'vda', model: '', state: null, errors: null, missing: null, fileSystemErrors: 0 }],
  smart: [],
  interfaces: [
    { name: 'lo', receivedBytes: 1, sentBytes: 1, receivedPerSec: 1, sentPerSec: 1, errors: 0, dropped: 0 },
    {
      name: 'eth0',
      receivedBytes: 5000,
      sentBytes: 7000,
      receivedPerSec: 100,
      sentPerSec: 200,
      errors: 0,
      dropped: 2,
    },
  ],
  temperatureCelsius: 48.5,
  oomKills: { all: 0, lastHour: 0 },
  failedUnits: [],
  clock: { synchronised: true, errorMs: 12 },
  reboot: { required: false, reason: '' },
  updates: { all: 3, security: 1, asOfMs: 1_767_300_000_000 },
  missing: [],
  ...parts,
});

export const LAW = lawOf(defaultConfig());

export const vitalsRead = (parts: Partial<VitalFacts> = {}): VitalsFacts => {
  const facts = vitalFacts(parts);
  return { facts, concerns: concernsOf(facts, LAW) };
};
