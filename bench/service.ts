/** The built service as users run it, for cases that measure it from the outside. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, type Home, makeHome, startDesk } from '../test/real/running.ts';
import { deskWords } from '../test/support/entry.ts';
import { missing, ordinaryUser } from '../test/support/require.ts';
import { CannotRun } from './cases/case.ts';
import { asOrdinary, leashed } from './leash.ts';

export interface BenchService extends AsyncDisposable {
  readonly home: Home;
  readonly pid: number;
  /** From the start of the process to the first 200 of /readyz, ms. */
  readonly readyMs: number;
  /** µs of processor time that all its threads have used (proc_pid_schedstat: first number of each thread, ns). */
  cpuUs(): number;
  /** Process and socket events that it has received so far. */
  events(): Promise<number>;
  /** Resident memory (VmRSS), MB of 10^6 bytes. */
  rssMb(): number;
}

const READY_WITHIN_MS = 30_000;

/**
 * Starts `desk boot` of dist with this configuration; resolves when it is ready. It ends with this process, for any
 * reason. `ordinary`: as an ordinary user, which only root can ask for. `prepare` puts something into its folder first.
 */
export async function startBuilt(
  sections: string,
  { ordinary = false, prepare = (_home: Home): void => undefined } = {},
): Promise<BenchService> {
  const reason = missing('dist');
  if (reason !== null) throw new CannotRun(reason);
  const home = await makeHome(sections, ordinary ? { uid: ordinaryUser.uid } : {});
  prepare(home);
  const started = performance.now();
  const { child, output } = startDesk(home, ['boot'], {
    entry: 'dist',
    env: { DESK_LOG_LEVEL: 'error' },
    before: (ordinary ? asOrdinary : leashed)([], 'TERM'),
  });
  const pid = child.pid as number;
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const dispose = async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await closed;
    home[Symbol.dispose]();
  };
  while (!(await isReady(home.ports.control))) {
    if (child.exitCode !== null || performance.now() - started > READY_WITHIN_MS) {
      await dispose();
      throw new Error(`${deskWords('dist').join(' ')} boot is not ready: ${output.stderr}${output.stdout}`);
    }
    await delay(2);
  }
  const readyMs = performance.now() - started;
  return {
    home,
    pid,
    readyMs,
    cpuUs: () => cpuUsOf(pid),
    events: async () => {
      const { text } = await ask(home.ports.control, '/metrics');
      const counters = [...text.matchAll(/^desk_events_total\{[^}]*\} (\d+)$/gm)];
      return counters.reduce((sum, [, count]) => sum + Number(count), 0);
    },
    rssMb: () => {
      const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
      return (Number(line?.[1]) * 1024) / 1e6;
    },
    [Symbol.asyncDispose]: dispose,
  };
}

const isReady = (port: number): Promise<boolean> =>
  ask(port, '/readyz').then(
    ({ status }) => status === 200,
    () => false,
  );

/** µs of processor time that all threads of a process have used. */
export function cpuUsOf(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  let ns = 0;
  for (const thread of readdirSync(tasks)) {
    const file = join(tasks, thread, 'schedstat');
    if (!existsSync(file)) throw new CannotRun('the kernel keeps no schedstat');
    ns += Number(readFileSync(file, 'latin1').split(' ', 1)[0]);
  }
  return ns / 1000;
}

/** Share of one core, in percent, that the service uses over `seconds`. */
export async function cpuPercent(service: BenchService, seconds: number): Promise<number> {
  const from = service.cpuUs();
  const started = performance.now();
  await delay(seconds * 1000);
  return (service.cpuUs() - from) / 10 / (performance.now() - started);
}
