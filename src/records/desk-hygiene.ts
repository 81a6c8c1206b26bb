/** The desk hygiene record (`DESK_AV`). */
import { z } from 'zod';
import { localTime } from '../engine/time.ts';
import { constant, count, field, flag, group, prose, record, snapshotTime, text } from './define.ts';
import {
  dutyOf,
  egressTight,
  fieldBlind,
  processesBlind,
  publicListeners,
  siteGood,
  socketsBlind,
  spvPids,
  spvWrapped,
  virusState,
  virusUp,
} from './derive.ts';
import { atoms, counts } from './groups/iron.ts';
import type { DeskState, Duty } from './state.ts';
import * as texts from './texts.ts';

const state = z.enum(['active', 'inactive', 'failed']);
type State = z.output<typeof state>;

const dutyState = ({ configured, healthy }: Duty): State =>
  configured ? (healthy ? 'active' : 'failed') : 'inactive';

/** Failed when processes are hidden, or every one of user space hides its confinement. */
const spvState = (deskState: DeskState): State => {
  const { wrapBlind, userSpace } = deskState.snapshot.counts;
  return processesBlind(deskState) || wrapBlind === userSpace ? 'failed' : 'active';
};

/** Failed when the timer runs and its scans fail. */
const residueState = (deskState: DeskState): State => {
  if (!deskState.desk.service.residueTimer) return 'inactive';
  return fieldBlind(deskState) ? 'failed' : 'active';
};

/** Failed when the loop is configured for events but polls. */
const plugState = ({ desk }: DeskState): State => {
  if (!desk.loop.on || desk.config.loop.mode !== 'event') return 'inactive';
  return desk.loop.mode === 'event' ? 'active' : 'failed';
};

/** No finding about a loopback listener, and no listener that its check could not judge. */
const noUnknownLocal = (deskState: DeskState): boolean =>
  !socketsBlind(deskState) &&
  !deskState.judgement.findings.some(({ avenue }) => avenue === 'unknown_local') &&
  !deskState.judgement.notes.some(({ check }) => check === 'unknown-local-listener');

export const live = group('States, switches and counts of this snapshot', {
  av: field(state, 'the antivirus duty: active, inactive (not configured) or failed', (m) =>
    dutyState(dutyOf(m, 'antivirus')),
  ),
  spv: field(state, 'the wrap sweep: failed when processes are hidden or all are blind', spvState),
  plug: field(
    state,
    'the event source of the loop: failed when it is configured and the loop polls instead',
    plugState,
  ),
  metal: field(text, 'CPU mark of the loaded native build', (m) => m.snapshot.engine.mark),
  law: field(text, 'version of the law pack', (m) => m.desk.lawVersion),
  sole_soul: constant(texts.SOLE_SOUL, 'name of the atom that counts the services on this state folder'),
  datacenter: field(
    state,
    'the listener on port 8766: inactive is good, failed means it could not be read',
    virusState,
  ),
  orphan_timer: field(
    state,
    'the slow timer that searches for residue of the desk: failed when its last scan failed',
    residueState,
  ),
  ts: snapshotTime,
  business: field(flag, 'site not configured, or its probe, names and certificate are good', siteGood),
  tx_wrap: field(
    flag,
    'the egress guard is loaded, the connections to port 443 could be read, and none of a desk process is off the allowlist; other ports are not checked',
    egressTight,
  ),
  always_wrap: field(
    flag,
    'the weakest thread of the service itself is wrapped',
    (m) => m.desk.service.selfWrapped,
  ),
  active_targeting: field(
    flag,
    'the recheck loop is on and ran within two periods (within ten times the last full recheck where that is longer)',
    ({ desk }) => desk.loop.on && desk.loop.fresh,
  ),
  updates: field(
    flag,
    'the observation of a clean gate contains something that the held baseline does not',
    (m) => m.desk.gate.differs,
  ),
  no_other_internal: field(flag, 'no unknown and no unjudged loopback listener', noUnknownLocal),
  pids: field(count, 'user-space processes: wrapped, unwrapped and blind ones', spvPids),
  wrapped: field(count, 'user-space processes whose weakest thread is confined by the kernel', spvWrapped),
  fried: field(count, 'zombie or dead processes', (m) => m.snapshot.counts.fried),
  public_listen: field(
    count,
    'listeners bound beyond loopback, distinct by protocol, port and executable',
    publicListeners,
  ),
  engines: field(count, 'native workers', (m) => m.snapshot.engine.workers),
  vectors_clean: field(
    count,
    'closed avenues',
    (m) => m.judgement.avenues.filter(({ open }) => !open).length,
  ),
  ...counts,
  atoms: group('The atoms: the iron numbers and SOUL', {
    SOUL: field(count, 'services that hold the lock of this state folder', (m) => m.desk.service.lockHolders),
    ...atoms,
  }),
});

export const deskHygiene = record(
  'DeskHygiene',
  'Hygiene of the desk: wrapping, listeners, atoms, the port that must stay down',
  {
    ts: field(text, 'local time of the snapshot, without offset', (m) => localTime(m.snapshot.at)),
    word: constant('DESK_AV', 'name of this record'),
    kind: prose(texts.hygieneKind, 'kind of record'),
    issue6: field(text, 'issue 6 from [links]; "" = not configured', (m) => m.desk.config.links.issue6),
    live,
    datacenter_port_8766: group('The listener that must stay down', {
      is_virus: constant(true, 'its classification, up or down'),
      what: prose(texts.virusWhat, 'what the check searches for'),
      status: field(state, 'inactive is good; failed means the port could not be read', virusState),
      up: field(
        flag,
        'a listener was seen on port 8766, any address; status failed means that the port could not be read',
        virusUp,
      ),
      law: prose(texts.virusLaw, 'the rule about it'),
    }),
    cli: group('Commands that run as printed', {
      av_close: prose('desk av close once', 'a full antivirus pass'),
      field_clear: prose('desk field clear soft', 'clears stale residue of the desk itself'),
      scar: prose('desk scar cook check', 'dry run of cook-off'),
      spv: prose('desk spv antivirus once', 'the wrap sweep'),
      secure_learn: prose(
        'desk secure learn once',
        'learns what runs, unless there are scars other than changed programs',
      ),
      status: prose('desk status', 'the desk status for people'),
    }),
    law: prose(texts.hygieneLaw, 'the rule about hygiene'),
  },
);
