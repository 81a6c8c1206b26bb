/** What happens on a machine every day, for real in a private copy of the root: nothing of it is a finding above low. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expect } from '../support/expect.ts';
import { inOverlay, OVERLAY_NEEDS } from '../support/overlay.ts';
import { needs } from '../support/require.ts';
import type { Heard } from './startup-silence-inside.ts';

const test = suite('silence of startup places');

needs(...OVERLAY_NEEDS, 'dpkg')(
  test,
  'startup-entry, packaged-file: packages, units, editors, upkeep, homes, certificates and containers are silent, and what is planted among them is not',
  async () => {
    const printed = await inOverlay('startup-silence-inside.ts', import.meta.url);
    const heard = JSON.parse(printed) as Heard[];
    const groups = ['packages', 'units', 'editors', 'upkeep', 'homes', 'certificates', 'containers'];
    expect([...new Set(heard.map(({ group }) => group))]).equals(groups);
    const loud = heard.filter(({ planted, loud }) => planted === '' && loud.length > 0);
    expect(loud.map(({ group, event, loud }) => `${group}: ${event}: ${loud.join(' | ')}`)).equals([]);
    for (const { group, planted, loud } of heard)
      if (planted !== '')
        assert.ok(
          loud.some((one) => one.includes(planted)),
          `${group}: ${planted} is not found`,
        );
    for (const group of groups) {
      const own = heard.filter((one) => one.group === group);
      assert.ok(own.filter(({ planted }) => planted === '').length > 2, group);
      assert.ok(own.filter(({ planted }) => planted !== '').length > 1, group);
    }
  },
);

test.run();
