/** Which sources of a moment failed, so that what they tell is unknown. */
import type { ProbeState } from '../engine/snapshot.ts';
import type { Moment } from './moment.ts';

export const LISTENER_DUMPS = /^sock_diag (?:tcp|udp)[46]$/;
const TCP_DUMPS = /^sock_diag tcp[46]$/;
export const CONNECTION_DUMPS = /^sock_diag https[46]$/;

/** Probes that do not work, of those whose id matches. */
export const failingProbes = ({ snapshot }: Moment, which: RegExp): readonly ProbeState[] =>
  snapshot.probes.filter(({ id, works }) => !works && which.test(id));

/** Listeners of at least one protocol and family could not be listed. */
export const socketsBlind = (moment: Moment): boolean => failingProbes(moment, LISTENER_DUMPS).length > 0;
/** TCP listeners of at least one family could not be listed: a port that is not seen may be up. */
export const portsBlind = (moment: Moment): boolean => failingProbes(moment, TCP_DUMPS).length > 0;
/** HTTPS connections of at least one family could not be listed. */
export const connectionsBlind = (moment: Moment): boolean =>
  failingProbes(moment, CONNECTION_DUMPS).length > 0;
/** Not every process could be listed. */
export const processesBlind = (moment: Moment): boolean =>
  failingProbes(moment, /^proc$/).length > 0 || moment.snapshot.counts.processes === 0;
/** The residue of the desk itself could not be looked for. */
export const fieldBlind = ({ desk }: Moment): boolean => desk.service.fieldTrouble !== '';
