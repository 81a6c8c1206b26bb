/** S3: a quarantine whose file and folder another process exchanges in a tight loop. */
import { atLeast, atMost } from './case.ts';
import { longForm } from './long-form.ts';

const asked = (kind: string) => ({
  [`attempts, ${kind}`]: [atLeast('value', 200_000)],
  [`touched outside, ${kind}`]: [atMost('value', 0)],
});

export default longForm({
  id: 'quarantine-attack',
  target: 'S3',
  title: 'The quarantine under a swap race: nothing outside its roots is touched',
  test: 'real/quarantine-attack',
  minutes: 10,
  goals: { ...asked('links and folders'), ...asked('bind mounts too') },
});
