import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkConfig } from '../../src/config/load.ts';
import { configSchema } from '../../src/config/schema.ts';
import { formerKeys, unusedKeys } from '../../src/config/unused.ts';
import { expect } from '../support/expect.ts';

test('the defaults contain no setting without effect', () => {
  assert.equal(unusedKeys(configSchema.parse({})), []);
});

test('a setting without effect is reported, one with effect is not', () => {
  const config = configSchema.parse({
    banned: { shut_down: 'never', also: [31337] },
    loop: { listen_poll_ms: 5, recheck_ms: 50 },
    law: { file: 'mine.toml' },
    assistant: { model: 'small' },
  });
  expect(unusedKeys(config).map(({ key }) => key)).equals(['assistant.model']);
});

test('the former name of the period works with a warning; both names must have the same value', () => {
  const taken = (text: string) => checkConfig(new TextEncoder().encode(text));
  const former = taken('[loop]\nperiod_ms = 50\n');
  if (!former.ok) throw new Error('refused');
  assert.is(former.value.loop.recheck_ms, 50);
  expect(formerKeys(former.value).map(({ key }) => key)).equals(['loop.period_ms']);
  const present = taken('[loop]\nrecheck_ms = 50\n');
  if (!present.ok) throw new Error('refused');
  assert.is(present.value.loop.recheck_ms, 50);
  assert.equal(formerKeys(present.value), []);
  const both = taken('[loop]\nrecheck_ms = 60\nperiod_ms = 50\n');
  if (both.ok) throw new Error('taken');
  expect(both.problems.map(({ line, key }) => [line, key])).equals([[3, 'loop.period_ms']]);
});

test.run();
