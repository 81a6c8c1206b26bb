/** What the peek helper reads of one process: the files that can block their reader (proc_pid_maps(5), proc_pid_environ(5)). */
import type { Refusal } from '../native/types.ts';

/** A mapping worth telling, from one line of `maps`. */
export interface Mapping {
  /** Hexadecimal, without 0x. */
  readonly start: string;
  /** `rwxp` as it stands there. */
  readonly permissions: string;
  /** Path, `[heap]` and their like, "" for an anonymous one; lossy text. */
  readonly path: string;
}

/** A descriptor and what its link says: `socket:[123]`, `/dev/video0`; lossy text. */
export interface Descriptor {
  readonly fd: number;
  readonly target: string;
}

export interface PeekFacts {
  /** LD_PRELOAD, LD_AUDIT and LD_LIBRARY_PATH as far as they are set and not empty: nothing else of an environment is read out. */
  readonly environment: Readonly<Record<string, string>> | Refusal;
  readonly maps:
    | {
        /** Writable and executable at once. */
        readonly writableCode: readonly Mapping[];
        /** Executable, without a file or with that of a memfd, at most 16. */
        readonly anonymousCode: readonly Mapping[];
        /** Executable, of unlinked files, at most 16. */
        readonly deletedCode: readonly Mapping[];
        /** The first of all; null when there is none. */
        readonly first: Mapping | null;
      }
    | Refusal;
  readonly descriptors:
    | {
        /** Those of 0, 1, 2 that are inet sockets. */
        readonly standardSockets: readonly Descriptor[];
        /** `/dev/input/event*`, `/dev/video*`, `/dev/snd/pcm*c`, at most 32. */
        readonly devices: readonly Descriptor[];
      }
    | Refusal;
  /** A living user-space process whose command line is empty. The line itself is neither kept nor served. */
  readonly emptyCommandLine: boolean | Refusal;
}
