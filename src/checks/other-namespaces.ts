/** What the checks of listeners in other network namespaces share. They are labelled so, and never signalled. */
import { CURES } from '../engine/cures.ts';
import type { ForeignListener, ForeignReport } from '../engine/foreign-listeners.ts';
import type { ForeignProcess } from '../engine/native/foreign-types.ts';
import type { ProcessTable } from '../engine/snapshot.ts';
import { readTwice } from './blindness.ts';
import type { BenignCause, FailParts, Report, ScanContext } from './check.ts';
import { type ListenerSubject, listenerAvenue, listenerEvidence, type Subject } from './subjects.ts';

/** The evidence class of every fail about them. */
export const OTHER_NAMESPACE = 'other-namespace';

export const otherNamespace: BenignCause = {
  name: OTHER_NAMESPACE,
  why: 'it listens in a separate network namespace, like a container: only traffic forwarded by its host reaches it',
  evidenceClass: [OTHER_NAMESPACE],
};

const INIT = 1;

/** Reports the listeners that fail in two scans; one scan is enough when none fail. */
export async function scanElsewhere(
  { scans, snapshot }: ScanContext,
  report: Report,
  signal: AbortSignal,
  fails: (listener: ForeignListener) => boolean,
  say: (listener: ForeignListener) => Partial<FailParts> & Pick<FailParts, 'summary'>,
): Promise<void> {
  const known = networksOf(snapshot.processes);
  const read = () => scans.foreignListeners({ signal, known });
  const what = 'the network namespaces of processes';
  const scanned = await readTwice(read, what, report, isElsewhere, (one) => one.listeners.some(fails));
  if (scanned === null) return;
  const [before, now] = scanned;
  const seen = new Set(before.listeners.map(keyOf));
  const failed = now.listeners.filter((one) => fails(one) && seen.has(keyOf(one)));
  for (const one of failed) report.fail({ ...explain(one), ...say(one) });
  reportUnseen(now, report);
  if (failed.length === 0) report.pass();
}

/** Network namespace by pid. Read before the first scan: the next sweep overwrites the rows. */
function networksOf({ columns, count }: ProcessTable): ReadonlyMap<number, number> {
  const known = new Map<number, number>();
  for (let row = 0; row < count; row++) {
    const namespace = columns.nsNet[row] ?? 0;
    if (namespace !== 0) known.set(columns.pid[row] ?? 0, namespace);
  }
  return known;
}

const isElsewhere = (subject: Subject): subject is ListenerSubject =>
  subject.kind === 'listener' && subject.namespace !== undefined;

const keyOf = ({ namespace, inode, protocol, address, port }: ForeignListener): string =>
  [namespace, inode, protocol, address, port].join(' ');

/** `pid 812 (nginx)`. */
const nameOf = ({ pid, comm }: ForeignProcess): string => `pid ${pid}${comm === '' ? '' : ` (${comm})`}`;

/** `held by pid 812 (nginx) in the network namespace 4026532511`; without a holder, another process in it. */
export const whereText = ({ namespace, holders, within }: ForeignListener): string =>
  holders.length > 0
    ? `held by ${holders.map(nameOf).join(', ')} in the network namespace ${namespace}`
    : `in the network namespace ${namespace} of ${nameOf(within)}`;

function explain(listener: ForeignListener): Omit<FailParts, 'summary'> {
  const { protocol, address, port, inode, namespace, holders, within } = listener;
  return {
    subject: { kind: 'listener', protocol, address, port, inode, namespace },
    avenue: listenerAvenue(listener),
    evidence: {
      ...listenerEvidence({ ...listener, executable: holders[0]?.executable ?? '' }),
      namespace,
      pid: within.pid,
      comm: within.comm,
    },
    evidenceClass: OTHER_NAMESPACE,
  };
}

function reportUnseen({ closed, entered, left, unread }: ForeignReport, report: Report): void {
  const unseen = (subject: Subject) => isElsewhere(subject) && !entered.has(subject.namespace ?? 0);
  if (unread.length > 0)
    report.blind({
      reason: 'some processes hide which network namespace they are in',
      cure: CURES.namespaces,
      subjects: unread.length,
      // Init may keep its own even from root: what was elsewhere is not in there.
      hides: (subject) => unread.some((pid) => pid !== INIT) && unseen(subject),
    });
  for (const code of new Set([...closed.values()].map((refusal) => refusal.code))) {
    const those = new Set([...closed].filter(([, refusal]) => refusal.code === code).map(([inode]) => inode));
    const refused = code === 'EACCES' || code === 'EPERM';
    report.blind({
      reason: `some other network namespaces could not be read (${code})`,
      cure: refused ? CURES.namespaces : 'see desk doctor',
      subjects: those.size,
      hides: (subject) => isElsewhere(subject) && those.has(subject.namespace ?? 0),
    });
  }
  if (left > 0)
    report.blind({
      reason: 'there are more network namespaces than one scan enters',
      cure: 'stop containers that are not needed',
      subjects: left,
      hides: unseen,
    });
}
