/**
 * Derivations that more than one field shares. Each is written here once, so fields that must agree do so because they
 * are the same function of the same snapshot.
 */
import type { AvenueId } from '../checks/check.ts';
import { LISTENER_ROLES } from '../config/schema.ts';
import type { Listener, ProbeState } from '../engine/snapshot.ts';
import { offsetTime } from '../engine/time.ts';
import { BANNED_PORT, bannedPorts } from '../policy/banned.ts';
import type { DeskFacts, DeskState, Duty, ServiceListener } from './state.ts';

/** The listener of interface rule 1. */
export const VIRUS_PORT = BANNED_PORT;

/** A time with the offset of the snapshot, RFC 3339; null without one. */
export const timeOf = ({ snapshot }: DeskState, ms: number | null): string | null =>
  ms === null ? null : offsetTime({ ...snapshot.at, epochMs: ms });

/** Caches a derivation with its (immutable) state. */
export function once<T>(derive: (state: DeskState) => T): (state: DeskState) => T {
  const known = new WeakMap<DeskState, T>();
  return (state) => {
    if (!known.has(state)) known.set(state, derive(state));
    return known.get(state) as T;
  };
}

/** `part` of `whole` scaled to `scale` and rounded; 0 without a whole. */
export const share = (part: number, whole: number, scale: number): number =>
  whole > 0 ? Math.round((scale * part) / whole) : 0;

/** A phrase without the stops at its end; "" when only stops are in it. */
export const phrase = (text: string): string => text.trim().replace(/[\s.,;]+$/, '');

/** One sentence from several phrases. */
export const sentence = (...parts: readonly string[]): string =>
  `${parts
    .map(phrase)
    .filter((part) => part !== '')
    .join('; ')}.`;

// Sources that failed, so that what they report is unknown.
export const LISTENER_DUMPS = /^sock_diag (?:tcp|udp)[46]$/;
const TCP_DUMPS = /^sock_diag tcp[46]$/;
export const CONNECTION_DUMPS = /^sock_diag https[46]$/;

/** Probes that do not work, of those whose id matches. */
export const failingProbes = ({ snapshot }: DeskState, which: RegExp): readonly ProbeState[] =>
  snapshot.probes.filter(({ id, works }) => !works && which.test(id));

/** Listeners of at least one protocol and family could not be listed. */
export const socketsBlind = (state: DeskState): boolean => failingProbes(state, LISTENER_DUMPS).length > 0;
/** TCP listeners of at least one family could not be listed: a port that is not seen may be up. */
const portsBlind = (state: DeskState): boolean => failingProbes(state, TCP_DUMPS).length > 0;
export const connectionsBlind = (state: DeskState): boolean =>
  failingProbes(state, CONNECTION_DUMPS).length > 0;
export const processesBlind = (state: DeskState): boolean =>
  failingProbes(state, /^proc$/).length > 0 || state.snapshot.counts.processes === 0;
/** The scan for residue of the desk itself failed. */
export const fieldBlind = ({ desk }: DeskState): boolean => desk.service.fieldTrouble !== '';

// Iron and atoms.
export const temperature = ({ snapshot }: DeskState): number =>
  snapshot.machine.temperatures?.length ? Math.round(Math.max(...snapshot.machine.temperatures)) : 0;
export const thermo = ({ snapshot }: DeskState): number => snapshot.machine.temperatures?.length ?? 0;
/** Wrapped share of the user-space processes, of `scale`; null while some are left out of the list, or without any. */
export const wrappedShare = (state: DeskState, scale: number): number | null => {
  const { wrapped, userSpace } = state.snapshot.counts;
  return processesBlind(state) || userSpace === 0 ? null : share(wrapped, userSpace, scale);
};
export const phi = (state: DeskState): number => wrappedShare(state, 1000) ?? 0;

// Processes.
export const spvPids = ({ snapshot }: DeskState): number => snapshot.counts.userSpace;
export const spvWrapped = ({ snapshot }: DeskState): number => snapshot.counts.wrapped;
export const spvFree = ({ snapshot }: DeskState): number => snapshot.counts.free;

// Baseline.
export const newComm = ({ snapshot, desk }: DeskState): number =>
  Math.max(0, snapshot.counts.identities - desk.baseline.runningKnown);
export const learned = ({ desk }: DeskState): boolean => desk.baseline.generation > 0;

// Listeners: the engine counts distinct (protocol, port, executable), UDP only below the ephemeral range.
export const publicListeners = ({ snapshot }: DeskState): number => snapshot.counts.publicListeners;

// Judgement.
export const scarCount = ({ judgement }: DeskState): number => judgement.scars.length;
export const quiet = ({ judgement }: DeskState, avenues: readonly AvenueId[]): boolean =>
  !judgement.scars.some(({ avenue }) => avenues.includes(avenue));
/** The clean path of the gate: no scar, and one authoritative generation. */
export const gatePasses = (state: DeskState): boolean => scarCount(state) === 0 && state.desk.gate.god === 1;

// Desk ports.
export interface DeskPort {
  readonly name: string;
  readonly port: number;
  readonly required: boolean;
  readonly up: boolean;
  /** False: not seen, and not every listener could be read. */
  readonly known: boolean;
}

/** The configured desk ports; without `[[ports]]` the enabled listeners of the service, office required. */
export const deskPorts = once((state): readonly DeskPort[] => {
  const { snapshot, desk } = state;
  const { listen, ports } = desk.config;
  const wanted =
    ports ??
    LISTENER_ROLES.filter((role) => listen[role].enabled).map((role) => ({
      name: role,
      port: listen[role].port,
      required: role === 'office',
    }));
  const tcp = snapshot.listeners.filter(({ protocol }) => protocol === 'tcp');
  const blind = portsBlind(state);
  return wanted.map(({ name, port, required }) => {
    const hosts = hostsOf(desk.config, port);
    const up = tcp.some((listener) => listener.port === port && isReached(listener, hosts));
    return { name, port, required, up, known: up || !blind };
  });
});

export const portsUp = (state: DeskState): number => deskPorts(state).filter(({ up }) => up).length;
/** Required, and known to be down. */
export const isDown = ({ required, up, known }: DeskPort): boolean => required && !up && known;
export const downPorts = (state: DeskState): readonly DeskPort[] => deskPorts(state).filter(isDown);
/** Required, and not known to be up: down, or not all listeners could be read. */
export const missingPorts = (state: DeskState): readonly DeskPort[] =>
  deskPorts(state).filter(({ required, up }) => required && !up);

const LOCAL = ['127.0.0.1', '::1'] as const;

/** Loopback addresses at which clients expect a desk port: the usual ones, and those of a listener of ours that is configured for it. */
const hostsOf = ({ listen }: DeskState['desk']['config'], port: number): ReadonlySet<string> =>
  new Set([
    ...LOCAL,
    ...Object.values(listen).flatMap((one) => (one.enabled && one.port === port ? [one.host] : [])),
  ]);

/** Beyond loopback a listener is reached at its own address; on another loopback address than these no client expects it. */
const isReached = ({ address, scope }: Listener, hosts: ReadonlySet<string>): boolean =>
  scope === 'public' || hosts.has(address.replace(/^::ffff:/, ''));

/** Our own listener that was meant for a port and could not bind it. */
export const failedListener = ({ desk }: DeskState, port: number): ServiceListener | undefined =>
  desk.service.listeners.find((listener) => listener.state === 'failed' && listener.port === port);

/** Whole seconds since the configured site was probed; null before that, and where none is configured. */
export const siteAgeSec = ({ snapshot, desk }: DeskState): number | null =>
  !desk.site.configured || desk.site.probedMs === null
    ? null
    : Math.max(0, Math.round((snapshot.at.epochMs - desk.site.probedMs) / 1000));

// The listener that must stay down.
export const virusListeners = ({ snapshot }: DeskState): readonly Listener[] =>
  snapshot.listeners.filter(({ port }) => port === VIRUS_PORT);
export const virusUp = (state: DeskState): boolean => virusListeners(state).length > 0;
/** `failed` = not seen, and the kernel refused a dump of listeners: its state is unknown. */
const bannedState = (state: DeskState, banned: number): 'active' | 'inactive' | 'failed' => {
  if (state.snapshot.listeners.some(({ port }) => port === banned)) return 'active';
  return socketsBlind(state) ? 'failed' : 'inactive';
};
export const virusState = (state: DeskState) => bannedState(state, VIRUS_PORT);
/** Those that the configuration bans beside it. */
export const alsoBanned = (state: DeskState) =>
  [...bannedPorts(state.desk.config.banned)]
    .filter((port) => port !== VIRUS_PORT)
    .map((port) => ({ port, state: bannedState(state, port) }));

// The public site.
export const answersWell = (status: number): boolean => status >= 200 && status < 400;
/** True when no site is configured: the embedded one needs neither names nor a certificate. */
export const siteGood = (state: DeskState): boolean => {
  const { configured, status, dnsGreen, dnsTotal, certificateReady } = state.desk.site;
  return !configured || (answersWell(status) && dnsGreen === dnsTotal && certificateReady);
};

// Mail, egress.
/** False also while the connections could not be read. */
export const insideOnly = (state: DeskState): boolean =>
  state.desk.egress.outside === 0 && !connectionsBlind(state);
export const egressTight = (state: DeskState): boolean => state.desk.egress.guardLoaded && insideOnly(state);

// The desk's own residue.
export const fieldOk = (state: DeskState): boolean =>
  state.desk.service.fieldDirt === 0 && !fieldBlind(state);

// Duties.
export type DutyName = keyof DeskFacts['duties'];
/** A duty as this snapshot shows it: a desk that cannot see processes or listeners neither judges them nor closes avenues. */
export const dutyOf = (state: DeskState, name: DutyName): Duty => {
  const duty = state.desk.duties[name];
  const sees = name === 'antivirus' || name === 'av_close';
  if (!sees || !duty.healthy || !(processesBlind(state) || socketsBlind(state))) return duty;
  return { ...duty, healthy: false, reason: 'processes or listeners could not be read, see the issues' };
};
export const inCharge = (state: DeskState, name: DutyName): boolean => {
  const { configured, healthy } = dutyOf(state, name);
  return configured && healthy;
};
