/** What a query can ask of the state of the machine. */
import { type DeskTable, type QueryDesk, recordTable } from '../../desk/query.ts';
import { SLOW_MS, VITALS } from '../../desk/vitals.ts';
import { now } from '../../engine/now.ts';
import {
  disk,
  failedUnit,
  networkInterface,
  slowProcess,
  slow as slowRecord,
  type VitalsAnswer,
  vitalsRow,
} from '../../records/vitals.ts';
import { vitalsAnswer } from './operations.ts';

/** `fields`: what is missing of these is a gap. */
async function readFor(
  desk: QueryDesk,
  rows: (answer: VitalsAnswer) => readonly object[] | null,
  fields: readonly string[] = [],
) {
  const answer = vitalsAnswer(await desk.use(VITALS).read(), []);
  return {
    rows: rows(answer) ?? [],
    gaps: answer.missing
      .filter(({ what, kind }) => (fields.length === 0 ? kind === 'unread' : fields.includes(what)))
      .map(({ what, reason }) => `${what}: ${reason}`),
    notes: [`read ${answer.row.read}`],
  };
}

const vitals = recordTable({
  name: 'vitals',
  meaning: 'the state of the machine, one row',
  noun: ['reading of the machine', 'readings of the machine'],
  key: ['read'],
  label: 'read',
  time: 'read',
  shown: ['load_one', 'cpu_percent', 'memory_available_bytes', 'fullest_disk', 'fullest_disk_free_percent'],
  columns: [vitalsRow],
  hints: {
    times: ['read'],
    units: { uptime_sec: 's', cpu_percent: '%', memory_bytes: 'bytes', memory_available_bytes: 'bytes' },
  },
  read: (desk) => readFor(desk, ({ row }) => [row]),
});

const disks = recordTable({
  name: 'disks',
  meaning: 'local file systems with their free space and inodes, each once',
  noun: ['file system', 'file systems'],
  key: ['path'],
  label: 'path',
  shown: [
    'path',
    'type',
    'bytes',
    'available_bytes',
    'available_percent',
    'free_inodes_percent',
    'read_only',
  ],
  columns: [disk],
  hints: {
    units: { bytes: 'bytes', available_bytes: 'bytes', available_percent: '%', free_inodes_percent: '%' },
  },
  read: async (desk) => {
    const read = await readFor(desk, (answer) => answer.disks, ['disks']);
    return { ...read, rows: (read.rows as VitalsAnswer['disks']).map(withoutInodes) };
  },
});

/** A file system without a table of inodes has none: that is not unknown. */
const withoutInodes = (one: VitalsAnswer['disks'][number]) =>
  one.inodes === null && one.reason === ''
    ? { ...one, inodes: undefined, free_inodes: undefined, free_inodes_percent: undefined }
    : one;

const interfaces = recordTable({
  name: 'interfaces',
  meaning: 'network interfaces with their traffic since the previous reading',
  noun: ['network interface', 'network interfaces'],
  key: ['name'],
  label: 'name',
  columns: [networkInterface],
  hints: {
    units: {
      received_bytes: 'bytes',
      sent_bytes: 'bytes',
      received_per_sec: 'bytes/s',
      sent_per_sec: 'bytes/s',
    },
  },
  read: (desk) => readFor(desk, (answer) => answer.interfaces, ['interfaces']),
});

const failedUnits = recordTable({
  name: 'failed_units',
  meaning: 'units of systemd that have failed, at most five minutes old',
  noun: ['failed unit', 'failed units'],
  key: ['name'],
  label: 'name',
  columns: [failedUnit],
  read: (desk) => readFor(desk, (answer) => answer.failed_units, ['failed_units']),
});

const slow = recordTable({
  name: 'slow',
  meaning: `what each process uses right now, measured over ${SLOW_MS} ms when it is asked for`,
  noun: ['measured process', 'measured processes'],
  key: ['pid'],
  label: 'name',
  shown: ['pid', 'name', 'cpu_percent', 'resident_bytes', 'read_per_sec', 'written_per_sec'],
  columns: [slowProcess],
  hints: {
    units: {
      cpu_percent: '%',
      resident_bytes: 'bytes',
      read_per_sec: 'bytes/s',
      written_per_sec: 'bytes/s',
    },
    unreadWhenEmpty: ['executable'],
    // Command lines are read for the few that `GET /slow` shows.
    without: ['program'],
  },
  async read(desk) {
    const reading = await desk.use(VITALS).slow('cpu', SLOW_MS, Number.POSITIVE_INFINITY);
    const measured = reading.processes.map(({ start: _, ...one }) => ({ ...one, program: '' }));
    const { processes } = slowRecord.assemble({ ...reading, ts: now(), by: 'cpu', processes: measured });
    return {
      rows: processes,
      notes: [
        `measured over ${reading.intervalMs} ms`,
        ...(reading.passing > 0 ? [`${reading.passing} processes began or ended meanwhile`] : []),
      ],
    };
  },
});

export const QUERY_TABLES: readonly DeskTable[] = [vitals, disks, interfaces, failedUnits, slow];
