import { bad, dim, good, strong, type Terminal, warn } from '../../base/terminal.ts';
import { offsetTime } from '../../engine/time.ts';
import { livingRows, PROCESSES, processSource } from '../../records/process-columns.ts';
import type { DeskState } from '../../records/state.ts';
import type { CliCommand } from '../command.ts';

interface Row {
  readonly pid: number;
  /** Null when it could not be read. */
  readonly uid: number | null;
  readonly comm: string;
  readonly exe: string;
  readonly state: 'unwrapped' | 'blind';
  readonly reason: string;
}

export const spvAntivirus: CliCommand = {
  name: 'spv antivirus',
  summary: 'The wrap sweep: a table of unwrapped and blind processes; changes nothing',
  arguments: [{ name: 'once', meaning: 'one sweep', choices: ['once'] }],
  local: true,
  examples: [
    ['desk spv antivirus once', 'sweeps from this process, whether the service runs or not'],
    ['desk spv antivirus once --json', 'the same as JSON'],
  ],
  async run({ answer, withDesk }) {
    // The columns live until two sweeps later: read at once.
    return answer(await withDesk(async (desk) => spvOf(await desk.state({ maxAgeMs: 0 }))), show);
  },
};

/** The unwrapped and blind processes of a state, with the facts that make them so. Pure. */
function spvOf(deskState: DeskState) {
  const { generation, at, engine, counts, processes } = deskState.snapshot;
  const { pid, uid, comm, executable, wrap, by } = PROCESSES.columns;
  const { seccomp, noNewPrivs } = processes.columns;
  const source = processSource(deskState);
  const rows = livingRows(processes).flatMap((row): Row[] => {
    const state = wrap.read(source, row);
    if (state !== 'free' && state !== 'blind') return [];
    return [
      {
        pid: pid.read(source, row),
        uid: uid.read(source, row),
        comm: comm.read(source, row),
        exe: executable.read(source, row),
        state: state === 'blind' ? state : 'unwrapped',
        reason: by.read(source, row) || freeReason(seccomp[row] ?? 0, noNewPrivs[row] ?? 0),
      },
    ];
  });
  return {
    ts: offsetTime(at),
    word: 'H7_SPV',
    generation,
    pids: counts.userSpace,
    wrapped: counts.wrapped,
    unwrapped: counts.free,
    blind: counts.wrapBlind,
    /** Where the namespaces that count as not confining come from. */
    reference: engine.reference,
    processes: rows,
  };
}

function freeReason(seccomp: number, noNewPrivs: number): string {
  if (seccomp === 2)
    return 'it has a seccomp filter, but one of its threads has none, or it holds all capabilities';
  return noNewPrivs === 1 ? 'no_new_privs alone, nothing else confines it' : 'nothing confines it';
}

function show(
  out: Terminal,
  { pids, wrapped, unwrapped, blind, reference, processes }: ReturnType<typeof spvOf>,
): void {
  out.line(
    strong('Wrap sweep '),
    good(`${wrapped} wrapped`),
    ' by the kernel (seccomp, a namespace, a security label, fewer capabilities)',
    ', ',
    unwrapped > 0 ? warn(`${unwrapped} unwrapped`) : '0 unwrapped',
    ', ',
    blind > 0 ? bad(`${blind} blind`) : '0 blind',
    dim(` of ${pids} user-space processes; reference namespaces: ${reference}`),
  );
  if (processes.length === 0) return;
  out.table(
    [
      { title: 'pid', align: 'right' },
      { title: 'uid', align: 'right' },
      { title: 'comm' },
      { title: 'executable', shrink: 'end' },
      { title: '' },
      { title: 'reason', shrink: 'start' },
    ],
    processes.map(({ pid, uid, comm, exe, state, reason }) => [
      pid,
      uid ?? dim('unknown'),
      comm,
      exe || dim('not readable'),
      state === 'blind' ? bad(state) : warn(state),
      reason,
    ]),
  );
  if (blind > 0)
    out.wrapped(
      dim('  '),
      'Blind processes hide their confinement from this process; "desk doctor" says why and what would cure it.',
    );
}
