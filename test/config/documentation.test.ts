/** docs/configuration.md lists every key of the schema with its default, and its example is valid. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkConfig, defaultConfig } from '../../src/config/load.ts';
import { configSchema } from '../../src/config/schema.ts';
import { unusedKeys } from '../../src/config/unused.ts';
import { unlistedPlaces } from '../../src/service/unlisted.ts';
import { projectRoot } from '../support/require.ts';

const test = suite('configuration document');
const document = readFileSync(join(projectRoot, 'docs/configuration.md'), 'utf8');
const toml = /```toml\n(.*?)```/s.exec(document)?.[1] ?? '';

test('the example of docs/configuration.md is valid', () => {
  const result = checkConfig(new TextEncoder().encode(toml));
  assert.ok(result.ok, JSON.stringify(result));
});

test('docs/configuration.md lists every key with its default', () => {
  const { ports, heartbeat, alerts, sites, ...shown } = JSON.parse(JSON.stringify(parse(toml))) as Record<
    string,
    unknown
  >;
  const { ports: none, heartbeat: silent, alerts: untold, sites: further, ...defaults } = defaultConfig();
  const { explicitPort, ...office } = defaults.listen.office;
  assert.is(explicitPort, false);
  assert.equal(shown, { ...defaults, listen: { ...defaults.listen, office } });
  assert.is(none, undefined);
  // Of lists the example has an entry with every key, with its default where it has one.
  const { to, ...rules } = alerts as { readonly to: readonly object[] };
  assert.equal([{ ...rules, to: [] }, silent], [untold, []]);
  const target = { name: 'phone', kind: 'ntfy', url: 'https://ntfy.sh/topic', least: 'high' };
  const beat = { name: 'healthchecks', url: 'https://hc-ping.com/UUID' };
  const full = configSchema.parse({ alerts: { to: [target] }, heartbeat: [beat] });
  assert.equal(to, full.alerts.to);
  assert.equal(heartbeat, full.heartbeat);
  assert.equal(further, []);
  // An example, with the default of each key beside name and address.
  const [example] = configSchema.parse({ sites }).sites;
  const { name = '', url = '' } = example ?? {};
  assert.equal(example, configSchema.parse({ sites: [{ name, url }] }).sites[0]);
  assert.equal(Object.keys((sites as object[])[0] ?? {}).sort(), Object.keys(example ?? {}).sort());
  assert.equal(ports, [{ name: 'web', port: 80, required: true }]);
});

test('every assistant of docs/assistant.md is valid and can be reached', () => {
  const text = readFileSync(join(projectRoot, 'docs/assistant.md'), 'utf8');
  const examples = [...text.matchAll(/```toml\n(.*?)```/gs)].map(([, example = '']) => example);
  assert.is(examples.length, 4);
  for (const example of examples) {
    const result = checkConfig(new TextEncoder().encode(example));
    assert.ok(result.ok, JSON.stringify(result));
    if (!result.ok) continue;
    assert.equal(unlistedPlaces(result.value), []);
    assert.equal(unusedKeys(result.value), []);
  }
});

test.run();
