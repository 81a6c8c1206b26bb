/** `GET /vitals`: the state of the machine itself; `GET /slow`: the processes that use most of it. */
import { z } from 'zod';
import { type Concern, SIGNS, type VitalFacts } from '../checks/vitals.ts';
import { count, done, flag, type Given, type RecordOf, text } from './define.ts';

/** A reading, and what of it the law calls a concern. */
export interface VitalsFacts {
  readonly facts: VitalFacts;
  readonly concerns: readonly Concern[];
}

const amount = z.number().nonnegative();
const known = amount.nullable();

/** One row; null is not known, and `missing` of the record says why. */
const rowShape = {
  read: text.describe('when it was read, RFC 3339'),
  uptime_sec: known.describe('seconds since the start of the machine'),
  load_one: known.describe('load average of one minute'),
  load_five: known.describe('of five minutes'),
  load_fifteen: known.describe('of fifteen minutes'),
  cpus: count.nullable().describe('processors'),
  cpu_percent: known.describe('share of all processors that was busy since the previous reading'),
  io_wait_percent: known.describe('share that waited for disks'),
  steal_percent: known.describe('share that the host of a virtual machine gave to others'),
  memory_bytes: known.describe('memory'),
  memory_available_bytes: known.describe('memory that programs can still get without swapping'),
  swap_bytes: known.describe('swap'),
  swap_free_bytes: known.describe('free swap'),
  cpu_pressure_percent: known.describe(
    'share of the last ten seconds in which some tasks waited for a processor',
  ),
  memory_pressure_percent: known.describe('in which all tasks waited for memory'),
  io_pressure_percent: known.describe('in which all tasks waited for disks'),
  cpu_pressure_five_min_percent: known.describe(
    'share of five minutes in which some tasks waited for a processor',
  ),
  memory_pressure_five_min_percent: known.describe('in which all tasks waited for memory'),
  io_pressure_five_min_percent: known.describe('in which all tasks waited for disks'),
  fullest_disk: text.describe('the mount with the smallest share of free space; "" where none is known'),
  fullest_disk_free_percent: known.describe('that share'),
  temperature_celsius: z.number().nullable().describe('the hottest sensor'),
  received_per_sec: known.describe(
    'bytes that all interfaces but the loopback received each second since the previous reading',
  ),
  sent_per_sec: known.describe('bytes that they sent each second'),
  oom_kills: count
    .nullable()
    .describe('processes that the kernel ended because memory was short, since the start'),
  oom_kills_hour: count.nullable().describe('of these, in the last hour, as far as readings reach back'),
  failed_units: count.nullable().describe('failed units of systemd'),
  clock_synchronised: flag.nullable().describe('a time service keeps the clock'),
  clock_error_ms: known.describe('how wrong the clock may be, as the kernel estimates'),
  reboot_required: flag.nullable().describe('the machine does not run what is installed'),
  reboot_reason: text.describe('why; "" otherwise'),
  updates: count.nullable().describe('pending updates'),
  security_updates: count.nullable().describe('of these, security updates'),
  updates_as_of: text.describe(
    'when the lists of updates were last changed, RFC 3339; "" where they are not known',
  ),
} as const;

export const vitalsRow = z.strictObject(rowShape);

export const disk = z.strictObject({
  path: text.describe('where it is mounted'),
  device: text.describe('what is mounted'),
  type: text.describe('the kind of file system'),
  bytes: known.describe('its size'),
  available_bytes: known.describe('what users without privileges may still take'),
  available_percent: known.describe('share of what they may use in all, as df counts'),
  inodes: known.describe('its inodes; null also where it has no table of them'),
  free_inodes: known.describe('free ones'),
  free_inodes_percent: known.describe('their share'),
  read_only: flag.describe('the file system takes no writes, whatever the mount says'),
  turned_read_only: flag.describe('it was mounted for writing, and the kernel writes no more to it'),
  reason: text.describe('why values are null; "" when the file system was read'),
});

export const drive = z.strictObject({
  name: text.describe('its name in /sys/block'),
  model: text.describe('its model; "" where it has none'),
  state: text.nullable().describe('what its driver says, as live or running; null where it says nothing'),
  errors: count
    .nullable()
    .describe('commands that ended with an error since the start; null where the driver does not count'),
  missing: count.nullable().describe('missing members of a RAID; null for a drive that is not a RAID'),
  file_system_errors: count.nullable().describe('errors that ext4 has recorded; null for other file systems'),
});

const smartDrive = z.strictObject({
  name: text.describe('model and number of the drive'),
  path: text.describe('the state file of smartd'),
  as_of: text.describe('when smartd wrote this, RFC 3339; it does so when something has changed'),
  reallocated: count.nullable().describe('sectors that were replaced; null where the drive does not count'),
  pending: count.nullable().describe('sectors that could not be read'),
  uncorrectable: count.nullable().describe('sectors that could not be corrected'),
  failed_self_tests: count.describe('self-tests that have failed'),
  errors: count.nullable().describe('errors in its log; null where they are not counted'),
  warnings: z
    .array(text)
    .describe('what smartd has sent warnings of; without an address to send to (-m) it counts none'),
});

export const networkInterface = z.strictObject({
  name: text.describe('its name'),
  received_bytes: amount.describe('bytes received since it was made'),
  sent_bytes: amount.describe('bytes sent since it was made'),
  received_per_sec: known.describe(
    'bytes received each second since the previous reading; null before a second reading',
  ),
  sent_per_sec: known.describe('bytes sent each second; null before a second reading'),
  errors: count.describe('packets with errors, both ways'),
  dropped: count.describe('packets that were dropped, both ways'),
});

export const failedUnit = z.strictObject({
  name: text.describe('the unit'),
  description: text.describe('its description'),
});

const login = z.strictObject({
  user: text.describe('who'),
  line: text.describe('the terminal'),
  host: text.describe('from where; "" on this machine'),
  at: text.describe('when, RFC 3339'),
});

const missing = z.strictObject({
  what: text.describe('the field, or the part of the record'),
  reason: text.describe('why it is not known'),
  kind: z
    .enum(['absent', 'unread'])
    .describe('absent: this machine has none; unread: it may, and could not be read'),
});

const concern = z.strictObject({
  sign: z.enum(SIGNS).describe('what is short or broken'),
  about: text.describe('the mount, unit or drive; "" of the machine as a whole'),
  summary: text.describe('in words'),
});

const mount = z.strictObject({
  path: text.describe('where'),
  type: text.describe('the kind of file system'),
});

export const vitals = done(
  'Vitals',
  'VITALS',
  'The state of the machine: load, memory, disks, network, clock',
  {
    row: vitalsRow.describe('one value of each; null is not known, and missing says why'),
    concerns: z
      .array(concern)
      .describe('what is beyond a limit of the law; what lasts becomes a finding of vital-sign'),
    disks: z.array(disk).describe('local file systems, each once'),
    not_asked: z
      .array(mount)
      .describe('mounts that may wait for another machine or a program: they are not asked'),
    drives: z
      .array(drive)
      .describe('drives, as their drivers know them: they are not asked, because that may block'),
    smart: z.array(smartDrive).describe('SMART of each drive, as smartd has read it'),
    interfaces: z
      .array(networkInterface)
      .nullable()
      .describe('network interfaces of the network of the desk'),
    failed_units: z.array(failedUnit).nullable().describe('failed units of systemd'),
    logins: z.array(login).nullable().describe('the last login of each user, the latest first, at most 20'),
    missing: z.array(missing).describe('what is not known, and why'),
  },
);
export type VitalsAnswer = RecordOf<typeof vitals>;

const rounded = (value: number): number => Math.round(value * 100) / 100;
const orNull = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : rounded(value);

/** The sum over all interfaces but the loopback; null while one is not known. */
function rateOf(interfaces: VitalFacts['interfaces'], key: 'receivedPerSec' | 'sentPerSec'): number | null {
  const rates = (interfaces ?? []).filter(({ name }) => name !== 'lo').map((one) => one[key]);
  if (interfaces === null || rates.includes(null)) return null;
  return rounded(rates.reduce<number>((sum, one) => sum + (one ?? 0), 0));
}

/** Of file systems that take writes. */
function fullest(disks: VitalFacts['disks']): readonly [path: string, percent: number | null] {
  let found: readonly [string, number | null] = ['', null];
  for (const { path, availablePercent, readOnly } of disks)
    if (!readOnly && availablePercent !== null && (found[1] === null || availablePercent < found[1]))
      found = [path, rounded(availablePercent)];
  return found;
}

export function vitalsRowOf(facts: VitalFacts): Given<typeof rowShape> {
  const { load, cpu, memory, pressure, clock, updates, oomKills, reboot } = facts;
  const [fullestDisk, fullestDiskFreePercent] = fullest(facts.disks);
  return {
    read: new Date(facts.readMs).toISOString(),
    uptimeSec: facts.uptimeSec,
    ...{
      loadOne: orNull(load?.[0]),
      loadFive: orNull(load?.[1]),
      loadFifteen: orNull(load?.[2]),
      cpus: facts.cpus,
    },
    cpuPercent: orNull(cpu?.busy),
    ioWaitPercent: orNull(cpu?.ioWait),
    stealPercent: orNull(cpu?.steal),
    memoryBytes: memory?.bytes ?? null,
    memoryAvailableBytes: memory?.availableBytes ?? null,
    swapBytes: memory?.swapBytes ?? null,
    swapFreeBytes: memory?.swapFreeBytes ?? null,
    cpuPressurePercent: orNull(pressure.cpu?.percent10),
    memoryPressurePercent: orNull(pressure.memory?.percent10),
    ioPressurePercent: orNull(pressure.io?.percent10),
    cpuPressureFiveMinPercent: orNull(pressure.cpu?.percent300),
    memoryPressureFiveMinPercent: orNull(pressure.memory?.percent300),
    ioPressureFiveMinPercent: orNull(pressure.io?.percent300),
    ...{ fullestDisk, fullestDiskFreePercent },
    temperatureCelsius: orNull(facts.temperatureCelsius),
    receivedPerSec: rateOf(facts.interfaces, 'receivedPerSec'),
    sentPerSec: rateOf(facts.interfaces, 'sentPerSec'),
    oomKills: oomKills?.all ?? null,
    oomKillsHour: oomKills?.lastHour ?? null,
    failedUnits: facts.failedUnits?.length ?? null,
    clockSynchronised: clock?.synchronised ?? null,
    clockErrorMs: orNull(clock?.errorMs),
    rebootRequired: reboot?.required ?? null,
    rebootReason: reboot?.reason ?? '',
    updates: updates?.all ?? null,
    securityUpdates: updates?.security ?? null,
    updatesAsOf: updates === null ? '' : new Date(updates.asOfMs).toISOString(),
  };
}

/** On the page: the row, and what is of concern. */
export const vitalsShown = z.strictObject({
  ...rowShape,
  concerns: z.array(text).describe('what is beyond a limit of the law, in words'),
  not_known: z
    .array(text)
    .describe('what could not be read, and why; what the machine does not have is left out'),
});
export type VitalsShown = z.output<typeof vitalsShown>;

export const vitalsShownOf = ({ facts, concerns }: VitalsFacts) => ({
  ...vitalsRowOf(facts),
  concerns: concerns.map(({ summary }) => summary),
  notKnown: facts.missing
    .filter(({ kind }) => kind === 'unread')
    .map(({ what, reason }) => `${what}: ${reason}`),
});

export const slowProcess = z.strictObject({
  pid: count.describe('its number'),
  name: text.describe('its name, as the kernel has it'),
  executable: text.describe('its program; "" where that could not be read'),
  program: text.describe(
    'of an interpreter its short name with its script or module, without secrets and the rest of its command line; "" where [privacy] command_lines does not allow to read it, where it was not read, and of other programs',
  ),
  uid: count.nullable().describe('the user it belongs to; null where it has ended meanwhile'),
  state: text.describe('R runs, S sleeps, D waits for a disk, Z has ended'),
  cpu_percent: amount.describe('share of one processor; more than 100 with several threads'),
  resident_bytes: amount.describe('memory that it has'),
  read_per_sec: known.describe(
    'bytes that it reads from disks each second; null where that could not be read',
  ),
  written_per_sec: known.describe(
    'bytes that it has written to disks each second; null where that could not be read',
  ),
});

export const slow = done('Slow', 'SLOW', 'The processes that use most CPU, memory or disk right now', {
  by: z.enum(['cpu', 'memory', 'io']).describe('what they are sorted by'),
  interval_ms: amount.describe('how long was measured'),
  processes: z.array(slowProcess).describe('the most first'),
  all: count.describe('processes that were measured'),
  passing: count.describe('processes that began or ended meanwhile, which are not measured'),
  io_unread: count.describe('processes whose use of disks could not be read; sorted by io they are last'),
});
export type SlowAnswer = RecordOf<typeof slow>;
