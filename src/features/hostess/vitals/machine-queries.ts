/** Which values of the machine a question means, and the queries that read them. */
import type { Amount, Heard, Quantity } from './hear.ts';
import { NEEDS_REBOOT } from './patterns.ts';
import { COLUMNS, type Use } from './quantities.ts';

/** Of several quantities those that are meant. */
export function meantOf(all: readonly Quantity[], plain: string): readonly Quantity[] {
  let quantities = all;
  if (quantities.length > 1) {
    // "Memory pressure" is pressure, "free inodes on the disk" are inodes.
    if (quantities.includes('pressure')) quantities = ['pressure'];
    if (quantities.includes('security')) quantities = ['security'];
    if (quantities.includes('read-only') && quantities.includes('disk')) quantities = ['read-only'];
    if (quantities.includes('inodes')) quantities = quantities.filter((one) => one !== 'disk');
    if (quantities.includes('cores')) quantities = quantities.filter((one) => one !== 'cpu');
    if (quantities.includes('oom')) quantities = ['oom'];
    if (quantities.includes('swap') && !/\b(?:and|und|et|y|,)\b/.test(plain)) quantities = ['swap'];
    if (quantities.includes('temperature')) quantities = quantities.filter((one) => one !== 'cpu');
    if (quantities.includes('reboot') && quantities.includes('uptime'))
      quantities = NEEDS_REBOOT.test(plain) ? ['reboot'] : ['uptime'];
    if (quantities.includes('reboot') && quantities.length > 1) quantities = ['reboot'];
  }
  return quantities;
}

/** "Over the last 15 minutes" is a load average. */
export function isLoadSpan(heard: Heard): boolean {
  const { moment, quantities } = heard;
  return (
    quantities.includes('load') &&
    moment !== null &&
    /\b(?:1|5|15|five|one|fifteen|funf|cinco|cinq|minute) ?(?:min\w*)?\b/.test(moment.text) &&
    /min/.test(moment.text) &&
    moment.how === 'since'
  );
}

/** A path, and all folders above it: a file system at the longest of them holds it. */
function holdersOf(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '');
  return parts
    .map((_, at) => JSON.stringify(`/${parts.slice(0, at + 1).join('/')}`))
    .reverse()
    .concat('"/"');
}

/** The one row of the machine, and the rows of one more table. */
export function machineQueries(
  heard: Heard,
  quantities: readonly Quantity[],
  place: string | null,
): { query: string; second?: string } {
  const tables = [
    ...new Set(quantities.flatMap((one) => Object.keys(COLUMNS[one]).filter((table) => table !== 'vitals'))),
  ];
  const [table] = tables.filter(
    (one) =>
      one !== 'interfaces' ||
      place !== null ||
      /interface|schnittstell|interfaz|nic\b|card|karte|carte|tarjeta|drop|error|verlor|perdu/.test(
        heard.plain,
      ),
  );
  const columns = [...new Set(quantities.flatMap((one) => COLUMNS[one].vitals ?? []))];
  const of = (name: string): string => {
    const rows = [...new Set(quantities.flatMap((one) => COLUMNS[one][name] ?? []))];
    const about = name === 'disks' ? [...new Set(['path', ...rows, 'read_only'])] : rows;
    const key =
      name === 'interfaces'
        ? 'name'
        : place?.startsWith('/') && !/^\/dev\/(?!shm|mqueue|pts|hugepages)/.test(place)
          ? 'path'
          : 'device';
    const value = place?.replace(/(?<=.)\/$/, '') ?? '';
    const where =
      place === null || name === 'failed_units'
        ? ''
        : key === 'device' && !value.startsWith('/')
          ? ` where device = "/dev/${value}"`
          : key === 'path' && name === 'disks'
            ? ` where path in (${holdersOf(value).join(', ')})`
            : ` where ${key} = "${value}"`;
    const order =
      name === 'disks' && key === 'path' && place !== null
        ? ' order by -path limit 1'
        : name === 'interfaces'
          ? ' order by -received_per_sec, -sent_per_sec, name'
          : name === 'disks'
            ? ` order by ${quantities.includes('inodes') && !quantities.includes('disk') ? 'free_inodes_percent' : 'available_percent'}, path`
            : '';
    return `${name} select ${about.join(', ')}${where}${order}`;
  };
  if (table !== undefined && (columns.length === 0 || quantities.length === 1) && table !== 'failed_units')
    return { query: of(table) };
  const query = `vitals select ${[...new Set([...columns, 'read'])].join(', ')}`;
  return table === undefined ? { query } : { query, second: of(table) };
}

/** Conditions of amounts; null where one cannot be one. */
export function limitsOf(
  amounts: readonly Amount[],
  uses: readonly Use[],
  pid: string | undefined,
): readonly string[] | null {
  const conditions: string[] = [];
  for (const { value, unit, compare } of amounts) {
    if (compare === null) {
      if (unit !== '' && String(value) !== pid) return null;
      continue;
    }
    const column =
      unit === 'bytes'
        ? uses.includes('io') && !uses.includes('memory')
          ? 'written_per_sec'
          : 'resident_bytes'
        : unit === '%' && uses.includes('cpu')
          ? 'cpu_percent'
          : unit === '' && uses[0] === 'cpu' && uses.length === 1
            ? 'cpu_percent'
            : null;
    if (column === null) return null;
    conditions.push(`${column} ${compare} ${value}`);
  }
  return conditions;
}
