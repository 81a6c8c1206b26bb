/** How much of the machine the desk could see: what is blind in a snapshot, why, and what would make it readable. */
import { CURES, cureFor } from '../engine/cures.ts';
import type { ProbeState } from '../engine/snapshot.ts';
import { CONNECTION_DUMPS, failingProbes, LISTENER_DUMPS, once, processesBlind } from './derive.ts';
import type { DeskState } from './state.ts';

/**
 * `processes`: the list of processes · `sockets`: listeners · `connections`: the desk's own HTTPS connections · `holders`: who
 * holds a socket · `confinement`: how processes are wrapped · `files`: host files and interfaces · `memory`: what is inside of
 * processes.
 */
type BlindClassId = 'processes' | 'sockets' | 'connections' | 'holders' | 'confinement' | 'files' | 'memory';

export interface Gap {
  /** What could not be read and why, one phrase. */
  readonly reason: string;
  /** What would make it readable, one phrase; "" when unknown. */
  readonly cure: string;
}

interface BlindClass extends Gap {
  readonly id: BlindClassId;
}

/** `hidden`: too many processes are hidden. */
interface NamedGap extends Gap {
  readonly id: BlindClassId | 'hidden';
}

/** The cause of a probe without its cure, which follows it in `reason`. */
const causeOf = ({ reason, cure }: ProbeState): string =>
  cure !== '' && reason.endsWith(`: ${cure}`) ? reason.slice(0, -cure.length - 2) : reason;

const distinct = (texts: readonly string[]): string => [...new Set(texts)].join(', ');

type Scan = (state: DeskState) => Gap | null;

const dumps =
  (what: string, which: RegExp, so: string): Scan =>
  (state) => {
    const probes = failingProbes(state, which);
    if (probes.length === 0) return null;
    const kinds = probes.map(({ id }) => id.slice('sock_diag '.length)).join(', ');
    return {
      reason: `${what} (${kinds}) could not be read, so ${so}: ${distinct(probes.map(causeOf))}`,
      cure: distinct(probes.map(({ cure }) => cure)),
    };
  };

const SCANS: Readonly<Record<BlindClassId, Scan>> = {
  processes: (state) => {
    const [proc] = failingProbes(state, /^proc$/);
    if (proc !== undefined)
      return { reason: `not all processes could be read: ${causeOf(proc)}`, cure: proc.cure };
    if (state.snapshot.counts.processes > 0) return null;
    return { reason: 'no process could be read', cure: 'see desk doctor' };
  },
  sockets: dumps('the listening sockets', LISTENER_DUMPS, 'which ports are up is unknown'),
  connections: dumps('the HTTPS connections', CONNECTION_DUMPS, 'where the desk is connected to is unknown'),
  holders: ({ snapshot: { counts, engine } }) => {
    // The desk can always read its own processes.
    const others = counts.userSpace - engine.deskPids.length;
    if (counts.descriptorsBlind === 0 || counts.descriptorsBlind < others) return null;
    return {
      reason: 'every other process hides its open files, so who holds a socket is unknown',
      cure: cureFor(engine.euid, CURES.ptrace),
    };
  },
  confinement: ({ snapshot: { counts, engine } }) =>
    counts.userSpace > 0 && counts.wrapBlind === counts.userSpace
      ? { reason: 'every process hides how it is confined', cure: cureFor(engine.euid, CURES.ptrace) }
      : null,
  files: ({ snapshot: { host } }) => {
    const read = {
      'the preload file': host.preload,
      'the packet sockets': host.packets,
      'the network interfaces': host.promiscuous,
      'the mounts over /proc': host.covers,
    };
    const refused = Object.entries(read).flatMap(([what, answer]) =>
      'errno' in answer ? [`${what} (${answer.code})`] : [],
    );
    if (refused.length === 0) return null;
    return { reason: `${refused.join(', ')} could not be read`, cure: 'see desk doctor' };
  },
  // The antivirus duty says itself why its helper does not scan.
  memory: ({ desk }) => {
    const { configured, healthy, reason } = desk.duties.antivirus;
    return configured && !healthy ? { reason: `processes are not inspected: ${reason}`, cure: '' } : null;
  },
};

/** The classes of evidence that were wholly or largely unreadable in this snapshot. Empty = all was seen. */
export const blindClasses = once((state): readonly BlindClass[] =>
  (Object.keys(SCANS) as BlindClassId[]).flatMap((id) => {
    const blind = SCANS[id](state);
    return blind === null ? [] : [{ id, ...blind }];
  }),
);

/** Hidden processes up to this share, or fewer than so many, leave a verdict good. */
const HIDDEN_SHARE = 0.05;
const HIDDEN_LEAST = 3;

/**
 * Share of what the verdict rests on that was seen, 0 to 1: of the processes, or of the pairs that did not fail, the lesser
 * one. Pairs that failed are left out, so that another fail never counts as better sight. 0 while processes are left out of the
 * list (hidepid): how large a share was seen is not known.
 */
export function sight(state: DeskState): number {
  if (processesBlind(state)) return 0;
  const { blindProcesses: hidden, userSpace: all } = state.snapshot.counts;
  const { blind, pass } = state.judgement;
  const seen = (part: number, whole: number): number => (whole > 0 ? Math.max(0, 1 - part / whole) : 1);
  return Math.min(seen(hidden, all), seen(blind, pass + blind));
}

function hiddenGap(state: DeskState): NamedGap | null {
  const { blindProcesses: hidden, userSpace: all } = state.snapshot.counts;
  if (hidden < HIDDEN_LEAST || hidden <= HIDDEN_SHARE * all) return null;
  const { euid } = state.snapshot.engine;
  return {
    id: 'hidden',
    reason: `${hidden} of ${all} processes are hidden from ${euid === 0 ? 'the desk' : 'this user'}`,
    cure: cureFor(euid, CURES.hidden),
  };
}

/** Classes that are blind because processes are hidden: with these, they say the same thing again. */
const FROM_HIDDEN: readonly BlindClassId[] = ['holders', 'confinement'];

/** The blind classes that have a reason of their own. */
export const ownBlindClasses = (state: DeskState): readonly BlindClass[] =>
  hiddenGap(state) === null
    ? blindClasses(state)
    : blindClasses(state).filter(({ id }) => !FROM_HIDDEN.includes(id));

/** Why a verdict cannot be good even without findings. Empty when enough was seen. */
export const gapsOf = once((state): readonly NamedGap[] => {
  const hidden = hiddenGap(state);
  const own = ownBlindClasses(state).filter(({ id }) => id !== 'memory');
  return hidden === null ? own : [hidden, ...own];
});
