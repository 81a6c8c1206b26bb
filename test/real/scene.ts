/** A recheck in separate namespaces of a scene that would endanger the machine, and what the found tests share. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ScanRoots } from '../../src/engine/scheduled-scans.ts';
import type { Finding } from '../../src/findings/finding.ts';
import type { Law } from '../../src/policy/law.ts';
import { type Actors, startActors } from '../support/actor.ts';
import { compiled } from '../support/compile.ts';
import { programWords } from '../support/entry.ts';
import type { Seen } from '../support/recheck.ts';
import { projectRoot } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { patientMs } from '../support/time-limit.ts';

const run = promisify(execFile);
const report = programWords('./found-report.ts', import.meta.url);

/** What is created there, and the checks that judge it. */
export interface Scene {
  readonly checks: readonly string[];
  /** Arguments of `actor.cc`, one process each. */
  readonly actors?: readonly string[];
  /** A copy of the actor at another path. */
  readonly actor?: string;
  /** Paths to which sleep(1) is copied, and run from. */
  readonly sleepers?: readonly string[];
  /** Programs whose files are replaced while they run. */
  readonly upgraded?: boolean;
  readonly engine?: { readonly root?: string; readonly sys?: string };
  readonly slow?: ScanRoots;
  readonly law?: Partial<Pick<Law, 'zombieSec' | 'orphanSec' | 'allowedListeners'>>;
  /** Keys of learned listeners; without it nothing was learned. */
  readonly known?: readonly string[];
}

export interface Report extends Seen {
  /** Pids, in the requested order. */
  readonly actors: readonly number[];
  readonly sleepers: readonly number[];
  /** Whether an ordinary reader sees /etc/ld.so.preload. */
  readonly seenByReaders: boolean;
}

export interface Where {
  /** Options of unshare(1) besides `--mount`. */
  readonly namespaces?: readonly string[];
  /** Shell commands that run in the namespaces first. */
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Runs in the network of this process. */
  readonly networkOf?: number;
}

/** A separate network and pid namespace, with the loopback up. */
export const ALONE: Where = {
  namespaces: ['--net', '--pid', '--fork', '--mount-proc'],
  shell: 'ip link set lo up',
};

/** Actors in a separate network namespace, with the loopback up: child processes of a recheck are its own, like the helpers of the service. */
export const startActorsAlone = (words: readonly string[]): Promise<Actors> =>
  startActors(
    ['--net', 'sh', '-c', 'ip link set lo up; exec "$@"', 'sh', compiled('actor.cc'), ...words],
    'unshare',
  );

export async function elsewhere(
  scene: Scene,
  { namespaces = [], shell = ':', env = {}, networkOf }: Where = {},
) {
  const network = networkOf === undefined ? [] : ['nsenter', '--target', `${networkOf}`, '--net'];
  const inside = ['--propagation', 'private', 'sh', '-c', `set -e; ${shell}; exec "$@"`, 'sh'];
  const node = [process.execPath, ...report, JSON.stringify(scene)];
  const [program = '', ...words] = [...network, 'unshare', '--mount', ...namespaces, ...inside, ...node];
  const { stdout } = await run(program, words, {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: '/tmp', ...env },
    maxBuffer: 1 << 26,
    timeout: patientMs(120_000),
  });
  return JSON.parse(stdout) as Report;
}

export const pidOf = ({ subject }: Pick<Finding, 'subject'>): number =>
  subject.kind === 'process' ? subject.pid : -1;

/** Findings of a check whose subject or other member is this process. */
export const about = (seen: Seen, check: string, pid: number) =>
  seen.findings.filter(
    (finding) => finding.check === check && (pidOf(finding) === pid || finding.members.pids.includes(pid)),
  );

/** Names of the benign causes that explain the fails of a process. */
export const causes = (seen: Seen, pid: number): readonly string[] =>
  seen.suppressed.filter(({ subject }) => pidOf({ subject }) === pid).map(({ name }) => name);

/** A test with a temporary folder. */
export function inFolder(work: (folder: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const folder = tempFolder('desk-found-');
    await work(folder);
  };
}
