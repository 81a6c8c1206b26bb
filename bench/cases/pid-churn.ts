/** S2: shutdowns in which the victim's pid is reused at every point between the plan and the signal. */
import { atLeast, atMost } from './case.ts';
import { longForm } from './long-form.ts';

export default longForm({
  id: 'pid-churn',
  target: 'S2',
  title: 'Shutdowns while numbers change hands in a small pid namespace: never a wrong signal',
  test: 'real/shutdown-scenes',
  minutes: 15,
  goals: { rounds: [atLeast('value', 100_000)], 'wrong signals': [atMost('value', 0)] },
});
