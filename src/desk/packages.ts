/** The files of all packages, compared with what their packages recorded: as the service and operations ask for it. */
import type { PackageFacts } from '../checks/packages.ts';
import { token } from './token.ts';

export interface PackageScan extends PackageFacts {
  /** When the comparison ended, ms since the epoch. */
  readonly endedMs: number;
  readonly packages: number;
  readonly files: number;
  /** Files that are not there: left out when they were installed, or removed. */
  readonly missing: number;
  /** Why nothing could be compared; "" where packages were. */
  readonly trouble: string;
  readonly tookMs: number;
}

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** `dpkg`, `rpm` or `pacman`. */
  readonly database: string;
}

export interface Installed {
  readonly packages: readonly InstalledPackage[];
  /** Names of the databases that could not be read, each with the reason. */
  readonly unread: readonly { readonly database: string; readonly reason: string }[];
  /** Why nothing is known; "" where something is. */
  readonly trouble: string;
}

export interface Packages {
  /** Why these are not, or may not be, the packages of the machine: the desk runs in a container; "" where they are. */
  readonly container: string;
  /** The last comparison; null before the first one. */
  latest(): PackageScan | null;
  /** Reads now what is installed, without comparing files. */
  installed(): Promise<Installed>;
  /** Compares now; callers at the same time share it. */
  verify(): Promise<PackageScan>;
  /** Packages have changed: compares soon. */
  soon(): void;
}

export const PACKAGES = token<Packages>('packages');
