/** Tables of the newest snapshot: processes, listeners, ports. */
import { type DeskTable, type Hints, type QueryDesk, recordTable, shownColumns } from '../../desk/query.ts';
import { FACT } from '../../engine/native/column-types.ts';
import type { Cell, Source } from '../../query/types.ts';
import { blindClasses } from '../../records/coverage.ts';
import { deskPorts } from '../../records/derive.ts';
import { LISTENERS, listenerSource } from '../../records/listener-columns.ts';
import { portSchema } from '../../records/page.ts';
import {
  livingRows,
  PROCESSES,
  type ProcessSource,
  processSource,
  startMs,
  wasRefused,
} from '../../records/process-columns.ts';
import type { DeskState } from '../../records/state.ts';

/** Waits for a state; what is read from it is the newest one then. */
export async function newestOf(desk: QueryDesk): Promise<() => DeskState> {
  const state = await desk.state();
  return () => desk.latest() ?? state;
}

/** Why rows of these classes of evidence may be missing. */
const gapsOf = (state: DeskState, ...ids: readonly string[]): readonly string[] =>
  blindClasses(state).flatMap(({ id, reason }) => (ids.includes(id) ? [reason] : []));

const PROCESS_HINTS: Hints = { times: ['start'], unknownAs: { wrap: 'blind', state: '?' } };
const PROCESS_COLUMNS = shownColumns(PROCESSES.columns, PROCESS_HINTS);

/** What a column of the record says in words that mean "not read". */
const OWN: Readonly<Record<string, (source: ProcessSource, row: number) => Cell>> = {
  start: startMs,
  executable: (source, row) =>
    PROCESSES.columns.executable.read(source, row) || (wasRefused(source, row, FACT.exe) ? null : undefined),
  by: (source, row) => PROCESSES.columns.by.read(source, row) || undefined,
  own: (source, row) => PROCESSES.columns.own.read(source, row) === 1,
};

function processRows(state: DeskState): Source {
  const source = processSource(state);
  const rows = livingRows(state.snapshot.processes);
  return {
    length: rows.length,
    gaps: gapsOf(state, 'processes'),
    read(name) {
      const own = OWN[name];
      if (own !== undefined) return (row) => own(source, rows[row] as number);
      const { read } = PROCESSES.columns[name as keyof typeof PROCESSES.columns];
      const unknownAs = PROCESS_HINTS.unknownAs?.[name];
      return (row) => {
        const cell = read(source, rows[row] as number);
        return cell === unknownAs ? null : cell;
      };
    },
  };
}

const processes: DeskTable = {
  table: {
    name: 'processes',
    meaning: 'processes that exist now',
    noun: PROCESSES.noun,
    columns: PROCESS_COLUMNS,
    key: ['pid'],
    label: 'comm',
    time: 'start',
    shown: PROCESSES.order,
  },
  needs: null,
  async open(desk, { sinceMs, untilMs }) {
    const newest = await newestOf(desk);
    const notes =
      sinceMs === null && untilMs === null ? [] : ['processes that have ended are not among them'];
    return () => ({ ...processRows(newest()), notes });
  },
};

const LISTENER_COLUMNS = shownColumns(LISTENERS.columns, { unknownAs: { owner: 'blind' } });

const listeners: DeskTable = {
  table: {
    name: 'listeners',
    meaning: 'sockets that listen now, with what allows them',
    noun: LISTENERS.noun,
    columns: LISTENER_COLUMNS,
    key: LISTENERS.identity,
    label: 'executable',
    shown: LISTENERS.order,
  },
  needs: null,
  async open(desk) {
    const newest = await newestOf(desk);
    return () => {
      const state = newest();
      const source = listenerSource({ state, allowSources: desk.allowSources(state) });
      const rows = state.snapshot.listeners;
      return {
        length: rows.length,
        gaps: gapsOf(state, 'sockets'),
        read(name) {
          const { read } = LISTENERS.columns[name as keyof typeof LISTENERS.columns];
          const byHolder = name === 'pids' || name === 'executable';
          return (row) => {
            const cell = read(source, row) as Cell;
            if (name === 'owner' && cell === 'blind') return null;
            if (cell !== '' && !(byHolder && Array.isArray(cell) && cell.length === 0)) return cell;
            // No holder was seen. Where not every descriptor table could be read, there may be one.
            return byHolder && rows[row]?.owner !== 'ownerless' ? null : undefined;
          };
        },
      };
    };
  },
};

const ports = recordTable({
  name: 'ports',
  meaning: 'ports that the desk watches: those of [[ports]], or its own',
  noun: ['desk port', 'desk ports'],
  key: ['port'],
  label: 'name',
  columns: [portSchema],
  hints: { without: ['known', 'reason', 'issue'] },
  read: async (desk) => ({
    rows: deskPorts((await newestOf(desk))()).map(({ up, known, ...port }) => ({
      ...port,
      up: known ? up : null,
    })),
  }),
});

export const MACHINE_TABLES: readonly DeskTable[] = [processes, listeners, ports];
