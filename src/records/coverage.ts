/** How much of the machine the desk could see: what is blind in a moment, why, and what would let the desk look. */
import { CURES, cureFor } from '../engine/cures.ts';
import type { ProbeState } from '../engine/snapshot.ts';
import { once } from './derive.ts';
import type { Moment } from './moment.ts';
import { CONNECTION_DUMPS, failingProbes, LISTENER_DUMPS, processesBlind } from './sight.ts';

/**
 * `processes`: the list of processes · `sockets`: listeners · `connections`: the desk's own HTTPS connections · `holders`: who
 * holds a socket · `confinement`: how processes are wrapped · `files`: host files and interfaces · `memory`: what is inside of
 * processes.
 */
type BlindClassId = 'processes' | 'sockets' | 'connections' | 'holders' | 'confinement' | 'files' | 'memory';

export interface Gap {
  /** What could not be looked at and why, one phrase. */
  readonly reason: string;
  /** What would let the desk look, one phrase; "" when nothing is known. */
  readonly cure: string;
}

interface BlindClass extends Gap {
  readonly id: BlindClassId;
}

/** The cause of a probe without its cure, which follows it in `reason`. */
const causeOf = ({ reason, cure }: ProbeState): string =>
  cure !== '' && reason.endsWith(`: ${cure}`) ? reason.slice(0, -cure.length - 2) : reason;

const distinct = (texts: readonly string[]): string => [...new Set(texts)].join(', ');

type Look = (moment: Moment) => Gap | null;

function dumps(what: string, which: RegExp, so: string): Look {
  return (moment) => {
    const probes = failingProbes(moment, which);
    if (probes.length === 0) return null;
    const kinds = probes.map(({ id }) => id.slice('sock_diag '.length)).join(', ');
    return {
      reason: `${what} (${kinds}) could not be looked at, so ${so}: ${distinct(probes.map(causeOf))}`,
      cure: distinct(probes.map(({ cure }) => cure)),
    };
  };
}

const processes: Look = (moment) => {
  const [proc] = failingProbes(moment, /^proc$/);
  if (proc !== undefined)
    return { reason: `the processes could not all be looked at: ${causeOf(proc)}`, cure: proc.cure };
  return moment.snapshot.counts.processes > 0
    ? null
    : { reason: 'no process could be looked at', cure: 'see desk doctor' };
};

/** Processes beside the desk's own, which it can always look into. */
const others = ({ snapshot: { counts, engine } }: Moment): number =>
  counts.userSpace - engine.deskPids.length;

const holders: Look = (moment) => {
  const { counts, engine } = moment.snapshot;
  const { descriptorsBlind } = counts;
  if (descriptorsBlind === 0 || descriptorsBlind < others(moment)) return null;
  return {
    reason: 'every other process hides its open files, so who holds a socket is unknown',
    cure: cureFor(engine.euid, CURES.ptrace),
  };
};

const confinement: Look = ({ snapshot: { counts, engine } }) =>
  counts.userSpace > 0 && counts.wrapBlind === counts.userSpace
    ? { reason: 'every process hides how it is confined', cure: cureFor(engine.euid, CURES.ptrace) }
    : null;

const files: Look = ({ snapshot: { host } }) => {
  const asked = {
    'the preload file': host.preload,
    'the packet sockets': host.packets,
    'the network interfaces': host.promiscuous,
    'the mounts over /proc': host.covers,
  };
  const refused = Object.entries(asked).flatMap(([what, answer]) =>
    'errno' in answer ? [`${what} (${answer.code})`] : [],
  );
  return refused.length === 0
    ? null
    : { reason: `${refused.join(', ')} could not be looked at`, cure: 'see desk doctor' };
};

/** The antivirus duty says itself why its helper does not look. */
const memory: Look = ({ desk }) => {
  const { configured, healthy, reason } = desk.duties.antivirus;
  return configured && !healthy ? { reason: `processes are not looked into: ${reason}`, cure: '' } : null;
};

const LOOKS: Readonly<Record<BlindClassId, Look>> = {
  processes,
  sockets: dumps('the listening sockets', LISTENER_DUMPS, 'which ports are up is unknown'),
  connections: dumps('the HTTPS connections', CONNECTION_DUMPS, 'where the desk is connected to is unknown'),
  holders,
  confinement,
  files,
  memory,
};

/** The classes of evidence of which nothing, or not a part that matters, could be seen in this moment. Empty = all was seen. */
export const blindClasses = once((moment): readonly BlindClass[] =>
  (Object.keys(LOOKS) as BlindClassId[]).flatMap((id) => {
    const blind = LOOKS[id](moment);
    return blind === null ? [] : [{ id, ...blind }];
  }),
);

/** Hidden processes up to this share, or fewer than so many, leave a verdict good. */
const HIDDEN_SHARE = 0.05;
const HIDDEN_LEAST = 3;

/** User-space processes of which a fact that the checks need was refused, and all of them. */
const hiddenProcesses = ({ snapshot: { counts } }: Moment) => ({
  hidden: counts.blindProcesses,
  all: counts.userSpace,
});

/**
 * Share of what the verdict rests on that was seen, 0 to 1: of the processes, or of the pairs that did not fail, the lesser
 * one. Pairs that failed are left out, so that another fail never looks like better sight. 0 while processes are left out of the
 * list (hidepid): how large a share was seen is not known.
 */
export function sight(moment: Moment): number {
  if (processesBlind(moment)) return 0;
  const { hidden, all } = hiddenProcesses(moment);
  const { blind, pass } = moment.judgement;
  const seen = (part: number, whole: number): number => (whole > 0 ? Math.max(0, 1 - part / whole) : 1);
  return Math.min(seen(hidden, all), seen(blind, pass + blind));
}

function hiddenGap(moment: Moment): Gap | null {
  const { hidden, all } = hiddenProcesses(moment);
  if (hidden < HIDDEN_LEAST || hidden <= HIDDEN_SHARE * all) return null;
  const { euid } = moment.snapshot.engine;
  return {
    reason: `${hidden} of ${all} processes are hidden from ${euid === 0 ? 'the desk' : 'this user'}`,
    cure: cureFor(euid, CURES.hidden),
  };
}

/** Classes that are blind because processes are hidden: with these, they say the same thing again. */
const FROM_HIDDEN: readonly BlindClassId[] = ['holders', 'confinement'];

/** The blind classes that have a reason of their own. */
export const ownBlindClasses = (moment: Moment): readonly BlindClass[] =>
  hiddenGap(moment) === null
    ? blindClasses(moment)
    : blindClasses(moment).filter(({ id }) => !FROM_HIDDEN.includes(id));

/** Why a verdict cannot be good whatever was found. Empty when enough was seen. */
export const gapsOf = once((moment): readonly Gap[] => {
  const hidden = hiddenGap(moment);
  const own = ownBlindClasses(moment).filter(({ id }) => id !== 'memory');
  return hidden === null ? own : [hidden, ...own];
});
