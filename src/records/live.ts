/** The JSON answer of `GET /h7/live`, also the data of its `snapshot` events: what moves from recheck to recheck. */
import { z } from 'zod';
import { type Bounds, boundsFor } from '../engine/bounds.ts';
import { offsetTime } from '../engine/time.ts';
import { count, type RecordOf, wordsFor } from './define.ts';
import { deskPorts, publicListeners, scarCount, siteAgeSec } from './derive.ts';
import { TIME } from './finding.ts';
import { verdict } from './groups/verdict.ts';
import type { Moment } from './moment.ts';

interface LiveAsked {
  readonly moment: Moment;
  /** Age of the moment when it is answered, ms. */
  readonly ageMs: number;
  /** An earlier moment to take rates against; null when there is none. */
  readonly before: Pick<Moment['snapshot'], 'generation' | 'at' | 'machine'> | null;
}

const rate = z.number().nonnegative().nullable();

/** Change per second since the earlier snapshot, to two decimals; null without one, while a counter is unread, or when it went back. */
function perSecond(
  asked: LiveAsked,
  counter: (snapshot: NonNullable<LiveAsked['before']>) => number | null,
): number | null {
  if (asked.before === null) return null;
  const ms = asked.moment.snapshot.at.monotonicMs - asked.before.at.monotonicMs;
  const [now, before] = [counter(asked.moment.snapshot), counter(asked.before)];
  if (now === null || before === null) return null;
  const change = now - before;
  return ms > 0 && change >= 0 ? Math.round((100_000 * change) / ms) / 100 : null;
}

const bound = count.nullable();

const boundsOf = ({ desk, snapshot }: Moment): Bounds | null =>
  desk.loop.mode === 'off'
    ? null
    : boundsFor({ mode: desk.loop.mode, periodMs: desk.loop.periodMs, backend: snapshot.engine.backend });

const { field, group, of, record } = wordsFor<LiveAsked>();

export const liveView = record('Live', 'What moves from recheck to recheck', {
  ts: field(z.string(), TIME, ({ moment }) => offsetTime(moment.snapshot.at)),
  generation: field(count, 'generation of the snapshot', ({ moment }) => moment.snapshot.generation),
  recheck_us: field(count, 'duration of the last recheck, µs', ({ moment }) =>
    Math.round(moment.desk.recheck.lastUs),
  ),
  age_ms: field(count, 'age of the snapshot when it was answered, ms', ({ ageMs }) =>
    Math.max(0, Math.round(ageMs)),
  ),
  ...of(({ moment }) => moment)(verdict.shape),
  counts: group('Totals of the snapshot', {
    pids: field(count, 'user-space processes', ({ moment }) => moment.snapshot.counts.userSpace),
    wrapped: field(count, 'wrapped ones', ({ moment }) => moment.snapshot.counts.wrapped),
    spv_free: field(count, 'unwrapped ones', ({ moment }) => moment.snapshot.counts.free),
    wrap_blind: field(
      count,
      'those whose confinement could not be read',
      ({ moment }) => moment.snapshot.counts.wrapBlind,
    ),
    fried: field(count, 'zombie or dead processes', ({ moment }) => moment.snapshot.counts.fried),
    public_listen: field(count, 'listeners bound beyond loopback', ({ moment }) => publicListeners(moment)),
    bgl: field(count, 'loopback listeners', ({ moment }) => moment.snapshot.counts.loopbackListeners),
    ports_up: field(
      count,
      'desk ports with a TCP listener',
      ({ moment }) => deskPorts(moment).filter(({ up }) => up).length,
    ),
    ports_n: field(count, 'desk ports', ({ moment }) => deskPorts(moment).length),
    pass: field(count, 'pairs that passed', ({ moment }) => moment.judgement.pass),
    fail: field(count, 'pairs that failed', ({ moment }) => moment.judgement.fail),
    blind: field(count, 'pairs that could not be judged', ({ moment }) => moment.judgement.blind),
  }),
  site: group('The public site as it was last looked at', {
    status: field(count, 'HTTP status, 0 without an answer', ({ moment }) => moment.desk.site.status),
    age_sec: field(
      count.nullable(),
      'seconds since that look; null before the first one, and for the embedded page, which is read at every moment',
      ({ moment }) => siteAgeSec(moment),
    ),
  }),
  rates: group('Change per second since the earlier snapshot; null when there is none to compare with', {
    rechecks: field(rate, 'snapshots per second', (asked) => perSecond(asked, (s) => s.generation)),
    opened: field(rate, 'TCP connections opened per second', (asked) =>
      perSecond(asked, (s) => s.machine.tcpActiveOpens),
    ),
    accepted: field(rate, 'TCP connections accepted per second', (asked) =>
      perSecond(asked, (s) => s.machine.tcpPassiveOpens),
    ),
  }),
  bounds: group(
    'How old a fact can be at most when no event reports its change, ms; null while the loop is off',
    {
      processes: field(
        bound,
        'that a process is there, its state, users and confinement',
        ({ moment }) => boundsOf(moment)?.processes ?? null,
      ),
      texts: field(
        bound,
        'its executable, control group and label',
        ({ moment }) => boundsOf(moment)?.texts ?? null,
      ),
      listeners: field(
        bound,
        'listeners, and the holder of one that is found at once',
        ({ moment }) => boundsOf(moment)?.listeners ?? null,
      ),
      holders: field(
        bound,
        'holders of a socket that were not found at once, further ones, and processes that only the list of /proc has',
        ({ moment }) => boundsOf(moment)?.holders ?? null,
      ),
      connections: field(
        bound,
        'connections to port 443',
        ({ moment }) => boundsOf(moment)?.connections ?? null,
      ),
      host: field(
        bound,
        'sensors, preload file, packet sockets, mounts over processes',
        ({ moment }) => boundsOf(moment)?.host ?? null,
      ),
    },
  ),
  findings_open: field(count, 'open findings', ({ moment }) => moment.judgement.findings.length),
  scar_count: field(count, 'scars', ({ moment }) => scarCount(moment)),
});
export type Live = RecordOf<typeof liveView>;
