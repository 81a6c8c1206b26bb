/** The common body of the checks that look at listeners of other network namespaces. They are labelled so, and never signalled. */
import { CURES } from '../engine/cures.ts';
import type { ForeignListener, ForeignReport } from '../engine/foreign-listeners.ts';
import type { ForeignProcess } from '../engine/native/foreign-types.ts';
import { isRefusal } from '../engine/native/types.ts';
import type { ProcessTable } from '../engine/snapshot.ts';
import { refusedBlindness } from './blindness.ts';
import type { BenignCause, FailParts, Report, ScanContext } from './check.ts';
import { endpointText, type ListenerSubject, type Subject } from './subjects.ts';

/** The evidence class of every fail about them. */
export const OTHER_NAMESPACE = 'other-namespace';

export const otherNamespace: BenignCause = {
  name: OTHER_NAMESPACE,
  why: 'it listens in a network namespace of its own, as containers do: only what its host forwards reaches it',
  evidenceClass: [OTHER_NAMESPACE],
};

const INIT = 1;

type Judged = (listener: ForeignListener) => boolean;

/** Looks twice where there is something to tell. Whoever is not judged is not told. */
export async function scanElsewhere(
  { scans, snapshot }: ScanContext,
  report: Report,
  signal: AbortSignal,
  fails: Judged,
  say: (listener: ForeignListener) => Partial<FailParts> & Pick<FailParts, 'summary'>,
): Promise<void> {
  const known = networksOf(snapshot.processes);
  const first = await scans.foreignListeners({ signal, known });
  const again = !isRefusal(first) && first.listeners.some(fails);
  const second = again ? await scans.foreignListeners({ signal, known }) : first;
  for (const one of [first, second])
    if (isRefusal(one)) {
      const blindness = refusedBlindness('the network namespaces of processes', one);
      report.blind({ ...blindness, hides: isElsewhere });
      return;
    }
  const [before, now] = [first as ForeignReport, second as ForeignReport];
  const seen = new Set(before.listeners.map(keyOf));
  const failed = now.listeners.filter((one) => fails(one) && seen.has(keyOf(one)));
  for (const one of failed) report.fail({ ...explain(one), ...say(one) });
  tellUnseen(now, report);
  if (failed.length === 0) report.pass();
}

/** Read at once: the rows are written again. */
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

/** `held by pid 812 (nginx) in the network namespace 4026532511`; without a holder, who else is in there. */
export const whereText = ({ namespace, holders, within }: ForeignListener): string =>
  holders.length > 0
    ? `held by ${holders.map(nameOf).join(', ')} in the network namespace ${namespace}`
    : `in the network namespace ${namespace} of ${nameOf(within)}`;

function explain(listener: ForeignListener): Omit<FailParts, 'summary'> {
  const { protocol, address, port, inode, namespace, creatorUid, holders, within } = listener;
  return {
    subject: { kind: 'listener', protocol, address, port, inode, namespace },
    avenue: listener.scope === 'public' ? 'public_listen' : 'unknown_local',
    evidence: {
      endpoint: endpointText(listener),
      inode,
      creator_uid: creatorUid,
      holders: holders.map(({ pid }) => pid).join(' '),
      executable: holders[0]?.executable ?? '',
      namespace,
      pid: within.pid,
      comm: within.comm,
    },
    evidenceClass: OTHER_NAMESPACE,
  };
}

function tellUnseen({ closed, entered, left, unread }: ForeignReport, report: Report): void {
  const unseen = (subject: Subject) => isElsewhere(subject) && !entered.has(subject.namespace ?? 0);
  if (unread.length > 0)
    report.blind({
      reason: 'some processes hide which network namespace they are in',
      cure: CURES.namespaces,
      subjects: unread.length,
      // Init may keep its own even from root: what was elsewhere is not in there.
      hides: (subject) => unread.some((pid) => pid !== INIT) && unseen(subject),
    });
  const codes = [...new Set([...closed.values()].map(({ code }) => code))];
  for (const code of codes) {
    const those = new Set([...closed].filter(([, refusal]) => refusal.code === code).map(([inode]) => inode));
    const refused = code === 'EACCES' || code === 'EPERM';
    report.blind({
      reason: `some other network namespaces could not be looked into (${code})`,
      cure: refused ? CURES.namespaces : 'see desk doctor',
      subjects: those.size,
      hides: (subject) => isElsewhere(subject) && those.has(subject.namespace ?? 0),
    });
  }
  if (left > 0)
    report.blind({
      reason: 'there are more network namespaces than one look enters',
      cure: 'stop containers that are not needed',
      subjects: left,
      hides: unseen,
    });
}
