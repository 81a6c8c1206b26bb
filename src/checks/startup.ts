/** What the machine starts by itself, as checks see it: one fact for each thing that a file starts or sets. */
import type { Severity } from '../policy/severity.ts';
import type { NamedProcess } from './origin.ts';
import type { Unread } from './unread.ts';

/** Whether the content of a file is that of its package. */
export interface Voucher {
  /**
   * `package`: it is; `changed`: it is not; `earlier`: the file has changed, and this part of it was so while a package vouched for it;
   * `copy`: a package has a file of this content elsewhere; `none`: no package has it, or none knows its content.
   */
  readonly kind: 'package' | 'changed' | 'earlier' | 'copy' | 'none';
  /** "" without one. */
  readonly package: string;
  readonly version: string;
  /** `dpkg`, `rpm` or `pacman`; "" without a package. */
  readonly database: string;
  /** The digest that the package has: MD5, or with its algorithm before it, as `sha256:…`; "" unless it has changed. */
  readonly expected: string;
  /** The digest of the file, by the algorithm of its package; "" when it was not read. */
  readonly found: string;
  /** The administrator is expected to change it. */
  readonly configuration: boolean;
}

/** A kind of place, as far as checks need it. */
export interface StartupPlace {
  /** Kebab-case. */
  readonly id: string;
  readonly title: string;
  /** Of something there that nothing vouches for. */
  readonly severity: Severity;
  /** Why it may be harmless. */
  readonly benign: string;
  /** Techniques of MITRE ATT&CK for Enterprise. */
  readonly techniques: readonly string[];
  /** False of a place that decides or names something, and starts no program by itself. Default: true. */
  readonly starts?: false;
}

export interface StartupFact<P extends StartupPlace = StartupPlace> {
  readonly place: P;
  readonly path: string;
  /** What would run, or the line that sets it; secrets masked, bounded. */
  readonly runs: string;
  readonly when: string;
  readonly user: string;
  /** Distinguishes it from others of the same file whose `runs` is the same; "" where there is one only. */
  readonly name: string;
  /** The same for the same start in the same file, whatever else the file has; of a program also its content. */
  readonly key: string;
  readonly voucher: Voucher;
  /** `own`: a link that no package has; `packaged`: a link that a package has; `broken`: one that leads to nothing; "" where it is not a link. */
  readonly linked: 'own' | 'packaged' | 'broken' | '';
  /** Where the link leads; "" where it is none. */
  readonly link: string;
  /** Scripts of packages are known to write it. */
  readonly expected: boolean;
  /** When content, rights or name of the file changed last (its ctime, which no program sets), ms since the epoch. */
  readonly changedMs: number;
  readonly sha256: string;
}

export interface StartupFacts {
  readonly entries: readonly StartupFact[];
  /** What could not be read, or not all of it: an error code, or a phrase. */
  readonly unread: readonly Unread[];
  /** Why packages do not vouch for all files; "" where every package database was read. */
  readonly packages: string;
  /** Packages were being installed or removed while it was read. */
  readonly busy: boolean;
}

/** What a finding has to do with what starts by itself. */
export interface StartupLinks {
  /**
   * Whether something would start its process again. `not_found`: no place does, and all were read; `unknown`: not all could be read;
   * `none`: it is about no process.
   */
  readonly returns: 'yes' | 'not_found' | 'unknown' | 'none';
  /** Why it is unknown; "" where it is not. */
  readonly reason: string;
  /** What would start its process again, what nothing vouches for first; bounded. */
  readonly starts: readonly StartupFact[];
  /** Processes that run now and that its file, or what that starts, has started; bounded. */
  readonly running: readonly NamedProcess[];
}

export const unknownLinks = (reason: string): StartupLinks => ({
  returns: 'unknown',
  reason,
  starts: [],
  running: [],
});

/** What a package has elsewhere may let anyone in there. */
const JUDGED_BY_PLACE: ReadonlySet<string> = new Set(['pam', 'sudoers', 'polkit-rule']);

/** How severe a start is; null: a package vouches for it. What nothing vouches for and is known to be harmless is low. */
export function concernOf({ voucher, linked, expected, place }: StartupFact): Severity | null {
  if (voucher.kind === 'earlier') return null;
  if (voucher.kind === 'package') return linked === 'own' ? 'low' : null;
  const copied = voucher.kind === 'copy' && !JUDGED_BY_PLACE.has(place.id);
  return copied || linked === 'broken' || expected ? 'low' : place.severity;
}

/** A packaged file, not made to be changed, with other content: it is judged as a whole. */
export const isAltered = ({ voucher }: StartupFact): boolean =>
  voucher.kind === 'changed' && !voucher.configuration;
