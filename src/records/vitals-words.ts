/** The state of the machine in words, for terminal and page. Browsers load this too, so it has no zod. */
import type { VitalsShown } from './vitals.ts';

export interface VitalWord {
  readonly name: string;
  /** "" where it is not known. */
  readonly text: string;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** `1.4 GiB`. */
export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** `4 d 3 h`, `12 min`. */
export function uptimeText(sec: number): string {
  const minutes = Math.floor(sec / 60);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

const percent = (value: number): string => `${Math.round(value)} %`;

type Row = Omit<VitalsShown, 'concerns' | 'not_known'>;

/** Null where one of them is not known. */
function known<const V extends readonly unknown[]>(
  values: V,
  text: (...values: { [I in keyof V]: NonNullable<V[I]> }) => string,
): string {
  return values.some((value) => value === null) ? '' : text(...(values as never));
}

/** One entry each, in the order to show them. */
export const vitalWords = (row: Row): readonly VitalWord[] => [
  {
    name: 'load',
    text: known([row.load_one, row.load_five, row.load_fifteen], (...load) =>
      load.map((one) => one.toFixed(2)).join(' '),
    ),
  },
  { name: 'CPU', text: known([row.cpu_percent, row.cpus], (busy, cpus) => `${percent(busy)} of ${cpus}`) },
  {
    name: 'memory',
    text: known(
      [row.memory_available_bytes, row.memory_bytes],
      (free, all) => `${bytesText(free)} of ${bytesText(all)} available`,
    ),
  },
  {
    name: 'pressure',
    text: known(
      [row.cpu_pressure_percent, row.memory_pressure_percent, row.io_pressure_percent],
      (cpu, memory, io) => `CPU ${percent(cpu)}, memory ${percent(memory)}, disk ${percent(io)}`,
    ),
  },
  {
    name: 'fullest disk',
    text: known([row.fullest_disk_free_percent], (free) => `${row.fullest_disk} ${percent(free)} free`),
  },
  {
    name: 'network',
    text: known(
      [row.received_per_sec, row.sent_per_sec],
      (down, up) => `${bytesText(down)}/s in, ${bytesText(up)}/s out`,
    ),
  },
  { name: 'temperature', text: known([row.temperature_celsius], (celsius) => `${Math.round(celsius)} °C`) },
  { name: 'up', text: known([row.uptime_sec], uptimeText) },
  {
    name: 'clock',
    text: known([row.clock_synchronised], (is) => (is ? 'synchronised' : 'not synchronised')),
  },
  { name: 'failed units', text: known([row.failed_units], String) },
  { name: 'OOM kills', text: known([row.oom_kills], String) },
  {
    name: 'reboot',
    text: known([row.reboot_required], (is) => (is ? `needed: ${row.reboot_reason}` : 'not needed')),
  },
  {
    name: 'updates',
    text: known([row.updates], (all) => {
      const security = row.security_updates === null ? '' : `, ${row.security_updates} of security`;
      return `${all}${security}, as of ${row.updates_as_of.slice(0, 10)}`;
    }),
  },
];
