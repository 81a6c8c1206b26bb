import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { type ExitCode, exit, Failure, failureOf } from '../../desk/failure.ts';
import type { Limited } from '../../privileges/limit.ts';
import type { Service } from '../../service/service.ts';
import type { CliCommand, CliContext } from '../command.ts';
import { nativeAddon } from '../context.ts';
import { shortLines } from '../log-lines.ts';
import { Signals } from '../signals.ts';
import { refuseUnsafeStart } from '../start-options.ts';
import { printStart, reported, startRecord } from '../start-report.ts';

export const boot: CliCommand = {
  name: 'boot',
  summary: 'Runs the service: sweeps, judges, serves; SIGHUP reloads, SIGTERM or Ctrl-C ends it',
  options: [{ flags: '--no-loop', meaning: 'sweep only when asked' }],
  examples: [
    ['desk boot', 'in the foreground, with the loop'],
    ['DESK_CONFIG=./desk.toml desk boot', 'with a configuration of your own'],
    ['DESK_LOG_LEVEL=debug desk boot', 'with a line for every request'],
  ],
  async run(context, { options }) {
    const fromSources = import.meta.url.endsWith('.ts');
    refuseUnsafeStart({ options: process.execArgv, env: context.env, fromSources });
    // First of all: a signal must find its handler before there is anything that has to be undone.
    const signals = new Signals();
    setFlagsFromString(HEAP_GROWTH);
    context.out.keepGoing();
    context.err.keepGoing();
    try {
      return await serve(context, options.loop !== false, signals);
    } finally {
      signals.close();
    }
  },
};

/**
 * With much memory V8 lets the old generation grow to four times of what lives before it collects garbage. Most of what rechecks
 * leave there dies soon after; here it is collected when the heap is 60 % larger than what lives.
 */
const HEAP_GROWTH = '--heap-growing-percent=60';

async function serve(context: CliContext, loop: boolean, signals: Signals): Promise<ExitCode> {
  const { config, stateDir, env, err } = context;
  const loaded = await config();
  const { trouble, shared } = await limitService(context);
  const [
    { createLogger, logLevel },
    { Service },
    { lawPlaces },
    { ServiceManager, takeManager },
    { journalOf },
  ] = await Promise.all([
    import('../../base/log.ts'),
    import('../../service/service.ts'),
    import('../../features/law/index.ts'),
    import('../../service/service-manager.ts'),
    import('../../service/journal.ts'),
  ]);
  // On a terminal there is the start report; the log there says what goes wrong.
  const level = env.DESK_LOG_LEVEL || !err.isTerminal ? logLevel(env) : 'warn';
  const log = err.isTerminal ? createLogger(level, shortLines(err)) : createLogger(level);
  const native = await nativeAddon();
  const folder = await stateDir();
  if (trouble !== '') log.warn({ reason: trouble }, 'not every privilege was given up that is not used');
  if (shared !== '') log.warn(shared);
  if (signals.stopping) return exit.ok;
  signals.onOverdue = () => log.fatal('stopping took too long; ending without it');
  const manager = new ServiceManager({
    // Of this process, whose children inherit its environment.
    place: takeManager(process.env, process.pid),
    native,
    unreachable: (code) => log.warn({ code }, 'the service manager cannot be notified'),
  });
  const journal = journalOf(process.env, native, (code) =>
    log.warn({ code }, 'a finding could not be written to the journal'),
  );
  manager.starting();
  try {
    const service = await Service.start({
      loaded,
      folder,
      native,
      log,
      loop,
      lawPlaces: (taken) => lawPlaces(taken, env),
      ...(journal !== null && { noted: (finding, what) => journal.note(finding, what) }),
    });
    if (!signals.stopping) {
      manager.ready(() => reported(service));
      context.answer(startRecord(service), printStart);
    }
    signals.onReload(async () => {
      manager.reloading();
      await reload(context, service, log);
      manager.reloaded();
    });
    const signal = await signals.stop;
    manager.stopping();
    log.info({ signal }, 'stopping');
    await signals.reloaded();
    await service.stop().catch((error: unknown) => {
      throw unclean(error);
    });
  } finally {
    manager.close();
  }
  log.info('stopped');
  return exit.ok;
}

/** Gives up what the service does not use; as root the program executes itself again here, with the same pid. */
async function limitService({ stateDir }: CliContext): Promise<Limited> {
  const [{ limitPrivileges }, { openStateDir }, { diskCodeOf }] = await Promise.all([
    import('../../privileges/limit.ts'),
    import('../../state-folder/state-folder.ts'),
    import('../../service/degraded-start.ts'),
  ]);
  const path = await stateDir();
  try {
    openStateDir(path);
  } catch (error) {
    // The service starts without its folder, and reports it.
    if (diskCodeOf(error) === '') throw error;
  }
  return limitPrivileges(await nativeAddon(), path);
}

/** The process ends anyway, so even a bug is reported in words. */
function unclean(error: unknown): Failure {
  const failure = failureOf(error);
  const reason = failure ? [failure.message, failure.why].join(' ').trim() : String(error);
  return new Failure(
    exit.refused,
    'The service ended, but could not close everything properly.',
    reason,
    failure?.remedy || 'The next start checks the store and reports what it finds.',
  );
}

/** SIGHUP: reads the file and takes it. An invalid one changes nothing, and is an issue of the records until it is corrected. */
async function reload({ env }: CliContext, service: Service, log: Logger): Promise<void> {
  try {
    const { describeProblems, firstProblem, loadConfig } = await import('../../config/load.ts');
    const result = loadConfig(env);
    if (!result.ok) {
      log.error(
        { problems: describeProblems(result) },
        'reload refused: the previous configuration stays active',
      );
      await service.refused(firstProblem([result]));
    } else log.info((await service.reload(result)) ? 'reloaded' : 'reloaded: nothing changed');
  } catch (error) {
    const failure = failureOf(error);
    log.error({ err: failure ?? error }, 'reload failed: the previous configuration stays active');
    await service.refused(failure?.message ?? 'the reload failed, see the log');
  }
}
