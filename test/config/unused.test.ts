import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkConfig } from '../../src/config/load.ts';
import { configSchema } from '../../src/config/schema.ts';
import { formerKeys, unusedKeys } from '../../src/config/unused.ts';

test('the defaults set nothing that has no effect', () => {
  assert.equal(unusedKeys(configSchema.parse({})), []);
});

test('a setting without effect is named, one with effect is not', () => {
  const config = configSchema.parse({
    banned: { shut_down: 'never', also: [31337] },
    loop: { listen_poll_ms: 5, recheck_ms: 50 },
    law: { file: 'mine.toml' },
    assistant: { model: 'small' },
  });
  assert.equal(
    unusedKeys(config).map(({ key }) => key),
    ['assistant.model'],
  );
});

test('the former name of the period works and is warned about; both names must agree', () => {
  const taken = (text: string) => checkConfig(new TextEncoder().encode(text));
  const former = taken('[loop]\nperiod_ms = 50\n');
  if (!former.ok) throw new Error('refused');
  assert.is(former.config.loop.recheck_ms, 50);
  assert.equal(
    formerKeys(former.config).map(({ key }) => key),
    ['loop.period_ms'],
  );
  const present = taken('[loop]\nrecheck_ms = 50\n');
  if (!present.ok) throw new Error('refused');
  assert.is(present.config.loop.recheck_ms, 50);
  assert.equal(formerKeys(present.config), []);
  const both = taken('[loop]\nrecheck_ms = 60\nperiod_ms = 50\n');
  if (both.ok) throw new Error('taken');
  assert.equal(
    both.problems.map(({ line, key }) => [line, key]),
    [[3, 'loop.period_ms']],
  );
});

test.run();
