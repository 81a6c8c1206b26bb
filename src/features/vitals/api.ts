/** What the service uses of it: the last reading as metrics, in base units: seconds, bytes, ratios from 0 to 1. */
import type { VitalFacts } from '../../checks/vitals.ts';

interface VitalMetric {
  readonly name: string;
  readonly help: string;
  /** Name of its label; "" without one. */
  readonly label: string;
  /** Values by the value of the label; what is not known is left out. */
  readonly values: (facts: VitalFacts) => readonly (readonly [label: string, value: number])[];
}

const single =
  (read: (facts: VitalFacts) => number | boolean | null | undefined): VitalMetric['values'] =>
  (facts) => {
    const value = read(facts) ?? null;
    return value === null ? [] : [['', Number(value)]];
  };

const ratio = (percent: number | null | undefined): number | null =>
  percent === null || percent === undefined ? null : percent / 100;

const PRESSURES = ['cpu', 'memory', 'io'] as const;

const METRICS: readonly (readonly [string, string, string, VitalMetric['values']])[] = [
  ['desk_vitals_uptime_seconds', 'Time since the start of the machine', '', single((v) => v.uptimeSec)],
  ['desk_vitals_load1', 'Load average of one minute', '', single((v) => v.load?.[0])],
  [
    'desk_vitals_cpu_busy_ratio',
    'Busy share of all processors between the last two readings',
    '',
    single((v) => ratio(v.cpu?.busy)),
  ],
  ['desk_vitals_memory_bytes', 'Memory of the machine', '', single((v) => v.memory?.bytes)],
  [
    'desk_vitals_memory_available_bytes',
    'Memory that programs can still get',
    '',
    single((v) => v.memory?.availableBytes),
  ],
  ['desk_vitals_swap_free_bytes', 'Free swap', '', single((v) => v.memory?.swapFreeBytes)],
  [
    'desk_vitals_pressure_ratio',
    'Share of the last five minutes in which some tasks (cpu) or all (memory, io) waited',
    'resource',
    ({ pressure }) =>
      PRESSURES.flatMap((name) => {
        const share = ratio(pressure[name]?.percent300);
        return share === null ? [] : [[name, share] as const];
      }),
  ],
  ['desk_vitals_temperature_celsius', 'The hottest sensor', '', single((v) => v.temperatureCelsius)],
  [
    'desk_vitals_oom_kills',
    'Processes that the kernel ended because memory was short, since the start',
    '',
    single((v) => v.oomKills?.all),
  ],
  ['desk_vitals_failed_units', 'Failed units of systemd', '', single((v) => v.failedUnits?.length)],
  [
    'desk_vitals_clock_synchronised',
    '1 while a time service keeps the clock',
    '',
    single((v) => v.clock?.synchronised),
  ],
  [
    'desk_vitals_reboot_required',
    '1 while the machine does not run what is installed',
    '',
    single((v) => v.reboot?.required),
  ],
  ['desk_vitals_updates', 'Pending updates', '', single((v) => v.updates?.all)],
  [
    'desk_vitals_disk_bytes',
    'Size of each local file system',
    'path',
    ({ disks }) => disks.flatMap(({ path, bytes }) => (bytes === null ? [] : [[path, bytes] as const])),
  ],
  [
    'desk_vitals_disk_available_bytes',
    'What users without privileges may still take of it',
    'path',
    ({ disks }) =>
      disks.flatMap(({ path, availableBytes }) =>
        availableBytes === null ? [] : [[path, availableBytes] as const],
      ),
  ],
  [
    'desk_vitals_disk_free_inodes',
    'Its free inodes; absent where it has no table of them',
    'path',
    ({ disks }) =>
      disks.flatMap(({ path, freeInodes }) => (freeInodes === null ? [] : [[path, freeInodes] as const])),
  ],
];

export const VITAL_METRICS: readonly VitalMetric[] = METRICS.map(([name, help, label, values]) => ({
  name,
  help,
  label,
  values,
}));
