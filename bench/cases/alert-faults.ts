/** S5: messages that are lost or doubled while their target, or the service, fails. */
import { atMost } from './case.ts';
import { longForm } from './long-form.ts';

const FAULTS = [
  'down',
  'down for ten minutes',
  'answers after 4 s',
  'answers after a minute',
  'never answers',
  '500',
  'redirecting',
  'its answers are lost',
  'killed between sending and noting',
];

export default longForm({
  id: 'alert-faults',
  target: 'S5',
  title: 'Messages of alerts that are lost or doubled while a target or the service fails',
  test: 'real/alert-faults',
  minutes: 18,
  goals: Object.fromEntries(
    FAULTS.flatMap((name) => ['lost', 'doubled'].map((what) => [`${name}: ${what}`, [atMost('value', 0)]])),
  ),
});
