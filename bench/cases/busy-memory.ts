/** B7: memory of the whole service on a busy machine: an hour with --full, else some minutes, whose slope means little. */
import { setTimeout as delay } from 'node:timers/promises';
import { missing } from '../../test/support/require.ts';
import { BUSY, BUSY_TEXT } from '../busy/daily.ts';
import { startChurn } from '../churn.ts';
import { settled, startGroups } from '../group.ts';
import { startBuilt } from '../service.ts';
import { slope } from '../stats.ts';
import { atMost, type Case } from './case.ts';

/** Seconds: the whole, the part at its start that the slope leaves out, and between two readings. */
interface Length {
  readonly all: number;
  readonly leftOut: number;
  readonly every: number;
}

const HOUR: Length = { all: 3600, leftOut: 600, every: 30 };
const SHORT: Length = { all: 600, leftOut: 240, every: 10 };
const SMOKE: Length = { all: 3, leftOut: 1, every: 0.5 };

const busyMemory: Case = {
  id: 'busy-memory',
  target: 'B7',
  title: 'Memory of the whole service on a busy machine',
  minutes: 63,
  place: 'host',
  grows: [],
  unprivileged: 'never',
  async run({ full, smoke, processes }) {
    const reason = missing('root', 'dist');
    const { all, leftOut, every } = smoke ? SMOKE : full ? HOUR : SHORT;
    const name = full ? 'memory after an hour' : `memory after ${all} s`;
    // The targets are for an hour at one load.
    const goal = (limit: number) => (full && processes === 1000 ? [atMost('value', limit)] : []);
    const named = [
      { name, goals: goal(130), unit: 'MB' },
      { name: `slope after the first ${leftOut} s`, goals: goal(0.5), unit: 'MB/hour' },
    ] as const;
    if (reason !== null) return { facts: {}, comparisons: named.map((one) => ({ ...one, notRun: reason })) };
    await using groups = startGroups();
    await using service = await startBuilt('');
    const rest = await settled(groups, service.pid, smoke ? 1 : 120);
    const load = await startChurn(BUSY);
    const started = performance.now();
    const seconds = () => (performance.now() - started) / 1000;
    const points: [hours: number, mb: number][] = [];
    for (let next = every; next <= all; next += every) {
      await delay(Math.max(0, next - seconds()) * 1000);
      points.push([seconds() / 3600, await groups.pssMb(service.pid)]);
    }
    const made = await load.end();
    const late = points.filter(([hours]) => hours * 3600 >= leftOut);
    const facts = {
      'observed s': all,
      'settled after s': rest.seconds,
      ...Object.fromEntries(
        Object.entries(made).flatMap(([what, rate]) =>
          rate > 0 ? [[`${what} per second`, Math.round(rate)]] : [],
        ),
      ),
    };
    const shown = { warmUp: 0 };
    const mb = points.map(([, value]) => value);
    return {
      facts,
      comparisons: [
        { ...shown, ...named[0], a: `${BUSY_TEXT}: PSS of the group at the end`, rawA: [mb.slice(-1)] },
        { ...shown, ...named[1], a: 'least squares over the readings', rawA: [[slope(late)]] },
        {
          ...shown,
          name: 'readings',
          goals: [],
          a: `PSS of the group every ${every} s`,
          unit: 'MB',
          rawA: [mb],
        },
      ],
    };
  },
};

export default busyMemory;
