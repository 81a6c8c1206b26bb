import { bad, dim, good, strong, type Terminal, warn } from '../../base/terminal.ts';
import { offsetTime } from '../../engine/time.ts';
import type { Moment } from '../../records/moment.ts';
import { livingRows, PROCESSES, processSource } from '../../records/process-columns.ts';
import type { Command } from '../command.ts';
import { exit } from '../failure.ts';

interface Row {
  readonly pid: number;
  readonly uid: number;
  readonly comm: string;
  readonly exe: string;
  readonly state: 'unwrapped' | 'blind';
  readonly reason: string;
}

interface Spv {
  readonly ts: string;
  readonly word: 'H7_SPV';
  readonly generation: number;
  readonly pids: number;
  readonly wrapped: number;
  readonly unwrapped: number;
  readonly blind: number;
  /** Where the namespaces that count as not confining come from. */
  readonly reference: string;
  readonly processes: readonly Row[];
}

export const spvAntivirus: Command = {
  name: 'spv antivirus',
  summary: 'The wrap sweep: a table of unwrapped and blind processes; changes nothing',
  arguments: [{ name: 'once', meaning: 'one sweep', choices: ['once'] }],
  local: true,
  examples: [
    ['desk spv antivirus once', 'sweeps from this process, whether the service runs or not'],
    ['desk spv antivirus once --json', 'the same as JSON'],
  ],
  async run({ out, json, withDesk }) {
    // The columns live until two sweeps later: read at once.
    const record = await withDesk(async (desk) => spvOf(await desk.moment({ maxAgeMs: 0 })));
    if (json) out.json(record);
    else show(out, record);
    return exit.ok;
  },
};

/** The unwrapped and blind processes of a moment, with the facts that make them so. Pure. */
function spvOf(moment: Moment): Spv {
  const { generation, at, engine, counts, processes } = moment.snapshot;
  const { pid, uid, comm, executable, wrap, by } = PROCESSES.columns;
  const { seccomp, noNewPrivs } = processes.columns;
  const source = processSource(moment);
  const rows = livingRows(processes).flatMap((row): Row[] => {
    const state = wrap.read(source, row);
    if (state !== 'free' && state !== 'blind') return [];
    return [
      {
        pid: pid.read(source, row),
        uid: uid.read(source, row) ?? 0,
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
    reference: engine.reference,
    processes: rows,
  };
}

function freeReason(seccomp: number, noNewPrivs: number): string {
  if (seccomp === 2) return 'the leader has a seccomp filter, one of its threads is not confined';
  return noNewPrivs === 1 ? 'no_new_privs alone, nothing else confines it' : 'nothing confines it';
}

function show(out: Terminal, { pids, wrapped, unwrapped, blind, reference, processes }: Spv): void {
  out.line(
    strong('Wrap sweep '),
    good(`${wrapped} wrapped`),
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
      uid,
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
