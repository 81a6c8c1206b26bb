/** The state of the machine as checks see it: load, memory, disks, clock and the like, and what of it the law calls a concern. */
import { plural } from '../base/plural.ts';
import type { Law } from '../policy/law.ts';

export interface DiskFacts {
  /** Where it is mounted. */
  readonly path: string;
  readonly device: string;
  readonly type: string;
  /** Null where it could not be asked. */
  readonly bytes: number | null;
  /** What users without privileges may still take. */
  readonly availableBytes: number | null;
  /** Of what such users may use in all, as df(1) counts; 0 to 100. */
  readonly availablePercent: number | null;
  /** Null also where the file system has no table of inodes. */
  readonly inodes: number | null;
  readonly freeInodes: number | null;
  readonly freeInodesPercent: number | null;
  /** The file system, not this mount of it. */
  readonly readOnly: boolean;
  /** It was mounted for writing, and the kernel writes no more to it. */
  readonly turnedReadOnly: boolean;
  /** Why the nulls are null; "" where none is. */
  readonly reason: string;
}

export interface DriveFacts {
  /** As in /sys/block. */
  readonly name: string;
  readonly model: string;
  /** What the driver says, as `live` or `running`; null where it says nothing. */
  readonly state: string | null;
  /** Commands that ended with an error since the start; null where the driver does not count. */
  readonly errors: number | null;
  /** Missing members of a RAID; null for a drive that is not a RAID. */
  readonly missing: number | null;
  /** Faults of ext4 that it has recorded since the last check; null for file systems other than ext4. */
  readonly fileSystemErrors: number | null;
}

/** What smartd has read of a drive. */
export interface SmartFacts {
  /** Its model and number, as smartd writes them. */
  readonly name: string;
  /** The state file of smartd, which is kept when the drive is gone. */
  readonly path: string;
  readonly asOfMs: number;
  /** Sectors that were replaced, that could not be read, and that could not be corrected; null where the drive does not count them. */
  readonly reallocated: number | null;
  readonly pending: number | null;
  readonly uncorrectable: number | null;
  readonly failedSelfTests: number;
  /** In its log; null where that is not counted. */
  readonly errors: number | null;
  /** What smartd has sent warnings of, without a full stop; it counts only what it sends. */
  readonly warnings: readonly string[];
  /** Of these, what is so now, or does not end by itself. */
  readonly serious: readonly string[];
}

export interface InterfaceFacts {
  readonly name: string;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  /** Null before a second reading. */
  readonly receivedPerSec: number | null;
  readonly sentPerSec: number | null;
  /** Packets with errors, and dropped ones, both ways, since the start. */
  readonly errors: number;
  readonly dropped: number;
}

export interface UnitFacts {
  readonly name: string;
  readonly description: string;
}

/** Shares of the time in which tasks waited: Documentation/accounting/psi.rst. */
export interface Pressure {
  readonly percent10: number;
  readonly percent300: number;
}

/** `absent`: this machine has no such thing. `unread`: it may, and could not be read. */
export interface Missing {
  /** The field or fields of the record. */
  readonly what: string;
  readonly reason: string;
  readonly kind: 'absent' | 'unread';
}

/** Null is not known; `missing` says why. */
export interface VitalFacts {
  readonly readMs: number;
  readonly uptimeSec: number | null;
  readonly load: readonly [one: number, five: number, fifteen: number] | null;
  readonly cpus: number | null;
  /** Shares of all processors since the previous reading, percent. */
  readonly cpu: { readonly busy: number; readonly ioWait: number; readonly steal: number } | null;
  readonly memory: {
    readonly bytes: number;
    readonly availableBytes: number;
    readonly swapBytes: number;
    readonly swapFreeBytes: number;
  } | null;
  /** cpu: some tasks waited; memory and io: all did. */
  readonly pressure: Readonly<Record<'cpu' | 'memory' | 'io', Pressure | null>>;
  readonly disks: readonly DiskFacts[];
  /** Mounts that may wait for another machine or a program: they are not asked. */
  readonly notAsked: readonly { readonly path: string; readonly type: string }[];
  readonly drives: readonly DriveFacts[];
  readonly smart: readonly SmartFacts[];
  readonly interfaces: readonly InterfaceFacts[] | null;
  /** Of the hottest sensor. */
  readonly temperatureCelsius: number | null;
  /** Since the start of the machine, and seen in the last hour. */
  readonly oomKills: { readonly all: number; readonly lastHour: number } | null;
  readonly failedUnits: readonly UnitFacts[] | null;
  readonly clock: { readonly synchronised: boolean; readonly errorMs: number | null } | null;
  readonly reboot: { readonly required: boolean; readonly reason: string } | null;
  readonly updates: {
    readonly all: number;
    readonly security: number | null;
    readonly asOfMs: number;
  } | null;
  readonly missing: readonly Missing[];
}

export const SIGNS = [
  'disk-space',
  'inodes',
  'read-only',
  'drive',
  'memory',
  'cpu-pressure',
  'memory-pressure',
  'io-pressure',
  'temperature',
  'clock',
  'failed-unit',
  'oom-kill',
] as const;
export type Sign = (typeof SIGNS)[number];

export interface Concern {
  readonly sign: Sign;
  /** The mount, unit or drive; "" of the machine. */
  readonly about: string;
  readonly summary: string;
  readonly evidence: Readonly<Record<string, string | number>>;
}

const GIB = 1024 ** 3;
const space = (bytes: number): string =>
  bytes < GIB ? `${Math.round(bytes / 1024 ** 2)} MiB` : `${one(bytes / GIB)} GiB`;
const one = (value: number): number => Math.round(value * 10) / 10;

/** States of drives that work: drivers/scsi/scsi_sysfs.c, drivers/nvme/host/sysfs.c. */
const WORKING: ReadonlySet<string> = new Set([
  'running',
  'live',
  'created',
  'new',
  'connecting',
  'resetting',
  'quiesce',
  'blocked',
  'created-blocked',
]);

function* ofDisks({ disks }: VitalFacts, { vitals: limits }: Law): Generator<Concern> {
  for (const { path, turnedReadOnly, readOnly, type, ...disk } of disks) {
    if (turnedReadOnly)
      yield {
        ...{ sign: 'read-only', about: path },
        summary: `${path} (${type}) was mounted for writing and is read-only now`,
        evidence: { type },
      };
    // Nothing is written to it.
    if (readOnly) continue;
    const { availablePercent: free, availableBytes: bytes, freeInodesPercent: inodes } = disk;
    if (free !== null && bytes !== null && free < limits.diskFreePercent && bytes < limits.diskFreeGib * GIB)
      yield {
        ...{ sign: 'disk-space', about: path },
        summary: `${path} has ${one(free)} % of its space left, ${space(bytes)}`,
        evidence: {
          available_bytes: bytes,
          available_percent: one(free),
          limit_percent: limits.diskFreePercent,
        },
      };
    if (inodes !== null && inodes < limits.inodesFreePercent)
      yield {
        ...{ sign: 'inodes', about: path },
        summary: `${path} has ${one(inodes)} % of its inodes left`,
        evidence: { free_percent: one(inodes), limit_percent: limits.inodesFreePercent },
      };
  }
}

function* ofDrives({ drives }: VitalFacts): Generator<Concern> {
  for (const { name, state, missing, fileSystemErrors } of drives) {
    const faults = [
      ...(state === null || WORKING.has(state) ? [] : [`its driver says "${state}"`]),
      ...((missing ?? 0) > 0 ? [`it lacks ${plural(missing ?? 0, 'member')}`] : []),
      ...((fileSystemErrors ?? 0) > 0
        ? [`ext4 has recorded ${plural(fileSystemErrors ?? 0, 'error')} on it`]
        : []),
    ];
    if (faults.length > 0)
      yield {
        ...{ sign: 'drive', about: name },
        summary: `${name}: ${faults.join(', ')}`,
        evidence: { faults: faults.join(', ') },
      };
  }
}

const sectors = (count: number | null): string => (count === 1 ? 'sector' : 'sectors');

function* ofSmart({ smart }: VitalFacts): Generator<Concern> {
  for (const { name, path, asOfMs, pending, uncorrectable, failedSelfTests, serious } of smart) {
    const faults = [
      ...((pending ?? 0) > 0 ? [`${pending} ${sectors(pending)} that could not be read`] : []),
      ...((uncorrectable ?? 0) > 0
        ? [`${uncorrectable} ${sectors(uncorrectable)} that could not be corrected`]
        : []),
      ...(failedSelfTests > 0 ? [`failed self-tests: ${failedSelfTests}`] : []),
      ...serious,
    ];
    if (faults.length > 0)
      yield {
        ...{ sign: 'drive', about: name },
        summary: `${name}: ${faults.join(', ')}, by smartd on ${new Date(asOfMs).toISOString().slice(0, 10)} (if the drive is gone, remove ${path})`,
        evidence: { faults: faults.join(', ') },
      };
  }
}

/** The limit of each sign; those without one are always judged. */
const LIMITS: Partial<Record<Sign, keyof Law['vitals']>> = {
  'disk-space': 'diskFreePercent',
  inodes: 'inodesFreePercent',
  memory: 'memoryAvailablePercent',
  'cpu-pressure': 'cpuPressurePercent',
  'memory-pressure': 'memoryPressurePercent',
  'io-pressure': 'ioPressurePercent',
  temperature: 'temperatureCelsius',
  clock: 'clockUnsynchronisedMin',
  'failed-unit': 'failedUnits',
  'oom-kill': 'oomKills',
};

/** Whether the law has a limit for it. */
export const isJudged = (sign: Sign, { vitals }: Law): boolean => {
  const limit = LIMITS[sign];
  return limit === undefined || vitals[limit] > 0;
};

const PRESSURES = [
  ['cpu', 'cpuPressurePercent', 'some tasks waited for a processor'],
  ['memory', 'memoryPressurePercent', 'all tasks waited for memory'],
  ['io', 'ioPressurePercent', 'all tasks waited for disks'],
] as const;

function* ofLoad(
  { memory, pressure, temperatureCelsius: celsius }: VitalFacts,
  { vitals: limits }: Law,
): Generator<Concern> {
  const available =
    memory === null || memory.bytes === 0 ? null : (100 * memory.availableBytes) / memory.bytes;
  if (available !== null && available < limits.memoryAvailablePercent)
    yield {
      ...{ sign: 'memory', about: '' },
      summary: `${one(available)} % of the memory is available`,
      evidence: { available_percent: one(available), limit_percent: limits.memoryAvailablePercent },
    };
  for (const [name, key, what] of PRESSURES) {
    const [limit, percent] = [limits[key], pressure[name]?.percent300 ?? null];
    if (limit > 0 && percent !== null && percent >= limit)
      yield {
        ...{ sign: `${name}-pressure`, about: '' },
        summary: `${what} in ${one(percent)} % of the last five minutes`,
        evidence: { percent: one(percent), limit_percent: limit },
      };
  }
  const limit = limits.temperatureCelsius;
  if (limit > 0 && celsius !== null && celsius >= limit)
    yield {
      ...{ sign: 'temperature', about: '' },
      summary: `the hottest sensor reads ${one(celsius)} °C`,
      evidence: { celsius: one(celsius), limit_celsius: limit },
    };
}

function* ofSystem(
  { clock, uptimeSec, failedUnits, oomKills }: VitalFacts,
  { vitals: limits }: Law,
): Generator<Concern> {
  const { clockUnsynchronisedMin: minutes } = limits;
  if (minutes > 0 && clock?.synchronised === false && uptimeSec !== null && uptimeSec >= minutes * 60)
    yield {
      ...{ sign: 'clock', about: '' },
      summary: `the clock is not synchronised, and the machine has run for more than ${minutes} minutes`,
      evidence: { limit_min: minutes },
    };
  if (limits.failedUnits > 0 && failedUnits !== null && failedUnits.length >= limits.failedUnits)
    for (const { name, description } of failedUnits)
      yield {
        ...{ sign: 'failed-unit', about: name },
        summary: `the unit ${name} has failed (${description})`,
        evidence: { failed: failedUnits.length, limit: limits.failedUnits },
      };
  if (limits.oomKills > 0 && oomKills !== null && oomKills.lastHour >= limits.oomKills)
    yield {
      ...{ sign: 'oom-kill', about: '' },
      summary: `the kernel has ended ${plural(oomKills.lastHour, 'process', 'processes')} in the last hour because memory was short`,
      evidence: { last_hour: oomKills.lastHour, limit: limits.oomKills },
    };
}

/** What of a reading the law calls a concern. What is null is none: `missing` says so. */
export const concernsOf = (facts: VitalFacts, law: Law): readonly Concern[] => [
  ...ofDisks(facts, law),
  ...ofDrives(facts),
  ...ofSmart(facts),
  ...ofLoad(facts, law),
  ...ofSystem(facts, law),
];

export const concernKey = ({ sign, about }: Pick<Concern, 'sign' | 'about'>): string =>
  `${sign} ${about}`.trim();

/** What both of two readings have, in the words of the later one. */
export function lastingConcerns(
  [before, now]: readonly [VitalFacts, VitalFacts],
  law: Law,
): readonly Concern[] {
  const earlier = new Set(concernsOf(before, law).map(concernKey));
  return concernsOf(now, law).filter((concern) => earlier.has(concernKey(concern)));
}
