/**
 * Derivations that more than one field shares. Each is written here once, so fields that must agree do so because they
 * are the same function of the same moment.
 */
import type { AvenueId } from '../checks/check.ts';
import type { Listener } from '../engine/snapshot.ts';
import { BANNED_PORT, bannedPorts } from '../policy/banned.ts';
import type { DeskFacts, Duty, Moment, ServiceListener } from './moment.ts';
import { connectionsBlind, fieldBlind, portsBlind, processesBlind, socketsBlind } from './sight.ts';

/** The listener of interface rule 1. */
export const VIRUS_PORT = BANNED_PORT;

/** Caches a derivation for the life of its moment; a moment is immutable. */
export function once<T>(derive: (moment: Moment) => T): (moment: Moment) => T {
  const known = new WeakMap<Moment, { readonly value: T }>();
  return (moment) => {
    const held = known.get(moment);
    if (held !== undefined) return held.value;
    const value = derive(moment);
    known.set(moment, { value });
    return value;
  };
}

/** `part` of `whole` scaled to `scale` and rounded; 0 when there is no whole. */
export const share = (part: number, whole: number, scale: number): number =>
  whole > 0 ? Math.round((scale * part) / whole) : 0;

/** A phrase without the stops at its end; "" when nothing else is in it. */
export const phrase = (text: string): string => text.trim().replace(/[\s.,;]+$/, '');

/** One sentence from several phrases. */
export const sentence = (...parts: readonly string[]): string =>
  `${parts
    .map(phrase)
    .filter((part) => part !== '')
    .join('; ')}.`;

// Iron and atoms.
export const temperature = ({ snapshot }: Moment): number =>
  snapshot.machine.temperatures?.length ? Math.round(Math.max(...snapshot.machine.temperatures)) : 0;
export const thermo = ({ snapshot }: Moment): number => snapshot.machine.temperatures?.length ?? 0;
/** Wrapped share of the user-space processes, of `scale`; null while some are left out of the list, or there are none. */
export const wrappedShare = (moment: Moment, scale: number): number | null => {
  const { wrapped, userSpace } = moment.snapshot.counts;
  return processesBlind(moment) || userSpace === 0 ? null : share(wrapped, userSpace, scale);
};
export const phi = (moment: Moment): number => wrappedShare(moment, 1000) ?? 0;

// Processes.
export const spvPids = ({ snapshot }: Moment): number => snapshot.counts.userSpace;
export const spvWrapped = ({ snapshot }: Moment): number => snapshot.counts.wrapped;
export const spvFree = ({ snapshot }: Moment): number => snapshot.counts.free;

// Baseline.
export const newComm = ({ snapshot, desk }: Moment): number =>
  Math.max(0, snapshot.counts.identities - desk.baseline.runningKnown);
export const learned = ({ desk }: Moment): boolean => desk.baseline.generation > 0;

// Listeners: the engine counts distinct (protocol, port, executable), UDP only below the ephemeral range.
export const publicListeners = ({ snapshot }: Moment): number => snapshot.counts.publicListeners;

// Judgement.
export const scarCount = ({ judgement }: Moment): number => judgement.scars.length;
/** No scar in any of these avenues. */
export const quiet = ({ judgement }: Moment, avenues: readonly AvenueId[]): boolean =>
  !judgement.scars.some(({ avenue }) => avenues.includes(avenue));
/** The clean path of the gate: no scar, and one authoritative generation. */
export const gatePasses = (moment: Moment): boolean => scarCount(moment) === 0 && moment.desk.gate.god === 1;

// Desk ports.
export interface DeskPort {
  readonly name: string;
  readonly port: number;
  readonly required: boolean;
  /** A TCP listener was seen on it. */
  readonly up: boolean;
  /** False: none was seen, and not every listener could be looked at. */
  readonly known: boolean;
}

/** The configured desk ports; without `[[ports]]` the enabled listeners of the service, office required. */
export const deskPorts = once((moment): readonly DeskPort[] => {
  const { snapshot, desk } = moment;
  const { listen, ports } = desk.config;
  const wanted =
    ports ??
    (['control', 'office', 'public', 'themed'] as const)
      .filter((role) => listen[role].enabled)
      .map((role) => ({ name: role, port: listen[role].port, required: role === 'office' }));
  const tcp = snapshot.listeners.filter(({ protocol }) => protocol === 'tcp');
  const blind = portsBlind(moment);
  return wanted.map(({ name, port, required }) => {
    const hosts = hostsOf(desk.config, port);
    const up = tcp.some((listener) => listener.port === port && isReached(listener, hosts));
    return { name, port, required, up, known: up || !blind };
  });
});

/** Required, and known to be down. */
export const isDown = ({ required, up, known }: DeskPort): boolean => required && !up && known;
export const downPorts = (moment: Moment): readonly DeskPort[] => deskPorts(moment).filter(isDown);
/** Required, and not known to be up: down, or not all listeners could be looked at. */
export const missingPorts = (moment: Moment): readonly DeskPort[] =>
  deskPorts(moment).filter(({ required, up }) => required && !up);

const LOCAL = ['127.0.0.1', '::1'] as const;

/** Addresses on loopback at which clients look for a desk port: the usual ones, and those of a listener of ours that is configured for it. */
const hostsOf = ({ listen }: Moment['desk']['config'], port: number): ReadonlySet<string> =>
  new Set([
    ...LOCAL,
    ...Object.values(listen).flatMap((one) => (one.enabled && one.port === port ? [one.host] : [])),
  ]);

/** Beyond loopback a listener is reached at its own address; on another loopback address than these nobody looks for it. */
const isReached = ({ address, scope }: Listener, hosts: ReadonlySet<string>): boolean =>
  scope === 'public' || hosts.has(address.replace(/^::ffff:/, ''));

/** Our own listener that was meant for a port and could not bind it. */
export const failedListener = ({ desk }: Moment, port: number): ServiceListener | undefined =>
  desk.service.listeners.find((listener) => listener.state === 'failed' && listener.port === port);

/** Whole seconds since the configured site was looked at; null before that, and where none is configured. */
export const siteAgeSec = ({ snapshot, desk }: Moment): number | null =>
  !desk.site.configured || desk.site.probedMs === null
    ? null
    : Math.max(0, Math.round((snapshot.at.epochMs - desk.site.probedMs) / 1000));

// The listener that must stay down.
export const virusListeners = ({ snapshot }: Moment): readonly Listener[] =>
  snapshot.listeners.filter(({ port }) => port === VIRUS_PORT);
export const virusUp = (moment: Moment): boolean => virusListeners(moment).length > 0;
/** `failed` = nothing was seen, and the kernel refused a dump of listeners: the port could not be looked at. */
const bannedState = (moment: Moment, banned: number): 'active' | 'inactive' | 'failed' => {
  if (moment.snapshot.listeners.some(({ port }) => port === banned)) return 'active';
  return socketsBlind(moment) ? 'failed' : 'inactive';
};
export const virusState = (moment: Moment) => bannedState(moment, VIRUS_PORT);
/** Those that the configuration bans beside it. */
export const alsoBanned = (moment: Moment) =>
  [...bannedPorts(moment.desk.config.banned)]
    .filter((port) => port !== VIRUS_PORT)
    .map((port) => ({ port, state: bannedState(moment, port) }));

// The public site.
export const answersWell = (status: number): boolean => status >= 200 && status < 400;
const namesGood = ({ desk }: Moment): boolean => desk.site.dnsGreen === desk.site.dnsTotal;
/** True when no site is configured: the embedded one needs neither names nor a certificate. */
export const siteGood = (moment: Moment): boolean => {
  const { configured, status, certificateReady } = moment.desk.site;
  return !configured || (answersWell(status) && namesGood(moment) && certificateReady);
};

// Mail, egress.
/** False also while the connections could not be looked at. */
export const insideOnly = (moment: Moment): boolean =>
  moment.desk.egress.outside === 0 && !connectionsBlind(moment);
export const egressTight = (moment: Moment): boolean => moment.desk.egress.guardLoaded && insideOnly(moment);

// The desk's own residue.
export const fieldOk = (moment: Moment): boolean =>
  moment.desk.service.fieldDirt === 0 && !fieldBlind(moment);

// Duties.
export type DutyName = keyof DeskFacts['duties'];
/** A duty as this moment shows it: who cannot see processes or listeners neither judges them nor closes avenues. */
export const dutyOf = (moment: Moment, name: DutyName): Duty => {
  const duty = moment.desk.duties[name];
  const sees = name === 'antivirus' || name === 'av_close';
  if (!sees || !duty.healthy || !(processesBlind(moment) || socketsBlind(moment))) return duty;
  return { ...duty, healthy: false, reason: 'processes or listeners could not be looked at, see the issues' };
};
export const inCharge = (moment: Moment, name: DutyName): boolean => {
  const { configured, healthy } = dutyOf(moment, name);
  return configured && healthy;
};
