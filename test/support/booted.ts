/**
 * Boots systemd as pid 1 of a machine of its own over a root folder (boot-systemd.sh), to try services. Needs root; see there for
 * the rest. What is written inside is gone afterwards, the folder stays as it is.
 *
 *   const machine = await bootSystemd({ root: '/' });
 *   try { await machine.output('systemctl', 'start', 'desk'); } finally { await machine.stop(); }
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tempFolder } from './temp-folder.ts';

const SCRIPT = fileURLToPath(new URL('boot-systemd.sh', import.meta.url));

/** Generous: the machine may be busy. */
const BOOT_MS = 120_000;
const WITHIN_MS = 180_000;
const PAUSE_MS = 200;
/** Processes of a machine that was ended leave its cgroup a moment later: attempts to remove it, and the pause between two. */
const ATTEMPTS = 50;
const ATTEMPT_PAUSE_MS = 100;

/** Those that were not stopped end with this process. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const boot of running) {
    boot.kill('SIGKILL');
    const clock = new Int32Array(new SharedArrayBuffer(4));
    for (let attempt = 0; !removedCgroup(boot) && attempt < ATTEMPTS; attempt++)
      Atomics.wait(clock, 0, 0, ATTEMPT_PAUSE_MS);
  }
});

export interface BootOptions {
  /** "/" or the folder of another system; systemd must be installed in it. */
  readonly root: string;
  /** Folders of this machine to show inside, as [here, there]. */
  readonly shared?: readonly (readonly [from: string, to: string])[];
}

export interface Ran {
  /** Exit code; null when it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface BootedMachine {
  /** Pid of its pid 1, as this machine counts. */
  readonly pid: number;
  /** Runs a command inside as root, with a small environment: words, not a shell line. */
  run(
    argv: readonly string[],
    options?: { readonly input?: string; readonly env?: Record<string, string> },
  ): Promise<Ran>;
  /** What a command prints, without white space at its ends. @throws with all that it printed unless it ends with 0 */
  output(...argv: readonly string[]): Promise<string>;
  /** The same of a shell line. */
  shell(line: string): Promise<string>;
  /** Properties of a unit, by name: systemctl(1), show. */
  shown(unit: string, ...names: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** Waits for an answer other than false, three minutes at most. @throws then, with the state of desk.service */
  until<T>(what: string, holds: () => Promise<T | false>): Promise<T>;
  /** Ends every process inside. */
  stop(): Promise<void>;
}

/** Why systemd cannot be booted here; null when it can be. */
export function cannotBoot(root = '/'): string | null {
  if (process.geteuid?.() !== 0) return 'needs root';
  if (!existsSync(join(root, 'lib/systemd/systemd')))
    return `systemd is not installed in ${root} (Debian package systemd)`;
  if (!/ cgroup2 /.test(readFileSync('/proc/mounts', 'latin1'))) return 'cgroup version 2 is not mounted';
  return null;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Starts a program and gathers what it prints. */
async function gather(program: string, words: readonly string[], input = ''): Promise<Ran> {
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'], env: { PATH } });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // It may end without reading.
  child.stdin.on('error', () => undefined).end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** The one child of a process; undefined before it has one. */
const childOf = (pid: number): number | undefined => {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
    return first === undefined ? undefined : Number(first);
  } catch {
    return undefined;
  }
};

/** Resolves when systemd has reached its target. @throws when it does not start, with what it printed. */
export async function bootSystemd({ root, shared = [] }: BootOptions): Promise<BootedMachine> {
  const reason = cannotBoot(root);
  if (reason !== null) throw new Error(`systemd cannot be booted: ${reason}`);
  const folder = tempFolder('desk-booted-');
  const pairs = shared.map(([from, to]) => `${from}:${to}`);
  const boot = spawn(SCRIPT, [root, folder, ...pairs], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(boot);
  let printed = '';
  for (const stream of [boot.stdout, boot.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-20_000);
    });
  const ended = once(boot, 'close');
  const stop = async (): Promise<void> => {
    if (boot.exitCode === null && boot.signalCode === null) boot.kill('SIGKILL');
    await ended;
    for (let attempt = 0; !removedCgroup(boot) && attempt < ATTEMPTS; attempt++)
      await delay(ATTEMPT_PAUSE_MS);
    running.delete(boot);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const untilMs = Date.now() + BOOT_MS;
    for (;;) {
      const pid = boot.pid === undefined ? undefined : childOf(boot.pid);
      const state =
        pid === undefined ? '' : (await inside(pid, ['systemctl', 'is-system-running'])).stdout.trim();
      if (pid !== undefined && ['running', 'degraded'].includes(state))
        return { pid, ...within((argv, options) => inside(pid, argv, options)), stop };
      if (boot.exitCode !== null || boot.signalCode !== null || Date.now() > untilMs)
        throw new Error(`systemd did not start in ${root} (${state}): ${printed}`);
      await delay(100);
    }
  } catch (error) {
    await stop();
    throw error;
  }
}

const inside: (pid: number, ...words: Parameters<BootedMachine['run']>) => Promise<Ran> = (
  pid,
  argv,
  { input = '', env = {} } = {},
) => {
  const environment = Object.entries({ PATH, HOME: '/root', ...env }).map(
    ([name, value]) => `${name}=${value}`,
  );
  return gather('nsenter', ['--all', `--target=${pid}`, 'env', '-i', ...environment, ...argv], input);
};

function within(run: BootedMachine['run']): Omit<BootedMachine, 'pid' | 'stop'> {
  const output = async (...argv: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(argv);
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${stdout}${stderr}`);
    return stdout.trim();
  };
  return {
    run,
    output,
    shell: (line) => output('sh', '-c', line),
    async shown(unit, ...names) {
      const lines = await output('systemctl', 'show', unit, ...names.map((name) => `--property=${name}`));
      return Object.fromEntries(lines.split('\n').map((line) => line.split(/=(.*)/s, 2)));
    },
    async until(what, holds) {
      const untilMs = performance.now() + WITHIN_MS;
      for (;;) {
        const answer = await holds();
        if (answer !== false) return answer;
        if (performance.now() > untilMs) {
          const { stdout } = await run(['systemctl', 'status', '--no-pager', '--lines=30', 'desk.service']);
          throw new Error(`${what} did not happen: ${stdout}`);
        }
        await delay(PAUSE_MS);
      }
    },
  };
}

/** Removes the cgroup that the script made for it, with those that systemd made within, deepest first; false while one is in use. */
function removedCgroup({ pid }: ChildProcess): boolean {
  const { stdout } = spawnSync('findmnt', ['-n', '-o', 'TARGET', '-t', 'cgroup2'], { encoding: 'utf8' });
  const top = join(stdout.split('\n')[0] ?? '', `desk-booted-${pid}`);
  const remove = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) remove(join(folder, entry.name));
    rmdirSync(folder);
  };
  if (!existsSync(top)) return true;
  try {
    remove(top);
    return true;
  } catch {
    return false;
  }
}
