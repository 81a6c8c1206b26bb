/**
 * Derivations that more than one field shares. Each is written here once, so fields that must agree do so because they
 * are the same function of the same moment.
 */
import type { AvenueId, Severity } from '../checks/judgement.ts';
import type { Listener } from '../engine/snapshot.ts';
import { BANNED_PORT, bannedPorts } from '../law/banned.ts';
import type { Moment, ServiceListener } from './moment.ts';

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
export const phi = ({ snapshot }: Moment): number =>
  share(snapshot.counts.wrapped, snapshot.counts.userSpace, 1000);

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
/** `1 scar`, `2 scars`. */
export const scarsText = (count: number): string => `${count} ${count === 1 ? 'scar' : 'scars'}`;

export const scarCount = ({ judgement }: Moment): number => judgement.scars.length;
const grave = (severity: Severity): boolean => severity === 'high' || severity === 'critical';
export const graveScars = ({ judgement }: Moment) =>
  judgement.scars.filter(({ severity }) => grave(severity));
/** No high or critical scar in any of these avenues. */
export const quiet = (moment: Moment, avenues: readonly AvenueId[]): boolean =>
  !graveScars(moment).some(({ avenue }) => avenues.includes(avenue));
/** The clean path of the gate: no scar, and one authoritative generation. */
export const gatePasses = (moment: Moment): boolean => scarCount(moment) === 0 && moment.desk.gate.god === 1;

// Desk ports.
interface DeskPort {
  readonly name: string;
  readonly port: number;
  readonly required: boolean;
  readonly up: boolean;
}

/** The configured desk ports; without `[[ports]]` the enabled listeners of the service, office required. */
export const deskPorts = once(({ snapshot, desk }): readonly DeskPort[] => {
  const { listen, ports } = desk.config;
  const wanted =
    ports ??
    (['control', 'office', 'public', 'themed'] as const)
      .filter((role) => listen[role].enabled)
      .map((role) => ({ name: role, port: listen[role].port, required: role === 'office' }));
  const open = new Set(
    snapshot.listeners.filter(({ protocol }) => protocol === 'tcp').map(({ port }) => port),
  );
  return wanted.map(({ name, port, required }) => ({ name, port, required, up: open.has(port) }));
});

/** Our own listener that was meant for a port and could not bind it. */
export const failedListener = ({ desk }: Moment, port: number): ServiceListener | undefined =>
  desk.service.listeners.find((listener) => listener.state === 'failed' && listener.port === port);

// The listener that must stay down.
export const virusListeners = ({ snapshot }: Moment): readonly Listener[] =>
  snapshot.listeners.filter(({ port }) => port === VIRUS_PORT);
export const virusUp = (moment: Moment): boolean => virusListeners(moment).length > 0;
/** `failed` = the kernel refused a TCP socket dump, so the port could not be looked at. */
const bannedState = (moment: Moment, banned: number): 'active' | 'inactive' | 'failed' => {
  if (moment.snapshot.listeners.some(({ port }) => port === banned)) return 'active';
  return moment.snapshot.probes.some(({ id, works }) => !works && /\btcp[46]\b/.test(id))
    ? 'failed'
    : 'inactive';
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
export const egressTight = ({ desk }: Moment): boolean =>
  desk.egress.guardLoaded && desk.egress.outside === 0;
