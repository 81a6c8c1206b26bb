/** P3: a recheck of a machine where nothing changes, and how soon a change is in a snapshot. */
import { ownRound } from '../rounds.ts';
import { against, ownSide } from './against.ts';
import { atMost, type Case } from './case.ts';

/** A change that has an event, in µs. */
const WITHIN_US = 5_000;

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
    const soon = { ...options, rounds: Math.min(options.rounds, 5) };
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
    ];
    return { facts: whole.facts, comparisons };
  },
};

export default recheck;
