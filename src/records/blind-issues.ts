/** What could not be looked at: the classes of evidence that are blind in a moment, and the issues that say so. */
import type { ProbeState } from '../engine/snapshot.ts';
import { once, sentence } from './derive.ts';
import type { Moment } from './moment.ts';
import { CONNECTION_DUMPS, failingProbes, LISTENER_DUMPS } from './sight.ts';

/**
 * `processes`: the list of processes · `sockets`: listeners · `connections`: the desk's own HTTPS connections · `holders`: who
 * holds a socket · `confinement`: how processes are wrapped · `files`: host files and interfaces · `memory`: what is inside of
 * processes.
 */
export type BlindClassId =
  | 'processes'
  | 'sockets'
  | 'connections'
  | 'holders'
  | 'confinement'
  | 'files'
  | 'memory';

export interface BlindClass {
  readonly id: BlindClassId;
  /** What could not be looked at and why, one phrase. */
  readonly reason: string;
  /** What would let the desk look, one phrase; "" when nothing is known. */
  readonly cure: string;
}

/** The cause of a probe without its cure, which stands behind it in `reason`. */
const causeOf = ({ reason, cure }: ProbeState): string =>
  cure !== '' && reason.endsWith(`: ${cure}`) ? reason.slice(0, -cure.length - 2) : reason;

const distinct = (texts: readonly string[]): string => [...new Set(texts)].join(', ');

const LISTENING_SOCKETS = 'the listening sockets';

type Look = (moment: Moment) => Omit<BlindClass, 'id'> | null;

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

const processes: Look = ({ snapshot }) => {
  const proc = snapshot.probes.find(({ id, works }) => id === 'proc' && !works);
  if (proc !== undefined)
    return { reason: `the processes could not all be looked at: ${causeOf(proc)}`, cure: proc.cure };
  return snapshot.counts.processes > 0
    ? null
    : { reason: 'no process could be looked at', cure: 'see desk doctor' };
};

/** Processes beside the desk's own, which it can always look into. */
const others = ({ snapshot: { counts, engine } }: Moment): number =>
  counts.userSpace - engine.deskPids.length;

const SIGHT = 'run as root or give CAP_SYS_PTRACE';

const holders: Look = (moment) => {
  const { descriptorsBlind } = moment.snapshot.counts;
  if (descriptorsBlind === 0 || descriptorsBlind < others(moment)) return null;
  return {
    reason: 'every other process hides its open files, so who holds a socket is unknown',
    cure: SIGHT,
  };
};

const confinement: Look = ({ snapshot: { counts } }) =>
  counts.userSpace > 0 && counts.wrapBlind === counts.userSpace
    ? { reason: 'every process hides how it is confined', cure: SIGHT }
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
  sockets: dumps(LISTENING_SOCKETS, LISTENER_DUMPS, 'which ports are up is unknown'),
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

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** How the issue begins that says that ports could not be looked at. */
export const BLIND_SOCKETS = capital(LISTENING_SOCKETS);

/** The loop is on and does not look. */
export const loopIssues = ({ desk: { loop } }: Moment): string[] =>
  loop.fresh
    ? []
    : [
        sentence(
          `The recheck loop has not looked for ${loop.staleSec} s`,
          'ask desk doctor, and start the desk again if it stays so',
        ),
      ];
