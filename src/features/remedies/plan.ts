/**
 * Which processes to signal to shut a banned listener down, or why none. Pure over a snapshot: the signal itself verifies
 * everything again (native/act/held_process.h).
 */
import type { ListenerSubject } from '../../checks/subjects.ts';
import { endpointText } from '../../checks/subjects.ts';
import { textOf } from '../../engine/bytes.ts';
import type { SocketMaker, Standing } from '../../engine/native/act-types.ts';
import { FACT } from '../../engine/native/types.ts';
import { isKernelThread } from '../../engine/process-states.ts';
import type { Listener, Snapshot } from '../../engine/snapshot.ts';
import type { Finding } from '../../findings/finding.ts';
import { bannedSuppression } from '../../findings/suppression.ts';
import type { Law } from '../../policy/law.ts';
import { adviceFor, closeSocketAdvice, containerAdvice } from './advice.ts';

/** A holder as the plan knows it; if any of this differs at the time of the signal, there is no signal. */
export interface Target {
  readonly pid: number;
  /** Clock ticks after boot, as text. */
  readonly start: string;
  readonly uid: number;
  /** Lossy text. */
  readonly executable: string;
}

interface Refused {
  readonly kind: 'refuse';
  readonly reason: string;
  readonly text: string;
  readonly advice: string;
}

/** Targets are children first, without holders that are not responsible for the socket: these keep it, and it may stay up. */
export type ShutdownPlan = { readonly kind: 'signal'; readonly targets: readonly Target[] } | Refused;

interface PlanParts {
  readonly snapshot: Snapshot;
  readonly listener: Listener;
  readonly law: Pick<Law, 'bannedPorts' | 'suppressions'>;
  readonly self: number;
  /** Holders as a search through all descriptors found them; default: those of the snapshot. */
  readonly holders?: readonly number[];
  readonly unread?: number;
  /** Why a holder is responsible for the socket; `other` for an unreadable one. */
  readonly standingOf: (pid: number) => Standing;
  readonly maker: SocketMaker | null;
}

/** A longer chain of parents is an inconsistent table. */
const MOST_GENERATIONS = 1024;
/** init and kthreadd. */
const HIGHEST_SYSTEM_PID = 2;
const NEEDED = FACT.stat | FACT.status | FACT.exe | FACT.nsPid;

export function planShutdown(parts: PlanParts): ShutdownPlan {
  const { snapshot, listener, law, self, maker, unread = 0 } = parts;
  const holders = [...new Set(parts.holders ?? listener.holders.map(({ pid }) => pid))];
  const refuse = (reason: string, text: string): Refused => {
    const general = adviceFor(snapshot, listener, holders);
    const advice = reason === 'not-maker' ? closeSocketAdvice(listener, general) : general;
    return { kind: 'refuse', reason, text, advice };
  };
  if (!law.bannedPorts.has(listener.port)) return refuse('not-banned', `port ${listener.port} is not banned`);
  const exception = allowedByLaw(law, listener, snapshot);
  if (exception !== null) return exception;
  if (holders.length === 0) {
    const others = unread === 0 ? '' : `, and ${unread} could not be read`;
    return refuse('no-holder', `no process could be seen that holds ${endpointText(listener)}${others}`);
  }
  for (const pid of holders) {
    const found = blocking(snapshot, pid, self);
    if (found !== null) return refuse(...found);
  }
  // A process can be handed a descriptor without its knowledge: it is not responsible for the socket, and does not protect those that are.
  const answering: number[] = [];
  let why: Reason | null = null;
  for (const pid of holders) {
    const reason = exemption(parts, pid);
    if (reason === null) answering.push(pid);
    else if (why === null || (reason[0] === 'not-maker' && why[0] !== 'not-maker')) why = reason;
  }
  if (answering.length === 0 && why !== null) return refuse(...why);
  const targets = answering.map((pid) => targetOf(snapshot, pid));
  const [first] = targets as [Target, ...Target[]];
  // With a known maker there is evidence for each target, and descent does not matter: a double fork leaves a holder that
  // descends from no other. A uid alone is weak evidence: then several holders must be one program and one tree.
  const presumed = maker === null;
  const other = targets.find(({ executable, uid }) => executable !== first.executable || uid !== first.uid);
  if (presumed && other !== undefined)
    return refuse('mixed', `different programs hold it together: ${nameOf(first)} and ${nameOf(other)}`);
  // The snapshot may not know the holder yet, and the law may have an exception for its program.
  for (const { executable } of targets) {
    const forProgram = allowedByLaw(law, { ...listener, executable }, snapshot);
    if (forProgram !== null) return forProgram;
  }
  const depths = depthsOf(snapshot, targets);
  if (presumed && [...depths.values()].filter((depth) => depth === 0).length !== 1)
    return refuse('no-tree', `its ${answering.length} holders are not one tree of processes`);
  const childrenFirst = [...depths].sort(([a, depth], [b, other]) => other - depth || a.pid - b.pid);
  return { kind: 'signal', targets: childrenFirst.map(([target]) => target) };
}

interface ForeignSubject extends ListenerSubject {
  readonly namespace: number;
  readonly executable: string;
  readonly creatorUid: number;
}

/** The subject of a finding about a listener of another network namespace; undefined for all other findings. */
export function foreignSubject({ subject, evidence }: Finding): ForeignSubject | undefined {
  if (subject.kind !== 'listener' || subject.namespace === undefined) return undefined;
  const { executable = '', creator_uid = -1 } = evidence;
  const { namespace } = subject;
  return { ...subject, namespace, executable: String(executable), creatorUid: Number(creator_uid) };
}

/** Listeners of other network namespaces are reported, and their holders never signalled: our view of the sockets lacks them. */
export function refuseForeign(
  { evidence }: Finding,
  subject: ForeignSubject,
  snapshot: Snapshot,
  law: PlanParts['law'],
): Refused {
  const exception = allowedByLaw(law, subject, snapshot);
  if (exception !== null) return exception;
  const { port, namespace } = subject;
  const pids = String(evidence.holders ?? '').match(/\d+/g) ?? [];
  const holders = pids.map(Number);
  const within = Number(evidence.pid ?? 0);
  const inside = `find its holder as root with nsenter --target ${within} --net ss -lnp 'sport = :${port}' and end it`;
  return {
    kind: 'refuse',
    reason: 'other-network',
    text: `${endpointText(subject)} is in another network namespace (${namespace}), where no process is signalled`,
    advice:
      containerAdvice(snapshot, [...holders, within]) ??
      (holders.length > 0 ? adviceFor(snapshot, subject, holders) : inside),
  };
}

type Reason = readonly [string, string];

/** The refusal when the law allows the listener; else null. */
function allowedByLaw(
  law: PlanParts['law'],
  listener: Parameters<typeof bannedSuppression>[1],
  { at }: Snapshot,
): Refused | null {
  const suppression = bannedSuppression(law, listener, at.epochMs);
  if (suppression === null) return null;
  return {
    kind: 'refuse',
    reason: 'allowed',
    text: `the law allows it (${suppression.why})`,
    advice: 'remove that exception to have it shut down',
  };
}

const nameOf = ({ pid, executable, uid }: Target): string => `${executable} (pid ${pid}, uid ${uid})`;

/** Why no holder may be signalled at all: this one keeps the machine or the desk running, or restarts the others. */
function blocking(snapshot: Snapshot, pid: number, self: number): Reason | null {
  if (pid <= HIGHEST_SYSTEM_PID) return ['init', `pid ${pid} holds it, and is never signalled`];
  if (pid === self) return ['ourselves', 'the desk itself holds it'];
  const table = snapshot.processes;
  const row = table.rowOf(pid);
  if (row >= 0 && isKernelThread(table, row)) return ['kernel-thread', `the kernel thread ${pid} holds it`];
  if (descends(snapshot, self, pid))
    return ['ancestor', `pid ${pid} holds it, and the desk descends from it`];
  if (snapshot.engine.deskPids.includes(pid) || descends(snapshot, pid, self))
    return ['helper', `pid ${pid} holds it, a process of the desk's own`];
  return null;
}

/** Why this holder alone is not signalled; null when it is. */
function exemption({ snapshot, listener, self, standingOf, maker }: PlanParts, pid: number): Reason | null {
  const table = snapshot.processes;
  const row = table.rowOf(pid);
  const { columns } = table;
  const seen = columns.seen[row] ?? 0;
  if (row < 0 || (seen & NEEDED) !== NEEDED || table.exe(row).length === 0)
    return ['unreadable', `pid ${pid} cannot be read`];
  const ours = columns.nsPid[table.rowOf(self)] ?? 0;
  if (ours === 0) return ['unreadable', 'the pid namespace of the desk itself cannot be read'];
  if (columns.nsPid[row] !== ours)
    return ['other-pid-namespace', `pid ${pid} holds it from within another pid namespace`];
  if (standingOf(pid) !== 'other') return null;
  const made = maker === null ? `uid ${listener.creatorUid}` : `pid ${maker.pid} of uid ${maker.uid}`;
  const holds = `${nameOf(targetOf(snapshot, pid))} holds it`;
  return ['not-maker', `${made} made it and ${holds}: there is no evidence that this process made it`];
}

function targetOf({ processes: table }: Snapshot, pid: number): Target {
  const row = table.rowOf(pid);
  return {
    pid,
    start: String(table.columns.start[row] ?? 0n),
    uid: table.columns.uid[row] ?? 0,
    executable: textOf(table.exe(row)),
  };
}

/** Pid of the parent, 0 when there is none or it is unknown. */
function parentOf({ processes: table }: Snapshot, pid: number): number {
  const row = table.rowOf(pid);
  return row < 0 ? 0 : (table.columns.ppid[row] ?? 0);
}

function ancestorsOf(snapshot: Snapshot, pid: number): readonly number[] {
  const above: number[] = [];
  let at = parentOf(snapshot, pid);
  for (; at > 0 && above.length < MOST_GENERATIONS; at = parentOf(snapshot, at)) above.push(at);
  return above;
}

const descends = (snapshot: Snapshot, pid: number, ancestor: number): boolean =>
  ancestorsOf(snapshot, pid).includes(ancestor);

/** Of each target, how many of the others it descends from. */
function depthsOf(snapshot: Snapshot, targets: readonly Target[]): ReadonlyMap<Target, number> {
  const pids = new Set(targets.map(({ pid }) => pid));
  const above = ({ pid }: Target): number =>
    new Set(ancestorsOf(snapshot, pid).filter((one) => one !== pid && pids.has(one))).size;
  return new Map(targets.map((target) => [target, above(target)]));
}
