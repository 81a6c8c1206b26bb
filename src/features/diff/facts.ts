/** What is compared from one time to the next: facts, each with a key that stays the same while the thing is there. Pure. */
import { createHash } from 'node:crypto';
import { hostPort } from '../../base/addresses.ts';
import { plural } from '../../base/plural.ts';
import { type Content, modifiedAt } from '../../checks/content.ts';
import { withoutDeleted } from '../../checks/executables.ts';
import { concernOf } from '../../checks/startup.ts';
import type { Note } from '../../checks/verdicts.ts';
import type { InstalledPackage } from '../../desk/packages.ts';
import type { AccountFacts, AccountScan, GroupFacts, StartupScan } from '../../desk/startup.ts';
import type { Listener, Snapshot } from '../../engine/snapshot.ts';
import type { Finding } from '../../findings/finding.ts';
import { titleOf } from '../../records/about.ts';

/** `severity`: of open findings, whose history has no line of it. */
export const KINDS = [
  'startup',
  'account',
  'group',
  'listener',
  'program',
  'package',
  'blind',
  'severity',
] as const;
export type Kind = (typeof KINDS)[number];

/** What a kind is called where it cannot be compared. */
const COMPARED: Readonly<Record<Kind, string>> = {
  startup: 'startup places',
  account: 'accounts',
  group: 'groups',
  listener: 'listeners',
  program: 'programs',
  package: 'packages',
  blind: 'checks',
  severity: 'findings',
};

export interface Fact {
  readonly key: string;
  /** In a few words; of startup places the file. */
  readonly name: string;
  /** What may change while the key stays. */
  readonly detail: string;
  /** A package vouches for it: a change is counted, not listed. */
  readonly packaged: boolean;
}

export type Facts = ReadonlyMap<string, Fact>;

/** Characters of a name and a detail that are kept. */
const LONGEST = 300;
/** What is cut off still counts when two are compared. */
const cut = (text: string): string =>
  text.length > LONGEST
    ? `${text.slice(0, LONGEST)}… (${createHash('sha256').update(text).digest('hex').slice(0, 8)})`
    : text;

const mapOf = (facts: Iterable<Fact>): Facts =>
  new Map([...facts].map((one) => [one.key, { ...one, name: cut(one.name), detail: cut(one.detail) }]));

const plain = (key: string, name: string, detail: string): Fact => ({ key, name, detail, packaged: false });

/** The place of a key is what is before its first blank. */
export const placeOfKey = (key: string): string => key.slice(0, key.indexOf(' '));

export const startupFacts = ({ entries }: Pick<StartupScan, 'entries'>): Facts =>
  mapOf(
    entries.map((entry) => ({
      key: `${entry.place.id} ${entry.path} ${entry.key}`,
      name: entry.path,
      detail: `${entry.place.title}: ${entry.runs === entry.path ? entry.when : entry.runs}, as ${entry.user}${entry.voucher.kind === 'changed' ? ', changed since its package' : ''}`,
      packaged: concernOf(entry) === null,
    })),
  );

const setOn = ({ passwordSetMs: setMs }: AccountFacts): string =>
  setMs === null ? '' : ` (of ${new Date(setMs).toISOString().slice(0, 10)})`;

/** A name has no colon (passwd(5)). */
export const accountOfKey = (key: string): string => key.replace(/:.*$/s, '');

/** Password, keys and rights are separate facts, because each comes from its own file; "" while that is not known. */
export function accountFacts({ accounts, unread }: Pick<AccountScan, 'accounts' | 'unread'>): Facts {
  const isRights = !unread.some(({ path }) => path.startsWith('/etc/sudoers'));
  return mapOf(
    accounts.flatMap((one) => {
      const { name, uid, home, shell, password, expired, keys, groups, rights } = one;
      const about = `uid ${uid}, home ${home}, shell ${shell}, groups ${groups.join(' ') || 'none'}`;
      const secret = `password ${password}${setOn(one)}${expired ? ', expired' : ''}`;
      return [
        plain(name, name, about),
        plain(`${name}:password`, name, password === 'unknown' ? '' : secret),
        plain(`${name}:keys`, name, keys === null ? '' : plural(keys, 'SSH key')),
        plain(`${name}:rights`, name, isRights ? rights.join(', ') || 'no rights' : ''),
      ];
    }),
  );
}

export const groupFacts = (groups: readonly GroupFacts[]): Facts =>
  mapOf(
    groups.map(({ name, gid, members }) =>
      plain(name, `group ${name}`, `gid ${gid}, members ${[...members].sort().join(' ') || 'none'}`),
    ),
  );

/** Ports that the kernel gives: a program that asks for one has another one each time. */
const givenBy = (ephemeral: Snapshot['machine']['ephemeral'], { protocol, port }: Listener): boolean =>
  protocol === 'udp' && ephemeral !== null && port >= ephemeral[0] && port <= ephemeral[1];

export function listenerKey(listener: Listener, ephemeral: Snapshot['machine']['ephemeral']): string {
  const { protocol, address, port, executable } = listener;
  return givenBy(ephemeral, listener)
    ? `${protocol} ${address} given ${withoutDeleted(executable)}`
    : `${protocol} ${hostPort(address, port)}`;
}

/** Several sockets, of several programs, may have one address and port. */
export function listenerFacts({ listeners, machine }: Pick<Snapshot, 'listeners' | 'machine'>): Facts {
  const programs = new Map<string, { readonly name: string; readonly executables: Set<string> }>();
  for (const listener of listeners) {
    const key = listenerKey(listener, machine.ephemeral);
    const given = givenBy(machine.ephemeral, listener);
    const name = given ? `udp ${hostPort(listener.address, 0).slice(0, -1)}(any port)` : key;
    const one = programs.get(key) ?? { name, executables: new Set() };
    programs.set(key, one);
    one.executables.add(withoutDeleted(listener.executable));
  }
  return mapOf(
    [...programs].map(([key, { name, executables }]) =>
      plain(key, name, executables.has('') ? '' : [...executables].sort().join(', ')),
    ),
  );
}

/** Size, time and inode of the newest file that runs as a program; "" where that is not known. Its digest may be known only later. */
function contentOf(contents: readonly Content[]): string {
  const [newest] = [...contents].sort((a, b) => Number(BigInt(b.modifiedNs) - BigInt(a.modifiedNs)));
  if (newest === undefined) return '';
  return `${newest.size} bytes, modified ${modifiedAt(newest).slice(0, 19)}Z, inode ${newest.inode}`;
}

/** `paths`: what has run for long enough, with what is known of each file. */
export const programFacts = (paths: ReadonlyMap<string, readonly Content[]>): Facts =>
  mapOf([...paths].map(([path, contents]) => plain(path, path, contentOf(contents))));

/** Several versions of one name are there side by side: kernels, architectures. */
export function packageFacts(packages: readonly InstalledPackage[]): Facts {
  const versions = new Map<string, { name: string; versions: Set<string> }>();
  for (const { database, name, version } of packages) {
    const key = `${database} ${name}`;
    const one = versions.get(key) ?? { name, versions: new Set() };
    versions.set(key, one);
    one.versions.add(version);
  }
  return mapOf([...versions].map(([key, one]) => plain(key, one.name, [...one.versions].sort().join(', '))));
}

/** Counts in a reason change all the time. */
const withoutCounts = (reason: string): string => reason.replace(/(?<![\w.:/])\d+(?![\w.:/])/g, '…');

/** The key of what says why a kind could not be compared. */
export const comparedKey = (kind: Kind): string => `compare ${kind}`;

/** One for each check that could not judge everything. `troubles`: why a kind could not be compared. */
export const blindFacts = (
  notes: readonly Pick<Note, 'check' | 'reason'>[],
  troubles: ReadonlyMap<Kind, string>,
): Facts => {
  const reasons = new Map<string, Set<string>>();
  for (const { check, reason } of notes)
    reasons.set(check, (reasons.get(check) ?? new Set()).add(withoutCounts(reason)));
  return mapOf([
    ...[...reasons].map(([check, of]) =>
      plain(`check ${check}`, `check ${check}`, [...of].sort().join('; ')),
    ),
    ...[...troubles].map(([kind, reason]) => plain(comparedKey(kind), COMPARED[kind], reason)),
  ]);
};

export const severityFacts = (findings: readonly Finding[]): Facts =>
  mapOf(findings.map((finding) => plain(finding.id, titleOf(finding), finding.severity)));
