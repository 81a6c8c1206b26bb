import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { configSchema } from '../../src/config-schema.ts';
import { unusedKeys } from '../../src/config-unused.ts';

test('the defaults set nothing that has no effect', () => {
  assert.equal(unusedKeys(configSchema.parse({})), []);
});

test('a setting without effect is named, one with effect is not', () => {
  const config = configSchema.parse({
    banned: { shut_down: 'never', also: [31337] },
    loop: { listen_poll_ms: 5, period_ms: 50 },
    law: { file: 'mine.toml' },
    assistant: { model: 'small' },
  });
  assert.equal(unusedKeys(config), ['assistant.model']);
});

test.run();
