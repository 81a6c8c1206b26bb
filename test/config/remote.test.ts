/** `[listen.remote]`: what cannot work or would not be safe is refused, with what is wrong and what is expected. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inNetworks, isNetwork } from '../../src/base/addresses.ts';
import { checkConfig, defaultConfig } from '../../src/config/load.ts';

const check = (text: string) => checkConfig(Buffer.from(`[listen.remote]\n${text}`));
const problems = (text: string): string => {
  const checked = check(text);
  return checked.ok ? '' : checked.problems.map(({ key, message }) => `${key} ${message}`).join('\n');
};

test('it is off by default', () => {
  assert.equal(defaultConfig().listen.remote, {
    ...{ enabled: false, host: '0.0.0.0', port: 18773, tls: true, certificate: '', key: '' },
    ...{ names: [], trusted_proxies: [] },
  });
});

test('without TLS it needs the addresses of proxies', () => {
  assert.match(
    problems('tls = false'),
    /^listen\.remote\.tls found false, expected true, or the addresses of your reverse proxy/,
  );
  assert.is(problems('tls = false\ntrusted_proxies = ["127.0.0.1"]'), '');
  assert.match(
    problems('tls = false\ntrusted_proxies = ["127.0.0.1"]\ncertificate = "/c"\nkey = "/k"'),
    /without TLS it has no use/,
  );
});

test('a certificate and its key belong together', () => {
  assert.match(problems('certificate = "/c"'), /certificate names a file, expected listen\.remote\.key too/);
  assert.match(problems('key = "/k"'), /key names a file, expected listen\.remote\.certificate too/);
  assert.is(problems('certificate = "/c"\nkey = "/k"'), '');
  assert.match(problems('certificate = "c"\nkey = "/k"'), /expected an absolute path/);
});

test('proxies are addresses or networks that are not too wide', () => {
  for (const good of ['127.0.0.1', '192.0.2.0/24', '10.0.0.0/8', '2001:db8::/32', '::1', 'fd00::/16'])
    assert.is(problems(`trusted_proxies = ["${good}"]`), '', good);
  for (const bad of [
    '',
    'proxy.example',
    '127.1',
    '192.0.2.0/33',
    '192.0.2.0/-1',
    '192.0.2.0/08',
    '192.0.2.0/24/1',
    '::ffff:192.0.2.0/120',
    '[::1]',
  ])
    assert.match(problems(`trusted_proxies = ["${bad}"]`), /expected an IP address or a network/, bad);
  for (const wide of ['0.0.0.0/0', '10.0.0.0/7', '::/0', 'fc00::/7'])
    assert.match(problems(`trusted_proxies = ["${wide}"]`), /expected a prefix of at least/, wide);
});

test('names are those of a Host header', () => {
  for (const good of ['desk', 'desk.example:8443', '192.0.2.1', '[2001:db8::1]:443'])
    assert.is(problems(`names = ["${good}"]`), '', good);
  for (const bad of [
    '',
    'https://desk.example',
    'desk.example/',
    'a b',
    '2001:db8::1',
    'user@desk',
    '*.example',
    'desk:0',
    'desk.',
  ])
    assert.match(problems(`names = ["${bad}"]`), /expected a host name or an IP address/, bad);
  assert.match(problems('names = ["desk:99999"]'), /found port 99999, expected 1 to 65535/);
});

test('it takes no place of another listener, and no banned port', () => {
  assert.match(
    problems('enabled = true\nport = 18772'),
    /which listen\.control on 127\.0\.0\.1 already uses: the two addresses overlap/,
  );
  assert.match(problems('enabled = true\nport = 8766'), /always banned/);
});

test('networks hold their addresses, also mapped ones', () => {
  const holds = inNetworks(['192.0.2.0/25', '2001:db8::/32', '203.0.113.7']);
  for (const inside of ['192.0.2.1', '::ffff:192.0.2.127', '2001:db8:1::5', '203.0.113.7'])
    assert.ok(holds(inside), inside);
  for (const outside of ['192.0.2.128', '2001:db9::', '203.0.113.8', '::203.0.113.7', '', 'x'])
    assert.not.ok(holds(outside), outside);
  assert.not.ok(isNetwork('192.0.2.0/'));
  assert.not.ok(inNetworks([])('127.0.0.1'));
});

test.run();
