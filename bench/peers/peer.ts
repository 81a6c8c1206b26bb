/** A peer: another program that does similar work, measured beside ours in the same run. One file per peer. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Round } from '../rounds.ts';

export type Work = 'processes' | 'listeners' | 'hidden pids' | 'package files';

/** What it does, ready to be timed. */
export interface PeerWork {
  /** In words, e.g. `ss -lntup`. */
  readonly does: string;
  /** `call`: one call inside a running program; `program`: a whole run from start to exit. */
  readonly form: 'call' | 'program';
  /** Calls made before those that count, in each round. */
  readonly warmUp: number;
  /** µs of each call or run. */
  round(passes: number): Round;
}

/** A missing peer is not a failure: the reason is reported in place of the figure. */
export type Found =
  | { readonly version: string; readonly works: Readonly<Partial<Record<Work, PeerWork>>> }
  | { readonly absent: string };

export interface Peer {
  /** The name of its file. */
  readonly id: string;
  /** `seconds` per call: asked with --peers and --full; `minutes`: with --full only. */
  readonly slow: false | 'seconds' | 'minutes';
  /** What it can be compared in, whether it is installed or not. */
  readonly works: readonly Work[];
  find(): Found;
}

/** Path of an installed program, undefined if there is none; sbin is searched too. */
export function programPath(name: string): string | undefined {
  for (const folder of `${process.env.PATH ?? ''}${delimiter}/usr/sbin${delimiter}/sbin`.split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {}
  }
  return undefined;
}

export const notInstalled = (name: string, debianPackage: string): Found => ({
  absent: `${name} is not installed (Debian package ${debianPackage})`,
});
