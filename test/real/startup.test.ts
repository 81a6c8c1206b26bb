/** A file planted for real in each place that starts something, in a private copy of the root. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PLACES } from '../../src/features/startup/places/index.ts';
import { PLANTS } from '../features/startup/plants.ts';
import { expect } from '../support/expect.ts';
import { inOverlay, OVERLAY_NEEDS } from '../support/overlay.ts';
import { needs } from '../support/require.ts';
import type { Step } from './startup-desk.ts';
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

needs(...OVERLAY_NEEDS, 'dpkg')(
  test,
  'startup-entry, packaged-file: what was changed by hand is found, what a package or an editor does is low or nothing',
  async () => {
    const steps = JSON.parse(
      await inOverlay('startup-desk.ts', import.meta.url, { timeoutMs: 300_000 }),
    ) as Step[];
    const found = Object.fromEntries(
      steps.map(({ step, found }) => [
        step,
        found.map(({ check, severity, summary }) => `${check} ${severity} ${summary}`),
      ]),
    );
    const link = '/etc/systemd/system/multi-user.target.wants/desk-planted.service';
    for (const step of [
      'learned',
      'purged',
      'installed',
      'upgraded',
      'installed again',
      'removed',
      'an enabled unit, and what editors leave',
    ])
      for (const one of found[step] ?? ['missing']) assert.match(one, / low /, `${step}: ${one}`);
    expect(found.learned).equals([]);
    expect(found.purged).equals([]);
    assert.ok(found.installed?.some((one) => one.includes(link)));
    expect(found['a line in a configuration file']?.filter((one) => !one.includes(' low '))).equals([
      'startup-entry medium /etc/cron.d/desk-planted (system crontab): "/tmp/evil" as root, @reboot; changed since desk-planted 2.0',
    ]);
    expect(found['a changed unit']?.filter((one) => !one.includes(' low '))).equals([
      'packaged-file high /usr/lib/systemd/system/desk-planted.service (unit of the system) differs from package desk-planted 1.0',
    ]);
    expect(found['a unit']?.filter((one) => !one.includes(' low '))).equals([
      'startup-entry medium /etc/systemd/system/own.service (unit of the system): "/tmp/evil" as root, with own.service; no package vouches for it',
    ]);
  },
);

test.run();
