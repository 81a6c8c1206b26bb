import type { Logger } from 'pino';
import type { Service } from '../../service.ts';
import type { Command, Context } from '../command.ts';
import { type ExitCode, exit, failureOf } from '../failure.ts';
import { StartReport } from '../start-report.ts';

export const boot: Command = {
  name: 'boot',
  summary: 'Runs the service: sweeps, judges, serves; SIGHUP reloads, SIGTERM or Ctrl-C ends it',
  options: [{ flags: '--no-loop', meaning: 'sweep only when asked' }],
  examples: [
    ['desk boot', 'in the foreground, with the loop'],
    ['DESK_CONFIG=./desk.toml desk boot', 'with a configuration of your own'],
    ['DESK_LOG_LEVEL=debug desk boot', 'with a line for every request'],
  ],
  run: (context, { options }) => run(context, options.loop !== false),
};

/** Whole milliseconds a graceful stop may take before the process ends anyway. */
const stopWithinMs = 9_500;

async function run(context: Context, loop: boolean): Promise<ExitCode> {
  const { config, stateDir, env, err } = context;
  const loaded = await config();
  const [{ createLogger, logLevel }, { shortLines }, { nativeOrFailure }, { loadNative }, { Service }] =
    await Promise.all([
      import('../../log.ts'),
      import('../log-lines.ts'),
      import('../context.ts'),
      import('../../native/load.ts'),
      import('../../service.ts'),
    ]);
  // On a terminal the start report speaks; the log there tells what goes wrong.
  const level = env.DESK_LOG_LEVEL || !err.isTerminal ? logLevel(env) : 'warn';
  const log = err.isTerminal ? createLogger(level, shortLines(err)) : createLogger(level);
  const { addon: native } = nativeOrFailure(loadNative);
  const service = await Service.start({ loaded, folder: await stateDir(), native, log, loop });
  const report = new StartReport(service);
  if (context.json) context.out.json(report.record());
  else report.print(context.out);
  await untilStopped(context, service, log);
  return exit.ok;
}

/** Resolves when a signal has stopped the service. A second signal, or the deadline, ends the process at once. */
function untilStopped(context: Context, service: Service, log: Logger): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false;
    let reloading: Promise<void> = Promise.resolve();
    const end = (signal: NodeJS.Signals): void => {
      if (stopping) process.exit(128 + (signal === 'SIGINT' ? 2 : 15));
      stopping = true;
      log.info({ signal }, 'stopping');
      const deadline = setTimeout(() => {
        log.fatal('stopping took too long; ending without it');
        process.exit(exit.findings);
      }, stopWithinMs);
      reloading
        .then(() => service.stop())
        .then(() => {
          log.info('stopped');
          resolve();
        }, reject)
        .finally(() => clearTimeout(deadline));
    };
    process.on('SIGTERM', end).on('SIGINT', end);
    process.on('SIGHUP', () => {
      reloading = reloading.then(() => (stopping ? undefined : reload(context, service, log)));
    });
  });
}

/** SIGHUP: reads the file and takes it. An invalid one is told and changes nothing. */
async function reload({ env }: Context, service: Service, log: Logger): Promise<void> {
  try {
    const { describeProblems, loadConfig } = await import('../../config.ts');
    const result = loadConfig(env);
    if (!result.ok)
      log.error({ problems: describeProblems(result) }, 'reload refused: the old configuration stays');
    else log.info((await service.reload(result)) ? 'reloaded' : 'reloaded: nothing changed');
  } catch (error) {
    log.error({ err: failureOf(error) ?? error }, 'reload failed: the old configuration stays');
  }
}
