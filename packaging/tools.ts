/** What the scripts of this folder share. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('..', import.meta.url));
export const BUILD = join(PROJECT, 'build/packages');

/** Runs a program, its output where ours goes. Throws unless it ends with 0. */
export function run(
  program: string,
  args: readonly string[],
  { cwd = PROJECT, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): void {
  const done = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (done.error) throw new Error(`${program} did not start: ${done.error.message}`);
  if (done.status !== 0)
    throw new Error(`${program} ${args[0] ?? ''} ended with ${done.status ?? done.signal}`);
}

/** What a program prints. Throws unless it ends with 0. */
export function output(program: string, args: readonly string[], cwd = PROJECT): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}

/** A package of the registry, fetched once; returns its folder. */
export function fetched(name: string, major: string, cpu: string = process.arch): string {
  const folder = join(BUILD, 'tools', `${name}-${major}`);
  const found = join(folder, 'node_modules', name);
  if (!existsSync(found)) {
    mkdirSync(folder, { recursive: true });
    const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--silent', '--force'];
    run('npm', ['install', ...flags, `--cpu=${cpu}`, `--prefix=${folder}`, `${name}@${major}`]);
  }
  return found;
}

/** From now on a signal ends this process by exit(), which removes what its trials have started and made; a second one changes nothing. */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
}

/** Counts and prints trials. */
export class Tally {
  #passed = 0;
  #failed = 0;

  add(
    name: string,
    { status, stdout, stderr }: Pick<SpawnSyncReturns<string>, 'status' | 'stdout' | 'stderr'>,
  ): void {
    const good = status === 0;
    if (good) this.#passed++;
    else this.#failed++;
    console.log(`${good ? ' ok ' : 'FAIL'} ${name}: ${good ? stdout.trim() : `${stdout}${stderr}`}`);
  }

  /** The last line, like that of a step of .ci/run. The exit code is 1 unless something passed and nothing failed. */
  end(): void {
    console.log(`${this.#passed} passed, ${this.#failed} failed`);
    if (this.#failed > 0 || this.#passed === 0) process.exitCode = 1;
  }
}
