/**
 * Cook: raw fails become findings. Equal fails of one program are one finding with its processes as members. A fail is confirmed
 * when a second sample shows it again, or an equal one of another process; a finding closes when no member of it fails any more,
 * unless its check was blind, or its program comes and goes.
 */
import type { Fail } from '../checks/check.ts';
import type { Subject } from '../checks/subjects.ts';
import type { Verdicts } from '../checks/verdicts.ts';
import { severityRank } from '../policy/severity.ts';
import { type Finding, MOST_PIDS } from './finding.ts';
import { classedOf } from './finding-class.ts';
import { findingKey, idOfKey, keysOf, memberKey } from './finding-id.ts';

/** An open finding with all of its members, by member key. */
interface Held {
  readonly finding: Finding;
  readonly members: ReadonlyMap<string, Subject>;
}

/** Open findings by their keys: which one a fail belongs to is known without its id. */
export type Findings = ReadonlyMap<string, Held>;

/**
 * Findings that were open when the service last stopped. An earlier version kept one for each process: of those that are one
 * finding now the oldest goes on, and the `superseded` ones close.
 */
export function restored(findings: readonly Finding[]): {
  readonly open: Findings;
  readonly superseded: readonly Finding[];
} {
  const open = new Map<string, Held>();
  const superseded: Finding[] = [];
  for (const finding of [...findings].sort((a, b) => order(a.firstSeen, b.firstSeen))) {
    const key = findingKey(classedOf(finding));
    if (open.has(key)) superseded.push(finding);
    else
      open.set(key, {
        finding,
        members: new Map([[memberKey(finding.check, finding.subject), finding.subject]]),
      });
  }
  return { open, superseded };
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Fails that need a second sample, by member key and by finding key: those that are not open findings, that no tier has confirmed,
 * that do not wait and that no earlier recheck has shown. Those of listeners by their endpoint too: a program that keeps
 * replacing its process, or its listening socket, is confirmed like one that does not.
 */
export function unconfirmed(
  open: Findings,
  fails: readonly Fail[],
  waiting: ReadonlySet<string> = NONE,
  earlier: Pick<ReadonlySet<string>, 'has'> = NONE,
): ReadonlyMap<string, Fail> {
  const awaited = new Map<string, Fail>();
  for (const fail of fails) {
    if (fail.early || fail.confirmed) continue;
    const { finding, member, endpoint } = keysOf(fail);
    if (open.has(finding) || waiting.has(member) || earlier.has(finding)) continue;
    awaited.set(member, fail);
    awaited.set(finding, fail);
    if (endpoint !== null) awaited.set(endpoint, fail);
  }
  return awaited;
}

export interface Cooked {
  readonly open: Findings;
  /** Confirmed findings, most severe first, then oldest. */
  readonly findings: readonly Finding[];
  /** Scars of the newest sample that the first one did not show, or that wait. */
  readonly unconfirmed: readonly Finding[];
  readonly opened: readonly Finding[];
  readonly closed: readonly Finding[];
  readonly keys: Keys;
}

/** Of findings about processes, by finding key. */
export interface Keys {
  /** What opened, with its member keys. */
  readonly opened: ReadonlyMap<string, Pick<ReadonlySet<string>, 'has'>>;
  readonly closed: readonly string[];
  /** What the newest sample showed. */
  readonly shown: ReadonlySet<string>;
  /** What failed in one sample only, with its member keys. */
  readonly once: ReadonlyMap<string, ReadonlySet<string>>;
}

interface Newest extends Pick<Verdicts, 'fails'> {
  /** Whether the check of an open finding is blind for a member of it. */
  hidden(check: string, subject: Subject, finding: Finding): boolean;
  /** Member keys of the fails that wait: they neither open a finding nor change an open one. */
  readonly waiting?: ReadonlySet<string>;
  /** Whether an open finding of which no member fails stays open: its program comes and goes. Default: none. */
  readonly lingers?: (key: string, finding: Finding) => boolean;
  /** Whether the members of a finding that opens come and go. Default: never. */
  readonly returns?: (key: string, members: Pick<ReadonlySet<string>, 'has'>) => boolean;
}

/** What a finding is made of in one recheck. */
interface Gathered {
  /** Of the oldest member that fails; null while none does. */
  fail: Fail | null;
  readonly members: Map<string, Subject>;
}

/**
 * `open` are the findings held so far; `awaited` the keys that had to show twice: those of the first sample, or of an earlier
 * recheck, without a finding. `at` is the time of the newest sample, RFC 3339.
 */
export function cook(
  open: Findings,
  { fails, hidden, waiting = NONE, lingers = () => false, returns = () => false }: Newest,
  awaited: Pick<ReadonlySet<string>, 'has'>,
  at: string,
): Cooked {
  const found = new Map<string, Gathered>();
  const once: Finding[] = [];
  const onceKeys = new Map<string, Set<string>>();
  const waits = new Set<string>();
  const gathered = (key: string): Gathered => {
    const one = found.get(key) ?? { fail: null, members: new Map() };
    found.set(key, one);
    return one;
  };
  for (const fail of fails) {
    const { finding: key, member, endpoint } = keysOf(fail);
    if (fail.early || waiting.has(member)) {
      waits.add(member);
      if (isScar(fail) && !open.has(key)) once.push(findingOf(fail, idOfKey(key), new Map(), at, at));
      continue;
    }
    const seenBefore =
      awaited.has(member) || awaited.has(key) || (endpoint !== null && awaited.has(endpoint));
    if (open.has(key) || fail.confirmed || seenBefore) {
      const one = gathered(key);
      one.members.set(member, fail.subject);
      if (one.fail === null || isOlder(fail.subject, one.fail.subject)) one.fail = fail;
    } else {
      if (fail.subject.kind === 'process') addTo(onceKeys, key, member);
      if (isScar(fail)) once.push(findingOf(fail, idOfKey(key), new Map(), at, at));
    }
  }
  const shown = new Set(found.keys());
  for (const [key, { finding, members }] of open) {
    for (const [member, subject] of members) {
      if (found.get(key)?.members.has(member)) continue;
      if (waits.has(member) || hidden(finding.check, subject, finding))
        gathered(key).members.set(member, subject);
    }
    if (!found.has(key) && lingers(key, finding)) found.set(key, { fail: null, members: new Map(members) });
  }
  const held = new Map<string, Held>();
  for (const [key, { fail, members }] of found) {
    const before = open.get(key)?.finding;
    const comeAndGo = before === undefined ? returns(key, members) : before.members.comeAndGo === true;
    const finding =
      fail === null && before !== undefined
        ? { ...before, members: membersOf(before.subject, members) }
        : findingOf(fail as Fail, before?.id ?? idOfKey(key), members, before?.firstSeen ?? at, at);
    held.set(key, {
      finding: comeAndGo ? { ...finding, members: { ...finding.members, comeAndGo } } : finding,
      members,
    });
  }
  const sorted = [...held.values()].map(({ finding }) => finding).sort(bySeverity);
  const opened = [...held].filter(([key]) => !open.has(key));
  const closed = [...open].filter(([key]) => !held.has(key));
  const isNew = new Set(opened.map(([, { finding }]) => finding));
  return {
    open: held,
    findings: sorted,
    unconfirmed: once,
    opened: sorted.filter((finding) => isNew.has(finding)),
    closed: closed.map(([, { finding }]) => finding),
    keys: {
      opened: new Map(ofProcesses(opened).map(([key, { members }]) => [key, members])),
      closed: ofProcesses(closed).map(([key]) => key),
      shown,
      once: onceKeys,
    },
  };
}

const ofProcesses = <T extends readonly [string, Held]>(findings: readonly T[]): readonly T[] =>
  findings.filter(([, { finding }]) => finding.subject.kind === 'process');

/** Adds a member key to those of a finding key. */
export function addTo(members: Map<string, Set<string>>, key: string, member: string): void {
  const some = members.get(key);
  if (some === undefined) members.set(key, new Set([member]));
  else some.add(member);
}

const isScar = ({ severity }: Pick<Fail, 'severity'>): boolean => severity !== 'low';

const bySeverity = (a: Finding, b: Finding): number =>
  severityRank(b.severity) - severityRank(a.severity) || order(a.firstSeen, b.firstSeen) || order(a.id, b.id);

/** By code units: for times and ids, and many times faster than by the rules of a language. */
const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function isOlder(one: Subject, other: Subject): boolean {
  if (one.kind !== 'process' || other.kind !== 'process') return false;
  if (one.start === other.start) return one.pid < other.pid;
  return Number(one.start) < Number(other.start);
}

/** The subject first, then the others in the order of the table, at most `MOST_PIDS`. */
function membersOf(subject: Subject, members: ReadonlyMap<string, Subject>): Finding['members'] {
  if (subject.kind !== 'process') return { count: 1, pids: [] };
  const pids = [subject.pid];
  for (const one of members.values()) {
    if (pids.length >= MOST_PIDS) break;
    if (one.kind === 'process' && one.pid !== subject.pid) pids.push(one.pid);
  }
  return { count: Math.max(1, members.size), pids };
}

const findingOf = (
  fail: Fail,
  id: string,
  members: ReadonlyMap<string, Subject>,
  firstSeen: string,
  lastSeen: string,
): Finding => ({
  id,
  check: fail.check.id,
  avenue: fail.avenue,
  severity: fail.severity,
  subject: fail.subject,
  members: membersOf(fail.subject, members),
  summary: fail.summary,
  evidence: fail.evidence,
  // Attached when it was read: no recheck waits for that.
  about: null,
  evidenceClass: fail.evidenceClass,
  firstSeen,
  lastSeen,
  benign: fail.check.text.benign,
  remedy: fail.remedy.includes(';') ? fail.remedy.replaceAll(';', ',') : fail.remedy,
  scar: isScar(fail),
});
