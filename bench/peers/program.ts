/** A peer that is an installed program, timed as whole runs. */
import { spawnSync } from 'node:child_process';
import { wholeRuns } from '../rounds.ts';
import { type Found, notInstalled, type Peer, type PeerWork, programPath, type Work } from './peer.ts';

interface ProgramPeer {
  readonly id: string;
  readonly debianPackage: string;
  /** Arguments that make it print its version, and the position of the version in the output. */
  readonly version: readonly string[];
  readonly pattern: RegExp;
  /** Arguments per work. */
  readonly works: Readonly<Partial<Record<Work, readonly string[]>>>;
  /** Exit codes of a run that did the work. */
  readonly codes?: readonly number[];
  readonly slow?: Peer['slow'];
}

export function programPeer({ id, debianPackage, version, pattern, works, codes, slow }: ProgramPeer): Peer {
  const find = (): Found => {
    const path = programPath(id);
    if (path === undefined) return notInstalled(id, debianPackage);
    const said = spawnSync(path, version, { encoding: 'utf8', timeout: 10_000 });
    const found = pattern.exec(`${said.stdout}${said.stderr}`)?.[1] ?? 'of unknown version';
    // Warm-up calls of minutes are skipped.
    const warmUp = slow === 'minutes' ? 0 : 1;
    const work = (words: readonly string[]): PeerWork => ({
      does: [id, ...words].join(' '),
      form: 'program',
      warmUp,
      round: (passes) => wholeRuns([path, ...words], passes, { warmUp, codes: codes ?? [0] }),
    });
    return {
      version: found,
      works: Object.fromEntries(Object.entries(works).map(([name, words]) => [name, work(words)])),
    };
  };
  return { id, slow: slow ?? false, works: Object.keys(works) as Work[], find };
}
