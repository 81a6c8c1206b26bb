/** docs/law.toml: the default law as a file. It changes nothing and shows every key. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { configSchema } from '../../../src/config/schema.ts';
import { CAUSE_NAMES } from '../../../src/features/law/causes.ts';
import { defaultLawText } from '../../../src/features/law/default-text.ts';
import { contextOf, readLaw } from '../../../src/features/law/files.ts';
import { BUILT_IN, lawOf } from '../../../src/features/law/law.ts';
import { lawSchema, THRESHOLDS } from '../../../src/features/law/schema.ts';
import { projectRoot } from '../../support/require.ts';

const config = configSchema.parse({});
const context = contextOf(config, (user) => (user === 'build' ? 1000 : undefined));
const text = readFileSync(join(projectRoot, 'docs/law.toml'), 'utf8');

function read(toml: string) {
  const result = readLaw(new TextEncoder().encode(toml), context);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

test('docs/law.toml is the text that the command prints', () => assert.is(text, defaultLawText()));

test('docs/law.toml is the default law', () => {
  assert.is(lawOf(config, { user: read(text), accepted: { except: [] } }).version, BUILT_IN);
});

/** The examples with their comment marks removed, without conditions that exclude each other. */
const examples = text.replace(/^# (?=\[\[|\w+ = )/gm, '');

test('the examples in docs/law.toml are valid', () => {
  const { listen, except } = read(examples);
  assert.equal(
    listen.map(({ port, scope, executable }) => [port, scope, executable]),
    [[22, 'public', '/usr/sbin/sshd']],
  );
  assert.is(except.length, 5);
});

test('docs/law.toml has every key, with a comment', () => {
  const { listen, except } = lawSchema(context).shape;
  const keys = (list: { unwrap(): { element: { shape: object } } }) =>
    Object.keys(list.unwrap().element.shape);
  const wanted = [...Object.keys(THRESHOLDS), 'auto', ...CAUSE_NAMES];
  for (const key of wanted) assert.match(text, new RegExp(`^${key} = .+ # .`, 'm'), key);
  for (const key of [...keys(listen as never), ...keys(except as never)]) {
    // Written only by `accept`.
    if (key === 'accepted') continue;
    assert.match(text, new RegExp(`\\b${key}\\b`), key);
  }
});

test.run();
