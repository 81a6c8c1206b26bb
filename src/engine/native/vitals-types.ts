/** The part of the native boundary that reads space of file systems, the clock, the record of logins and the lists of apt. */
import type { Refusal } from './types.ts';

/** statvfs(3). */
export interface FileSystemSpace {
  readonly bytes: number;
  readonly freeBytes: number;
  /** Of these, what users without privileges may take. */
  readonly availableBytes: number;
  /** 0 where the file system has no table of inodes, as btrfs. */
  readonly inodes: number;
  readonly freeInodes: number;
}

/** adjtimex(2). */
export interface ClockState {
  readonly synchronised: boolean;
  /** The kernel adds 500 µs each second, to 16 s, until a time service sets it. */
  readonly maxErrorUs: number;
}

export interface LastLogin {
  readonly user: string;
  /** The terminal. */
  readonly line: string;
  /** From where; "" on this machine. */
  readonly host: string;
  /** Since the epoch. */
  readonly seconds: number;
}

/** Of what apt has downloaded. */
export interface AptUpdates {
  /**
   * Why they are not known, "" where they are: `no-database`, the machine does not use apt; `no-lists`, `apt update` has not run;
   * `preferences`, priorities are set that may decide it; `format`, a list is damaged or compressed in another way than lz4; or an errno.
   */
  readonly trouble: string;
  /** Packages of which a newer version can be installed; those on hold do not count. */
  readonly all: number;
  /** Of these, those of which a newer version is in a release for security. */
  readonly security: number;
  /** When the lists last changed, in seconds since the epoch. */
  readonly seconds: number;
}

/** Promises read on a thread of their own and may never settle, as those of `HostAddon`. */
export interface VitalsAddon {
  fileSystem(path: string): Promise<FileSystemSpace | Refusal>;
  clockState(): ClockState | Refusal;
  /** The last login of each user in a file like /var/log/wtmp, the latest first. */
  lastLogins(path: string): Promise<readonly LastLogin[] | Refusal>;
  /** `root`: the folder that var and etc are in. */
  aptUpdates(root: string): Promise<AptUpdates>;
}
