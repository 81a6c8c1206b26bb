/** What the machine starts by itself, as the service and operations ask for it. */
import type { StartupFact, StartupFacts, StartupLinks, StartupPlace } from '../checks/startup.ts';
import type { Unread } from '../checks/unread.ts';
import type { ProcessTable } from '../engine/snapshot.ts';
import type { Finding } from '../findings/finding.ts';
import type { InstalledPackage } from './packages.ts';
import { token } from './token.ts';

export interface StartupScan extends StartupFacts {
  readonly entries: readonly StartupFact[];
  readonly unread: readonly (Unread & { readonly place: StartupPlace })[];
  /** Why changes are found by the scheduled scans alone, or not all of them earlier; "" where they are seen as they happen. */
  readonly unwatched: string;
  /** Why this is not, or may not be, what the machine has: the desk runs in a container; "" where it is. */
  readonly container: string;
  readonly files: number;
  /** When all of it was read last, ms since the epoch. What changed since was read as it happened, unless `unwatched`. */
  readonly readMs: number;
  readonly tookMs: number;
}

export interface Login {
  readonly user: string;
  /** The terminal. */
  readonly line: string;
  /** From where; "" on this machine. */
  readonly host: string;
  /** Since the epoch. */
  readonly seconds: number;
}

/** `set`; `empty`: none is asked for; `locked`: no password is accepted; `unknown`: shadow could not be read, or has no such line. */
export type PasswordState = 'set' | 'empty' | 'locked' | 'unknown';

export interface AccountFacts {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  readonly shell: string;
  /** Names, the group of the account first. */
  readonly groups: readonly string[];
  readonly password: PasswordState;
  /** When it was set, ms since the epoch; null where that is not recorded. */
  readonly passwordSetMs: number | null;
  /** The account has ended (shadow(5)). */
  readonly expired: boolean;
  /** Keys that log in by SSH; null where its file could not be read. */
  readonly keys: number | null;
  /** How it can log in, as phrases; none where it cannot. */
  readonly login: readonly string[];
  /** What it may do beyond its own files, as phrases. */
  readonly rights: readonly string[];
  readonly last: Login | null;
}

/** A line of group(5). */
export interface GroupFacts {
  readonly name: string;
  readonly gid: number;
  readonly members: readonly string[];
}

export interface AccountScan {
  /** As of `StartupScan`. */
  readonly container: string;
  readonly accounts: readonly AccountFacts[];
  readonly groups: readonly GroupFacts[];
  /** What could not be read. */
  readonly unread: readonly Unread[];
}

export interface Startup {
  /** Reads every place now; callers at the same time share one pass. */
  scan(): Promise<StartupScan>;
  /** The last pass, which may be some time ago; null before the first one. */
  latest(): StartupScan | null;
  /** The last pass, if all of it was read within a minute and nothing has changed since; else a new one. */
  recent(): Promise<StartupScan>;
  /** The same for a check: once packages are no longer being installed, and not the one that it judged last. */
  settledFor(check: string): Promise<StartupScan>;
  /** What the last pass, which may be some time ago, says of a finding. `processes` is read at once. */
  linksOf(finding: Pick<Finding, 'subject' | 'evidence' | 'about'>, processes: ProcessTable): StartupLinks;
  /**
   * The package that has a file at this path, whatever its content is; null without one. A text says why it is not known: also once
   * `signal` is aborted.
   */
  ownerOf(path: string, signal: AbortSignal): Promise<InstalledPackage | null | string>;
  /** Reads accounts and their rights now. */
  accounts(): Promise<AccountScan>;
}

export const STARTUP = token<Startup>('startup');
