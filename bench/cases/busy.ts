/**
 * B: what the service costs on a machine where something happens, as users run it: the built service with its default configuration,
 * as root, with all its threads and helpers, measured from the outside (bench/group.ts), beside peers that run all the time.
 */
import { missing } from '../../test/support/require.ts';
import { daily } from '../busy/daily.ts';
import { engine } from '../busy/engine.ts';
import { failing } from '../busy/failing.ts';
import { loops } from '../busy/loops.ts';
import { attempt, benchOf, isOnce } from '../busy/plan.ts';
import { storms } from '../busy/storms.ts';
import { startGroups } from '../group.ts';
import type { Case } from './case.ts';

const busy: Case = {
  id: 'busy',
  target: 'B',
  title: 'The cost of changes: CPU and memory of the whole service, measured from the outside',
  // At one load; with --full each of the three takes a little longer.
  minutes: 45,
  place: 'host',
  grows: ['processes'],
  unprivileged: 'never',
  async run(options) {
    const reason = missing('root', 'dist');
    if (reason !== null) return { facts: {}, comparisons: [{ name: 'busy', goals: [], notRun: reason }] };
    await using groups = startGroups();
    const bench = benchOf(options, groups);
    const parts = [daily, loops, engine, ...(isOnce(options) ? [failing, storms] : [])];
    for (const part of parts) {
      const about = { name: `the part ${part.name}`, a: 'all of it', unit: '' };
      await attempt(bench, [about], () => part(bench));
    }
    return { facts: bench.facts, comparisons: bench.sheet.comparisons() };
  },
};

export default busy;
