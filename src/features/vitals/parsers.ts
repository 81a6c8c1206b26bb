/** Files of the kernel and of package tools, as text, to values; null for text of another form. Pure. */
import type { InterfaceFacts, Pressure, UnitFacts } from '../../checks/vitals.ts';

/** A decimal number of at most 2^53; null for anything else. */
function whole(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : null;
}

function decimal(text: string | undefined): number | null {
  return text === undefined || !/^\d{1,16}(?:\.\d{1,9})?$/.test(text) ? null : Number(text);
}

const allKnown = <T extends readonly (number | null)[]>(
  values: T,
): values is T & { readonly [I in keyof T]: number } => values.every((value) => value !== null);

/** proc_loadavg(5). */
export function loadIn(text: string): readonly [number, number, number] | null {
  const [one, five, fifteen] = text.split(' ');
  const load = [decimal(one), decimal(five), decimal(fifteen)] as const;
  return allKnown(load) ? load : null;
}

/** proc_uptime(5), seconds. */
export const uptimeIn = (text: string): number | null => decimal(text.split(' ')[0]);

/** Clock ticks of all processors since the start; guests are part of user and nice: proc_stat(5). */
export interface CpuTicks {
  readonly all: number;
  readonly idle: number;
  readonly ioWait: number;
  readonly steal: number;
  readonly cpus: number;
}

export function cpuTicksIn(text: string): CpuTicks | null {
  const lines = text.split('\n');
  const ticks = lines
    .find((line) => line.startsWith('cpu '))
    ?.trim()
    .split(/\s+/)
    .slice(1, 9)
    .map(whole);
  if (ticks === undefined || ticks.length < 4 || !allKnown(ticks)) return null;
  const [, , , idle = 0, ioWait = 0, , , steal = 0] = ticks as readonly number[];
  const all = ticks.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  return { all, idle, ioWait, steal, cpus: lines.filter((line) => /^cpu\d+ /.test(line)).length };
}

/** Shares of the time between two readings, percent; null while no time has passed. I/O wait may go backwards, as the file's manual says. */
export function cpuBetween(
  before: CpuTicks,
  now: CpuTicks,
): { busy: number; ioWait: number; steal: number } | null {
  const all = now.all - before.all;
  if (all <= 0) return null;
  const share = (ticks: number): number => Math.min(100, Math.max(0, (100 * ticks) / all));
  const [idle, ioWait, steal] = [
    now.idle - before.idle,
    now.ioWait - before.ioWait,
    now.steal - before.steal,
  ];
  return { busy: share(all - idle - ioWait), ioWait: share(ioWait), steal: share(steal) };
}

/** proc_meminfo(5), bytes. */
export function memoryIn(
  text: string,
): { bytes: number; availableBytes: number; swapBytes: number; swapFreeBytes: number } | null {
  const of = (name: string): number | null => {
    const kib = whole(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]);
    return kib === null ? null : kib * 1024;
  };
  const values = [of('MemTotal'), of('MemAvailable'), of('SwapTotal'), of('SwapFree')] as const;
  if (!allKnown(values)) return null;
  const [bytes, availableBytes, swapBytes, swapFreeBytes] = values;
  return { bytes, availableBytes, swapBytes, swapFreeBytes };
}

/** One line of a file of /proc/pressure. */
export function pressureIn(text: string, line: 'some' | 'full'): Pressure | null {
  const [, ten, , hundreds] =
    new RegExp(`^${line} avg10=(\\S+) avg60=(\\S+) avg300=(\\S+) total=\\d+$`, 'm').exec(text) ?? [];
  const values = [decimal(ten), decimal(hundreds)] as const;
  return allKnown(values) ? { percent10: values[0], percent300: values[1] } : null;
}

/** proc_vmstat(5): processes that the kernel ended because memory was short, since the start. */
export const oomKillsIn = (text: string): number | null => whole(/^oom_kill (\d+)$/m.exec(text)?.[1]);

export type Counters = Omit<InterfaceFacts, 'receivedPerSec' | 'sentPerSec'>;

/** proc_pid_net(5): net/dev. */
export function interfacesIn(text: string): readonly Counters[] | null {
  const [first = '', second = '', ...lines] = text.split('\n');
  if (!first.startsWith('Inter-|') || !second.includes('|bytes')) return null;
  return lines.flatMap((line) => {
    // A name may have a colon: an alias of an address.
    const [, name, rest = ''] = /^\s*(\S+):\s*(\d.*)$/.exec(line) ?? [];
    const values = rest.trim().split(/\s+/).map(whole);
    if (name === undefined || values.length !== 16 || !allKnown(values)) return [];
    const at = (index: number): number => values[index] ?? 0;
    return [
      {
        ...{ name, receivedBytes: at(0), sentBytes: at(8) },
        ...{ errors: at(2) + at(10), dropped: at(3) + at(11) },
      },
    ];
  });
}

/** Bytes for each second; null where a counter went backwards: the interface was made anew. */
export function rateBetween(before: number, now: number, sec: number): number | null {
  return sec <= 0 || now < before ? null : (now - before) / sec;
}

/** What update-notifier-common leaves on Ubuntu; null where its sentences are others, as in another language. */
export function updatesIn(text: string): { all: number; security: number | null } | null {
  const all = whole(/^(\d+) (?:updates?|packages?) can be (?:applied|installed|updated)/m.exec(text)?.[1]);
  if (all === null) return null;
  return {
    all,
    security: whole(/^(\d+) of these updates (?:is a|are) (?:standard )?security updates?/m.exec(text)?.[1]),
  };
}

/** `systemctl list-units --failed --output=json`. */
export function failedUnitsIn(text: string): readonly UnitFacts[] | null {
  let units: unknown;
  try {
    units = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(units)) return null;
  const found: UnitFacts[] = [];
  for (const one of units as readonly unknown[]) {
    const { unit, description = '' } = (one ?? {}) as { unit?: unknown; description?: unknown };
    if (typeof unit !== 'string' || typeof description !== 'string') return null;
    found.push({ name: unit, description });
  }
  return found;
}

export interface ProcessTicks {
  readonly pid: number;
  readonly comm: string;
  readonly state: string;
  /** User and system. */
  readonly ticks: number;
  /** Clock ticks after the start of the machine: with the pid it is that process. */
  readonly start: string;
  readonly residentPages: number;
}

/** proc_pid_stat(5). The name may have parentheses and spaces. */
export function processStatIn(text: string): ProcessTicks | null {
  const [, digits, comm, rest = ''] = /^(\d+) \(([\s\S]*)\) (\S [\s\S]*)$/.exec(text) ?? [];
  const fields = rest.trim().split(' ');
  // From the state on, field 3.
  const at = (field: number): string | undefined => fields[field - 3];
  const numbers = [whole(digits), whole(at(14)), whole(at(15)), whole(at(24))] as const;
  const start = at(22);
  if (!allKnown(numbers) || comm === undefined || start === undefined || !/^\d{1,20}$/.test(start))
    return null;
  const [pid, user, system, residentPages] = numbers;
  return { pid, comm, state: at(3) ?? '', ticks: user + system, start, residentPages };
}

export interface ProcessBytes {
  readonly readBytes: number;
  readonly writtenBytes: number;
}

/** proc_pid_io(5): bytes that disks were asked for. */
export function processIoIn(text: string): ProcessBytes | null {
  const of = (name: string): number | null => whole(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1]);
  const values = [of('read_bytes'), of('write_bytes')] as const;
  return allKnown(values) ? { readBytes: values[0], writtenBytes: values[1] } : null;
}

/** The release of the kernel that starts next, of the link /vmlinuz or /boot/vmlinuz; null for another name. */
export const releaseIn = (target: string): string | null =>
  /(?:^|\/)vmlinuz-([\w.+~-]+)$/.exec(target)?.[1] ?? null;
