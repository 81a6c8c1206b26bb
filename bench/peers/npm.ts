/** Peers from npm: installed into build/bench/peers from the lock file in npm/, only when asked for. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { project } from '../compiled.ts';
import { ownRound } from '../rounds.ts';
import type { Found, Peer, PeerWork, Work } from './peer.ts';

/** In the tree, so that an ordinary user finds what root has installed. */
const folder = join(project, 'build/bench/peers');
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Whether `npm ci` has already installed what the lock file says. */
function installed(): boolean {
  const [lock, done] = [join(folder, 'package-lock.json'), join(folder, 'node_modules/.package-lock.json')];
  if (!existsSync(lock) || !existsSync(done)) return false;
  return readFileSync(lock).equals(readFileSync(here('npm/package-lock.json')));
}

/** Runs `npm ci` unless all are installed; returns the reason if that fails, "" if all are installed. */
export function installPeers(): string {
  if (installed()) return '';
  try {
    mkdirSync(folder, { recursive: true });
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(here(`npm/${name}`), join(folder, name));
    // No install script of a peer is run.
    const words = ['ci', '--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: 120_000 });
    return '';
  } catch (error) {
    return `npm ci: ${String((error as { stderr?: Buffer }).stderr ?? error).split('\n', 1)[0]}`;
  }
}

interface NpmPeer {
  readonly id: string;
  /** What to call, in words, per work; the calls are in bench/rounds/npm-peer.ts. */
  readonly calls: Readonly<Partial<Record<Work, string>>>;
  /** Pause before each call, so that nothing is answered from memory. */
  readonly gapMs: number;
  readonly slow: Peer['slow'];
}

export function npmPeer({ id, calls, gapMs, slow }: NpmPeer): Peer {
  const find = (): Found => {
    const about = join(folder, 'node_modules', id, 'package.json');
    if (!existsSync(about))
      return { absent: `${id} is not installed (npm run bench -- --peers installs it beside the build)` };
    const work = (name: string, does: string): PeerWork => ({
      does,
      form: 'call',
      warmUp: 1,
      round: (passes) => ownRound('npm-peer', [folder, id, name, passes, gapMs]),
    });
    return {
      version: String((JSON.parse(readFileSync(about, 'utf8')) as { version: string }).version),
      works: Object.fromEntries(Object.entries(calls).map(([name, does]) => [name, work(name, does)])),
    };
  };
  return { id, slow, works: Object.keys(calls) as Work[], find };
}
