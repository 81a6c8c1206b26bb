/** `live` of the desk hygiene record: states, switches and counts of the moment. */
import { z } from 'zod';
import { offsetTime } from '../../engine/time.ts';
import { constant, count, field, group } from '../define.ts';
import {
  dutyOf,
  egressTight,
  publicListeners,
  siteGood,
  spvPids,
  spvWrapped,
  virusState,
} from '../derive.ts';
import type { Duty, Moment } from '../moment.ts';
import { fieldBlind, processesBlind, socketsBlind } from '../sight.ts';
import { SOLE_SOUL } from '../texts.ts';
import { atoms, counts } from './iron.ts';

const state = z.enum(['active', 'inactive', 'failed']);
type State = z.output<typeof state>;

const dutyState = ({ configured, healthy }: Duty): State =>
  configured ? (healthy ? 'active' : 'failed') : 'inactive';

/** Failed when processes are hidden, or every one of user space hides its confinement. */
const spvState = (moment: Moment): State => {
  const { wrapBlind, userSpace } = moment.snapshot.counts;
  return processesBlind(moment) || wrapBlind === userSpace ? 'failed' : 'active';
};

/** Failed when the timer runs and its looks fail. */
const residueState = (moment: Moment): State => {
  if (!moment.desk.service.residueTimer) return 'inactive';
  return fieldBlind(moment) ? 'failed' : 'active';
};

/** Failed when the loop wants events and has to poll. */
const plugState = ({ desk }: Moment): State => {
  if (!desk.loop.on || desk.config.loop.mode !== 'event') return 'inactive';
  return desk.loop.mode === 'event' ? 'active' : 'failed';
};

/** No finding about a loopback listener, and none that the check on them could not judge. */
const noUnknownLocal = (moment: Moment): boolean => {
  const { judgement } = moment;
  return (
    !socketsBlind(moment) &&
    !judgement.findings.some(({ avenue }) => avenue === 'unknown_local') &&
    !judgement.notes.some(({ check }) => check === 'unknown-local-listener')
  );
};

export const live = group('States, switches and counts of this moment', {
  av: field(state, 'the antivirus duty: active, inactive (not configured) or failed', (m) =>
    dutyState(dutyOf(m, 'antivirus')),
  ),
  spv: field(state, 'the wrap sweep: failed when processes are hidden or none could be judged', spvState),
  plug: field(
    state,
    'the event source of the loop: failed when it is wanted and the loop polls instead',
    plugState,
  ),
  metal: field(z.string(), 'CPU mark of the loaded native build', (m) => m.snapshot.engine.mark),
  law: field(z.string(), 'version of the law pack', (m) => m.desk.lawVersion),
  sole_soul: constant(SOLE_SOUL, 'name of the atom that counts the services on this state folder'),
  datacenter: field(
    state,
    'the listener on port 8766: inactive is good, failed means it could not be looked for',
    virusState,
  ),
  orphan_timer: field(
    state,
    'the slow timer that looks for our own residue: failed when its last look failed',
    residueState,
  ),
  ts: field(z.string(), 'time of the snapshot, RFC 3339 with numeric offset', (m) =>
    offsetTime(m.snapshot.at),
  ),
  business: field(z.boolean(), 'site not configured, or its probe, names and certificate are good', siteGood),
  tx_wrap: field(
    z.boolean(),
    'the egress guard is loaded, the connections to port 443 could be looked at, and none of a desk process is off the allowlist; other ports are not looked at',
    egressTight,
  ),
  always_wrap: field(
    z.boolean(),
    'the weakest thread of the service itself is wrapped',
    (m) => m.desk.service.selfWrapped,
  ),
  active_targeting: field(
    z.boolean(),
    'the recheck loop is on and has looked within two periods (within ten times the last full recheck where that is longer)',
    ({ desk }) => desk.loop.on && desk.loop.fresh,
  ),
  updates: field(
    z.boolean(),
    'the observation of a clean gate brings something that the held baseline has not',
    (m) => m.desk.gate.differs,
  ),
  no_other_internal: field(
    z.boolean(),
    'no unknown loopback listener, and none that could not be judged',
    noUnknownLocal,
  ),
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
