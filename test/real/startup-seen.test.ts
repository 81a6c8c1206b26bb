/** What is planted while a desk runs is seen by events, and linked with the process that it starts. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expect } from '../support/expect.ts';
import { tellFigure } from '../support/long-form.ts';
import { inOverlay, OVERLAY_NEEDS } from '../support/overlay.ts';
import { needs } from '../support/require.ts';
import type { Seen } from './startup-seen.ts';

const test = suite('startup places while a desk runs');

needs(...OVERLAY_NEEDS)(
  test,
  'a cron job is found as it is planted, with what runs of it; its process says what starts it again',
  async () => {
    const { seenMs, laterMs, ...seen } = JSON.parse(
      await inOverlay('startup-seen.ts', import.meta.url),
    ) as Seen;
    assert.is.not(seenMs, null);
    tellFigure('a planted cron job was a finding after ms', seenMs ?? 0);
    for (const [name, ms] of Object.entries(laterMs)) {
      assert.is.not(ms, null, name);
      tellFigure(`${name} was a finding after ms`, ms ?? 0);
    }
    expect(seen).equals({
      ...{ gone: true, runs: true, returns: 'yes' },
      startedBy: ['/etc/cron.d/seen-at-once'],
    });
  },
);

test.run();
