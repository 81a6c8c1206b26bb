/** The JSON answer of `GET /h7/live`, also the data of its `snapshot` events: what moves from recheck to recheck. */
import { z } from 'zod';
import { type Bounds, boundsFor } from '../engine/bounds.ts';
import { atState, count, field, group, type RecordOf, snapshotTime, wordsFor } from './define.ts';
import { deskPorts, portsUp, publicListeners, scarCount, siteAgeSec } from './derive.ts';
import type { DeskState } from './state.ts';
import { verdict } from './verdict.ts';

interface LiveAsked {
  readonly state: DeskState;
  /** Age of the snapshot when it is answered, ms. */
  readonly ageMs: number;
  /** An earlier snapshot to take rates against; null without one. */
  readonly before: Pick<DeskState['snapshot'], 'generation' | 'at' | 'machine'> | null;
}

const rate = z.number().nonnegative().nullable();

/** Change per second since the earlier snapshot, to two decimals; null without one, while a counter is unread, or when it went back. */
function perSecond(
  asked: LiveAsked,
  counter: (snapshot: NonNullable<LiveAsked['before']>) => number | null,
): number | null {
  if (asked.before === null) return null;
  const ms = asked.state.snapshot.at.monotonicMs - asked.before.at.monotonicMs;
  const [now, before] = [counter(asked.state.snapshot), counter(asked.before)];
  if (now === null || before === null) return null;
  const change = now - before;
  return ms > 0 && change >= 0 ? Math.round((100_000 * change) / ms) / 100 : null;
}

const boundsOf = ({ desk, snapshot }: DeskState): Bounds | null =>
  desk.loop.mode === 'off'
    ? null
    : boundsFor({ mode: desk.loop.mode, periodMs: desk.loop.periodMs, backend: snapshot.engine.backend });
const bound = (name: keyof Bounds, meaning: string) =>
  field(count.nullable(), meaning, (m) => boundsOf(m)?.[name] ?? null);

const asked = wordsFor<LiveAsked>();

export const liveView = asked.record('Live', 'What changes from recheck to recheck', {
  ...atState({
    ts: snapshotTime,
    generation: field(count, 'generation of the snapshot', (m) => m.snapshot.generation),
    recheck_us: field(count, 'duration of the last recheck, µs', (m) => Math.round(m.recheckUs)),
  }),
  age_ms: asked.field(count, 'age of the snapshot when it was answered, ms', ({ ageMs }) =>
    Math.max(0, Math.round(ageMs)),
  ),
  ...atState({
    ...verdict.shape,
    counts: group('Totals of the snapshot', {
      pids: field(count, 'user-space processes', (m) => m.snapshot.counts.userSpace),
      wrapped: field(count, 'wrapped ones', (m) => m.snapshot.counts.wrapped),
      spv_free: field(count, 'unwrapped ones', (m) => m.snapshot.counts.free),
      wrap_blind: field(
        count,
        'those whose confinement could not be read',
        (m) => m.snapshot.counts.wrapBlind,
      ),
      fried: field(count, 'zombie or dead processes', (m) => m.snapshot.counts.fried),
      public_listen: field(count, 'listeners bound beyond loopback', publicListeners),
      bgl: field(count, 'loopback listeners', (m) => m.snapshot.counts.loopbackListeners),
      ports_up: field(count, 'desk ports with a TCP listener', portsUp),
      ports_n: field(count, 'desk ports', (m) => deskPorts(m).length),
      pass: field(count, 'pairs that passed', (m) => m.judgement.pass),
      fail: field(count, 'pairs that failed', (m) => m.judgement.fail),
      blind: field(count, 'pairs that could not be judged', (m) => m.judgement.blind),
    }),
    site: group('The last probe of the public site', {
      status: field(count, 'HTTP status, 0 without an answer', (m) => m.desk.site.status),
      age_sec: field(
        count.nullable(),
        'seconds since that probe; null before the first one, and for the embedded page, which is read every time',
        siteAgeSec,
      ),
    }),
  }),
  rates: asked.group('Change per second since the earlier snapshot; null without one', {
    rechecks: asked.field(rate, 'snapshots per second', (all) => perSecond(all, (s) => s.generation)),
    opened: asked.field(rate, 'TCP connections opened per second', (all) =>
      perSecond(all, (s) => s.machine.tcpActiveOpens),
    ),
    accepted: asked.field(rate, 'TCP connections accepted per second', (all) =>
      perSecond(all, (s) => s.machine.tcpPassiveOpens),
    ),
  }),
  ...atState({
    bounds: group('Maximum age of a fact when no event reports its change, ms; null while the loop is off', {
      processes: bound('processes', 'existence of a process, its state, users and confinement'),
      texts: bound('texts', 'its executable, control group and label'),
      listeners: bound('listeners', 'listeners, and the holder of one that is found at once'),
      holders: bound(
        'holders',
        'holders of a socket that were not found at once, further ones, and processes that only the list of /proc shows',
      ),
      connections: bound('connections', 'connections to port 443'),
      host: bound('host', 'sensors, preload file, packet sockets, mounts over processes'),
    }),
    findings_open: field(count, 'open findings', (m) => m.judgement.findings.length),
    scar_count: field(count, 'scars', scarCount),
  }),
});
export type Live = RecordOf<typeof liveView>;
