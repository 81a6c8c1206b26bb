/** Peers that run all the time, as the service does: their CPU and memory are measured while they run. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../../test/support/free-ports.ts';
import { leashed } from '../leash.ts';
import { programPath } from './peer.ts';

/** How to run it with everything it writes in a private folder. */
interface Run {
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** File where it writes its pid, when that is not the started process. */
  readonly pidFile?: string;
}

export interface Resident {
  /** The name of its file. */
  readonly id: string;
  readonly debianPackage: string;
  /** In words, with all that is not its default. */
  readonly does: string;
  /** Programs that it needs, its own first, with their Debian packages where these have another name. */
  readonly needs: Readonly<Record<string, string>>;
  readonly version: readonly string[];
  readonly pattern: RegExp;
  /** Until it has started up. */
  readonly settleSec: number;
  /** `port` is free, on loopback. */
  run(folder: string, port: number): Run;
}

export interface RunningPeer extends AsyncDisposable {
  readonly pid: number;
}

/** Why it cannot run; null if it can. */
export function whyNot({ needs }: Resident): string | null {
  if (process.geteuid?.() !== 0) return 'needs root';
  const absent = Object.entries(needs).filter(([name]) => programPath(name) === undefined);
  if (absent.length === 0) return null;
  const packages = absent.map(([, name]) => name).join(' ');
  return `${absent.map(([name]) => name).join(' and ')} not installed: apt-get install --no-install-recommends ${packages}`;
}

/** What it does, with its version. */
export function aboutOf({ does, needs, version, pattern }: Resident): string {
  const [name = ''] = Object.keys(needs);
  const said = spawnSync(programPath(name) ?? name, version, { encoding: 'utf8', timeout: 10_000 });
  return `${does} (${pattern.exec(`${said.stdout}${said.stderr}`)?.[1] ?? 'of unknown version'})`;
}

const START_MS = 10_000;
const STOP_MS = 10_000;

/** `pid` is the child's own, or that of a process whose end ends the child. */
async function stop(child: ChildProcess, closed: Promise<void>, pid: number): Promise<void> {
  const forced = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  if (child.exitCode === null && child.signalCode === null && existsSync(`/proc/${pid}`))
    process.kill(pid, 'SIGTERM');
  await closed;
  clearTimeout(forced);
}

/** Starts it; resolves when it has its pid. It ends with this process. */
export async function startResident(peer: Resident): Promise<RunningPeer> {
  const folder = mkdtempSync(join(tmpdir(), `desk-${peer.id}-`));
  const [port = 0] = await freePorts(1);
  const { words, env = {}, pidFile } = peer.run(folder, port);
  const [command = '', ...rest] = leashed(words, 'TERM');
  const child = spawn(command, rest, {
    cwd: folder,
    // A terminal program reads its input: it must stay open.
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, ...env },
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let pid = child.pid as number;
  const dispose = async () => {
    await stop(child, closed, pid);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    for (let waited = 0; pidFile !== undefined; waited += 20) {
      const text = existsSync(pidFile) ? readFileSync(pidFile, 'latin1').trim() : '';
      if (text !== '') {
        pid = Number(text);
        break;
      }
      if (child.exitCode !== null || waited > START_MS) throw new Error(`${peer.id} did not start`);
      await delay(20);
    }
    return { pid, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
