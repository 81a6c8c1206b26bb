/** P3: a recheck of a machine where nothing changes, and how soon a change is in a snapshot. */
import { ask } from '../../test/real/running.ts';
import { ownRound } from '../rounds.ts';
import { cpuPercent, startBuilt } from '../service.ts';
import { against, ownSide } from './against.ts';
import { atMost, CannotRun, type Case, type Comparison, type Options } from './case.ts';

/** A change that has an event, in µs. */
const WITHIN_US = 5_000;

/** Processor time of the whole service while nothing happens, with the default loop. */
async function idle({ full, rounds }: Options): Promise<Comparison> {
  const named = { name: 'idle loop', goals: [atMost('value', 0.1)], unit: '% of a core' };
  const seconds = full ? 30 : 10;
  const rawA: number[][] = [];
  try {
    for (let round = 0; round < Math.min(rounds, full ? 3 : 1); round += 1) {
      await using service = await startBuilt('[loop]\nmode = "event"\n');
      const charge = await ask(service.home.ports.control, '/h7/charge');
      const mode = String(charge.json.forever.mode);
      if (mode !== 'event') return { ...named, notRun: `the loop has no events here: its mode is ${mode}` };
      rawA.push([await cpuPercent(service, seconds)]);
    }
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    return { ...named, notRun: error.message };
  }
  const a = `processor time of the service over ${seconds} s, default loop, idle machine`;
  return { ...named, a, rawA, warmUp: 0 };
}

const recheck: Case = {
  id: 'recheck',
  target: 'P3',
  title: 'Recheck when nothing changed; from a change to the snapshot that shows it',
  place: 'host',
  grows: ['processes'],
  async run(options) {
    const whole = ownSide('moment({ maxAgeMs: 0 }) of a running desk', 10, (passes) =>
      ownRound('recheck', [passes, 10]),
    );
    const gate = ownSide('watchTake with nothing to take', 5, (passes) => ownRound('gate', [passes, 5]));
    const change = (kind: string) =>
      ownSide(`a new ${kind} to the moment that shows it, default loop`, 1, (passes) =>
        ownRound('reaction', [passes, 1, kind]),
      );
    const fifty = [atMost('value', 50)];
    const soon = { ...options, rounds: Math.min(options.rounds, options.full ? 5 : 3) };
    const comparisons = [
      await against({ name: 'whole recheck', goals: fifty }, whole, null, {
        ...options,
        passes: Math.max(options.passes, 50),
      }),
      await against({ name: 'gate alone', goals: fifty }, gate, null, options),
      await against(
        { name: 'process to snapshot', goals: [atMost('value', WITHIN_US)] },
        change('process'),
        null,
        soon,
      ),
      await against(
        { name: 'listener to snapshot', goals: [atMost('value', WITHIN_US)] },
        change('listener'),
        null,
        soon,
      ),
      await idle(options),
    ];
    return { facts: whole.facts, comparisons };
  },
};

export default recheck;
