import { bad, dim, good, strong, type Terminal, warn } from '../../base/terminal.ts';
import { type ExitCode, exit, Failure, usage } from '../../desk/failure.ts';
import type { HiddenDeps, Progress, SweepOptions } from '../../engine/hidden.ts';
import type { HiddenPidReport } from '../../engine/hidden-pids.ts';
import type { HiddenPortReport } from '../../engine/hidden-ports.ts';
import type { CliCommand, CliContext } from '../command.ts';
import { nativeAddon, nativeOrFailure } from '../context.ts';

export const hidden: CliCommand = {
  name: 'hidden',
  summary: 'Finds hidden processes and hidden ports: asks the kernel about every pid or port number',
  arguments: [{ name: 'what', meaning: 'processes or ports', choices: ['pid', 'port'] }],
  options: [
    { flags: '--all', meaning: 'pid: every number the kernel could give, not only those below pid_max' },
  ],
  examples: [
    ['desk hidden pid', 'processes that run and are left out of /proc, or are mounted over; changes nothing'],
    ['desk hidden pid --all', 'the same over all four million numbers'],
    ['desk hidden port', 'ports that are taken and in no socket table; binds each free one for a moment'],
  ],
  async run(context, { arguments: { what }, options: { all } }) {
    if (what === 'port' && all === true)
      throw usage('--all is for "desk hidden pid"; every port is asked anyway.');
    return what === 'port' ? ports(context) : pids(context, all === true);
  },
};

async function pids(context: CliContext, all: boolean): Promise<ExitCode> {
  const report = await sweep(context, async (deps, options) => {
    const [{ EngineScans }, { chooseBackend }] = await Promise.all([
      import('../../engine/scheduled-scans.ts'),
      import('../../engine/native/backend.ts'),
    ]);
    const { backend } = nativeOrFailure(() => chooseBackend(deps.native));
    const found = await new EngineScans({ ...deps, backend }).hiddenPids({ ...options, all });
    if ('errno' in found)
      throw new Failure(exit.refused, `/proc cannot be opened (${found.code}).`, '', 'Mount proc there.');
    return found;
  });
  return printed(context, 'H7_HIDDEN_PID', report, showPids);
}

async function ports(context: CliContext): Promise<ExitCode> {
  const report = await sweep(context, async (deps, options) => {
    const { sweepHiddenPorts } = await import('../../engine/hidden-ports.ts');
    return sweepHiddenPorts(deps, options);
  });
  return printed(context, 'H7_HIDDEN_PORT', report, showPorts);
}

/** Runs a sweep over workers of its own; Ctrl-C ends it between two pieces. */
async function sweep<T>(
  { err }: CliContext,
  work: (deps: HiddenDeps, options: SweepOptions) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const { defaultWorkers, Pool } = await import('../../engine/pool.ts');
  const native = await nativeAddon();
  const pool = new Pool(defaultWorkers(), native.mark);
  const onProgress = ({ stage, done, total }: Progress): void =>
    err.progress(`${stage} ${Math.floor((100 * done) / total)} %`);
  try {
    return await work({ native, pool }, { signal: stop.signal, onProgress });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    throw new Failure(exit.refused, 'Cancelled: nothing was judged.');
  } finally {
    err.progress('');
    await pool.close(1000);
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

async function printed<T extends HiddenPidReport | HiddenPortReport>(
  { answer }: CliContext,
  word: string,
  report: T,
  show: (out: Terminal, report: T) => void,
): Promise<ExitCode> {
  const { now } = await import('../../engine/now.ts');
  const code = answer({ ts: now(), word, ...report }, show, report.found.length === 0);
  return code === exit.ok && !report.judged ? exit.refused : code;
}

const ms = (us: number): string => `${(us / 1000).toFixed(1)} ms`;

function head(out: Terminal, name: string, report: HiddenPidReport | HiddenPortReport, scope: string): void {
  const { found, judged, blind, us } = report;
  const verdict =
    found.length > 0
      ? bad(`${found.length} hidden`)
      : !judged
        ? warn('not judged')
        : blind.length > 0
          ? warn('none found, some could not be seen')
          : good('none');
  out.line(strong(name), '  ', verdict, dim(`  ${scope}, ${ms(us.total)}`));
  for (const reason of blind) out.wrapped(warn('  blind  '), reason);
}

function showPids(out: Terminal, report: HiddenPidReport): void {
  const { counts, found, rounds } = report;
  const scope = `${counts.probed} numbers below ${counts.end} beside ${counts.listed} listed processes`;
  head(out, 'Hidden processes', report, scope);
  if (found.length === 0) return;
  out.line(dim(`  confirmed ${rounds} times; check each before you end it`));
  const columns = [
    { title: 'pid', align: 'right' as const },
    { title: 'how' },
    { title: 'seen by' },
    { title: 'command', shrink: 'start' as const },
    { title: 'executable', shrink: 'end' as const },
  ];
  const rows = found.map((one) => [
    one.pid,
    one.form === 'covered' ? 'something is mounted over it' : `not listed, folder ${one.folder}`,
    one.seenBy.join(' '),
    one.comm ?? '?',
    one.exe ?? '?',
  ]);
  out.table(columns, rows);
}

function showPorts(out: Terminal, report: HiddenPortReport): void {
  const { counts, found, unsure, rounds } = report;
  head(out, 'Hidden ports', report, `${counts.tried} binds, ${counts.taken} taken`);
  const both = [
    ...found.map((one) => ({ ...one, how: 'hidden' })),
    ...unsure.map((one) => ({ ...one, how: 'perhaps only bound' })),
  ];
  if (both.length === 0) return;
  out.line(dim(`  taken and in no socket table, ${rounds} times`));
  const columns = [
    { title: 'port', align: 'right' as const },
    { title: 'protocol' },
    { title: 'how' },
    { title: 'bound to' },
  ];
  out.table(
    columns,
    both.map(({ port, protocol, how, addresses, scope }) => [
      port,
      protocol,
      how,
      `${addresses.join(' ')} (${scope})`,
    ]),
  );
}
