/** Homes that hang are not asked for ever, and hide no others. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HungHomes } from '../../../src/features/startup/hung-homes.ts';

const test = suite('homes that hang');

/** How often each home is asked, in as many rounds over all of them. */
function asked(homes: readonly string[], hangs: (home: string) => boolean, rounds = 50): Map<string, number> {
  const hung = new HungHomes();
  const times = new Map(homes.map((home) => [home, 0]));
  for (let round = 0; round < rounds; round++)
    for (const home of homes) {
      if (hung.has(home)) continue;
      times.set(home, (times.get(home) ?? 0) + 1);
      hung.note(home, hangs(home));
    }
  return times;
}

test('one that hangs is asked three times, and others as often as before', () => {
  const times = asked(['/home/a', '/home/b', '/home/c'], (home) => home === '/home/b');
  assert.equal([...times.values()], [50, 3, 50]);
});

test('where all hang few are asked', () => {
  const homes = Array.from({ length: 2_000 }, (_, at) => `/home/${at}`);
  const times = [...asked(homes, () => true).values()];
  assert.is(
    times.reduce((sum, one) => sum + one, 0),
    16,
  );
});

test('many that hang hide none that answers', () => {
  const homes = Array.from({ length: 60 }, (_, at) => `/home/${at}`);
  const times = asked(homes, (home) => Number(home.slice(6)) % 15 !== 0);
  for (const [home, count] of times) if (Number(home.slice(6)) % 15 === 0) assert.is(count, 50, home);
});

test.run();
