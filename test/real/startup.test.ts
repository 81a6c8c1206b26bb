/** A file planted for real in each place that starts something, in a private copy of the root. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PLACES } from '../../src/features/startup/places/index.ts';
import { PLANTS } from '../features/startup/plants.ts';
import { expect } from '../support/expect.ts';
import { inOverlay, OVERLAY_NEEDS } from '../support/overlay.ts';
import { needs } from '../support/require.ts';
import type { Seen } from './startup-inside.ts';

const test = suite('startup places');

needs(...OVERLAY_NEEDS)(test, 'what is planted is found, with what would run, and nothing else', async () => {
  const seen = JSON.parse(await inOverlay('startup-inside.ts', import.meta.url)) as Seen[];
  assert.is(seen.length, PLANTS.filter(({ path }) => !path.startsWith('/proc/')).length);
  for (const { index, entries, others } of seen) {
    const { path, runs, user, place } = PLANTS[index] as (typeof PLANTS)[number];
    const wanted = runs.map((one) => one.replace(/^~/, '/home/planted').replace(/^\/lib\//, '/usr/lib/'));
    const found = entries.map((entry) => entry.runs);
    // What the machine had in the same file before is no news.
    for (const one of wanted)
      assert.ok(
        found.includes(one) || /^\/etc\/(?:passwd|group)$/.test(path),
        `${place}: ${path}: ${one} is not among ${JSON.stringify(found)}`,
      );
    for (const { vouched } of entries) assert.is.not(vouched, 'package', path);
    if (user !== undefined && entries.length > 0)
      assert.ok(
        entries.some((entry) => entry.user === user),
        path,
      );
    assert.ok(entries.length > 0, `${place}: ${path}`);
    expect(others).equals([]);
  }
  const planted = new Set(PLANTS.map(({ place }) => place));
  assert.ok(PLACES.every(({ id }) => planted.has(id)));
});

test.run();
