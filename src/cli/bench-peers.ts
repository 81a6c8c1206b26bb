/** The peers of `desk bench`: whole runs of installed programs, started for comparison and for nothing else. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface BenchPeer {
  /** The command line. */
  readonly does: string;
  /** Which of our works it is like. */
  readonly like: 'sweep' | 'listeners';
  /** µs of one whole run, from starting it to its end; null when it did not do its work. */
  run(): number | null;
}

const PEERS = [
  { words: ['ps', '-eo', 'pid,ppid,uid,stat,start,comm'], like: 'sweep' },
  // Without -p: our like work names no owners either.
  { words: ['ss', '-lntu'], like: 'listeners' },
] as const;

/** A program that hangs is given up after this. */
const DEADLINE_MS = 5_000;

function pathOf(name: string, path: string): string | undefined {
  for (const folder of [...path.split(delimiter), '/usr/sbin', '/sbin']) {
    const file = join(folder, name);
    try {
      if (folder !== '') accessSync(file, constants.X_OK);
      if (folder !== '') return file;
    } catch {}
  }
  return undefined;
}

/** Those that are installed; `path` is the PATH to look in. */
export function benchPeers(path: string): { readonly there: BenchPeer[]; readonly absent: string[] } {
  const there: BenchPeer[] = [];
  const absent: string[] = [];
  for (const { words, like } of PEERS) {
    const [name, ...rest] = words;
    const file = pathOf(name, path);
    if (file === undefined) absent.push(name);
    else there.push({ does: words.join(' '), like, run: () => timed(file, rest) });
  }
  return { there, absent };
}

function timed(file: string, words: readonly string[]): number | null {
  const started = performance.now();
  const { status } = spawnSync(file, words, { stdio: 'ignore', timeout: DEADLINE_MS });
  return status === 0 ? (performance.now() - started) * 1000 : null;
}
