/** Changes of a learned machine, for real in a private copy of the root: what is found of them, and how severe it is. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expect } from '../support/expect.ts';
import { inOverlay, OVERLAY_NEEDS } from '../support/overlay.ts';
import { needs } from '../support/require.ts';
import type { Step } from './startup-changes-inside.ts';

const test = suite('changes of startup places');

needs(...OVERLAY_NEEDS, 'dpkg')(
  test,
  'startup-entry, packaged-file: what was changed by hand is found, what a package or an editor does is low or nothing',
  async () => {
    const steps = JSON.parse(await inOverlay('startup-changes-inside.ts', import.meta.url)) as Step[];
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
