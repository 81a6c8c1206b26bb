/** S1: random sequences of events of a desk, including kills during writes, compared with a model. */
import { atLeast, atMost } from './case.ts';
import { longForm } from './long-form.ts';

export default longForm({
  id: 'gate-sequences',
  target: 'S1',
  title:
    'The gate and learning over random sequences: one GOD, nothing of C in A, nothing acknowledged is lost',
  test: 'features/baseline/properties',
  minutes: 8,
  goals: {
    'sequences that held': [atLeast('value', 200_000)],
    'sequences that did not hold': [atMost('value', 0)],
  },
});
