/** S4: an hour of builds, shells, jobs, containers, a browser and package upgrades, without any attack. */
import { atMost } from './case.ts';
import { longForm } from './long-form.ts';

export default longForm({
  id: 'busy-hour',
  target: 'S4',
  title: 'A busy hour with nothing wrong: what was found, with its reason',
  test: 'real/quiet',
  minutes: 62,
  goals: { 'findings without a reason': [atMost('value', 0)] },
});
