import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { distance } from '../../src/base/nearest.ts';
import {
  checkConfig,
  configPlaces,
  defaultConfig,
  describeProblems,
  loadConfig,
} from '../../src/config/load.ts';
import { forAll } from '../support/for-all.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('config');
const folder = tempFolder('desk-config-');

const check = (text: string) => checkConfig(new TextEncoder().encode(text));
const problems = (text: string) => {
  const result = check(text);
  return result.ok ? [] : result.problems;
};

/** A document, and for each problem its line, its key, and what its message must name. */
const wrong: readonly [name: string, toml: string, expected: readonly [number | null, string, RegExp][]][] = [
  ['unknown key', '[loop]\nrechek_ms = 5', [[2, 'loop.rechek_ms', /"recheck_ms"/]]],
  ['swapped letters', '[listen.office]\n\nprot = 80', [[3, 'listen.office.prot', /"port"/]]],
  ['unknown section', '# x\n[lisen]\na = 1', [[2, 'lisen', /"listen"/]]],
  ['unknown and far from all', '[access]\nzzzzzzzz = 1', [[2, 'access.zzzzzzzz', /group/]]],
  ['wrong type', '[listen.control]\nport = "x"', [[2, 'listen.control.port', /"x".*number/]]],
  ['not whole', '[loop]\nrecheck_ms = 1.5', [[2, 'loop.recheck_ms', /1\.5.*whole/]]],
  ['too large', '[listen.public]\nport = 70000', [[2, 'listen.public.port', /70000.*65535/]]],
  ['too small', '[loop]\nrecheck_ms = 0', [[2, 'loop.recheck_ms', /0.*at least 1/]]],
  ['a colour by name', '[theme]\nink = "red"', [[2, 'theme.ink', /"red".*"#rgb" or "#rrggbb"/]]],
  ['too round', '[theme]\n[theme.dark]\nradius = 25', [[3, 'theme.dark.radius', /25.*at most 24/]]],
  ['another font', '[theme]\nfont = "Arial"', [[2, 'theme.font', /"Arial".*"serif"/]]],
  ['not one of', '[loop]\nmode = "evnt"', [[2, 'loop.mode', /"evnt".*"event".*"poll".*"off"/]]],
  ['no address', '[links]\njoin = "not a url"', [[2, 'links.join', /"not a url".*web address/]]],
  ['table for a value', '[mail]\nclient = {a = 1}', [[2, 'mail.client', /a table.*text/]]],
  ['value for a table', 'mail = 3', [[1, 'mail', /3.*a table/]]],
  ['a date', '[identity]\nnotes = 2020-01-01', [[2, 'identity.notes', /a date.*text/]]],
  [
    'entry of a list',
    '[egress]\nallow = [\n  "example.org:443", # fine\n  "nope",\n]',
    [[4, 'egress.allow[1]', /"nope".*host:port/]],
  ],
  [
    'entry of tables',
    '[[ports]]\nname = "a"\nport = 1\n[[ports]]\nname = "b"',
    [[4, 'ports[1].port', /nothing/]],
  ],
  ['inline table', 'listen = { office = { prt = 3 } }', [[1, 'listen.office.prt', /"port"/]]],
  [
    'the port of a default, reported where it is written',
    '[listen.public]\nenabled = true\n[listen.control]\nport = 80',
    [[4, 'listen.control.port', /80.*listen\.office/]],
  ],
  ['dotted key', 'listen.office.port = -1', [[1, 'listen.office.port', /-1/]]],
  ['quoted key', '"listen"."office"."port" = -1', [[1, 'listen.office.port', /-1/]]],
  [
    'after strings over lines',
    '[identity]\nnotes = """\n[loop]\nmode = "x"\n"""\nuser = 4',
    [[6, 'identity.user', /4.*text/]],
  ],
  [
    'several at once',
    '[loop]\nmode = 1\nx = 2\n[law]\nfile = false',
    [
      [2, 'loop.mode', /1/],
      [3, 'loop.x', /unknown/],
      [5, 'law.file', /false.*text/],
    ],
  ],
  ['syntax', '[loop]\nmode = ', [[2, '', /TOML/]]],
  ['same key twice', '[loop]\nmode = "off"\nmode = "off"', [[3, '', /TOML/]]],
  ['prototype', '__proto__ = 1', [[1, '', /TOML/]]],
  ['public control', '[listen.control]\nhost = "0.0.0.0"', [[2, 'listen.control.host', /loopback/]]],
  ['public office', '[listen.office]\nhost = "192.0.2.1"', [[2, 'listen.office.host', /loopback/]]],
  ['two on one port', '[listen.public]\nport = 80', [[2, 'listen.public.port', /listen\.office/]]],
  [
    'port listed twice',
    '[[ports]]\nname="a"\nport = 5\n[[ports]]\nname="b"\nport = 5',
    [[6, 'ports[1].port', /twice/]],
  ],
  [
    'no control',
    '[listen.control]\nenabled = false',
    [[2, 'listen.control.enabled', /false.*true.*control/]],
  ],
  ['banned port', '[listen.public]\nport = 8766', [[2, 'listen.public.port', /8766.*banned/]]],
  [
    'own port banned',
    '[banned]\nalso = [\n  5,\n  18770,\n]',
    [[4, 'banned.also[1]', /18770.*listen\.public/]],
  ],
  ['no such address', '[listen.public]\nhost = "127.0.0.999"', [[2, 'listen.public.host', /IP address/]]],
  ['short address', '[listen.public]\nhost = "127.1"', [[2, 'listen.public.host', /IP address/]]],
  ['no host name', '[listen.public]\nhost = "a b"', [[2, 'listen.public.host', /host name/]]],
  ['brackets', '[listen.public]\nhost = "[::1]"', [[2, 'listen.public.host', /brackets/]]],
  ['site by mail', '[site]\npublic_url = "mailto:a@b"', [[2, 'site.public_url', /http or https/]]],
  [
    'private and not allowed',
    '[egress]\nallow = ["A.b:443"]\nprivate = ["a.B:443",\n"a.b:80"]',
    [[4, 'egress.private[1]', /"a\.b:80".*egress\.allow/]],
  ],
  [
    'folders of mail without an absolute path',
    '[mail]\nsources = ["imap", "maildir:~/Mail", "mh:/var/mh", "mbox:mail",\n"maildir:~ada/Mail"]',
    [
      [2, 'mail.sources[3]', /"mbox:mail".*\/ or ~\//],
      [3, 'mail.sources[4]', /"maildir:~ada\/Mail".*\/ or ~\//],
    ],
  ],
  [
    'password in place of its file, not repeated',
    '[mail]\npassword_file = "hunter2"',
    [[2, 'mail.password_file', /^(?!.*hunter2).*absolute path/]],
  ],
  [
    'no mail address',
    '[identity]\naddress = "nonsense"',
    [[2, 'identity.address', /"nonsense".*mail address/]],
  ],
  ['egress port', '[egress]\nallow = ["a.b:99999"]', [[2, 'egress.allow[0]', /99999/]]],
];

for (const [name, toml, expected] of wrong)
  test(`an error names line, key, found and expected: ${name}`, () => {
    const reported = problems(toml);
    assert.is(reported.length, expected.length, JSON.stringify(reported));
    expected.forEach(([line, key, message], index) => {
      assert.is(reported[index]?.line, line, JSON.stringify(reported[index]));
      assert.is(reported[index]?.key, key);
      assert.match(reported[index]?.message ?? '', message);
    });
  });

test('an error never repeats a possible secret', () => {
  const canary = 'hunter2-canary';
  const documents = [
    `[mail]\npassword = "${canary}"`,
    `[mail]\npassword_file = 1\npasswd = "${canary}"`,
    `[assistant]\napi_key = "${canary}"\napi_key_file = ["${canary}"]`,
    `[links]\njoin = "ftp://user:${canary}@example.org"`,
    `[links]\njoin = "http://user:${canary}@example.org/"`,
    `[links]\njoin = "http:user:${canary}@example.org"`,
    `[site]\npublic_url = "https://${canary}@example.org"`,
    `[site]\nnames = ["https://user:${canary}@example.org"]`,
    `[assistant]\nbase_url = "http://user:${canary}@127.0.0.1:8080/v1"`,
    `[identity]\nnotes = "mine: imaps://user:${canary}@example.org"`,
    `[identity]\nimap_host = "imaps://user:${canary}@example.org"`,
    `[listen.public]\nhost = "user:${canary}@example.org"`,
    `[mail]\npassword = "${canary}`,
    `${canary}`,
  ];
  for (const document of documents) {
    const reported = problems(document);
    assert.ok(reported.length > 0, document);
    assert.not.match(JSON.stringify(reported), canary);
  }
});

test('a mail address in a link is not user info', () => {
  assert.equal(
    problems('[links]\nclaws = "mailto:ada@example.org"\n[identity]\naddress = "ada@example.org"'),
    [],
  );
  assert.equal(problems('[identity]\naddress = "josé@bücher.example"'), []);
});

test('two listeners on one port are valid only with different addresses', () => {
  const on = (host: string): string[] =>
    problems(`[listen.public]\nhost = "${host}"\nport = 18772`).map(
      ({ key, message }) => `${key} ${message}`,
    );
  for (const host of ['127.0.0.1', '0.0.0.0', '::', '0:0::0', '::ffff:127.0.0.1', 'localhost', 'LOCALHOST'])
    assert.match(on(host).join('\n'), /^listen\.public\.port found 18772.*listen\.control/, host);
  for (const host of ['127.0.0.2', '::1', '192.0.2.1']) assert.equal(on(host), [], host);
  assert.equal(
    problems('[listen.control]\nhost = "::1"\nport = 5\n[listen.public]\nhost = "0.0.0.0"\nport = 5'),
    [],
  );
});

test('a file that is not UTF-8 is refused', () => {
  const result = checkConfig(Uint8Array.of(0x5b, 0xff, 0xfe));
  assert.is(result.ok, false);
});

test('an empty file means the defaults', () => {
  const result = check('');
  assert.ok(result.ok && result.value);
  if (result.ok) assert.equal(result.value, defaultConfig());
});

test('a typical configuration is valid', () => {
  const result = check(`
[loop]
mode = "poll"
recheck_ms = 1
[listen.themed]
enabled = true
[site]
public_url = "https://example.org"
names = ["example.org", "www.example.org"]
[[ports]]
name = "web"
port = 80
required = true
[egress]
allow = ["example.org:443"]
processes = ["/usr/bin/claws-mail"]
[mail]
sources = ["maildir:~/Mail", "imap"]
own_addresses = ["ada@example.org"]
`);
  assert.ok(result.ok, JSON.stringify(result));
  if (result.ok) assert.equal(result.value.ports, [{ name: 'web', port: 80, required: true }]);
});

test('the file is DESK_CONFIG first, then XDG, then /etc', () => {
  assert.equal(configPlaces({ DESK_CONFIG: '/a/b', XDG_CONFIG_HOME: '/x', HOME: '/h' }), ['/a/b']);
  assert.equal(configPlaces({ XDG_CONFIG_HOME: '/x', HOME: '/h' })[0], '/x/desk/desk.toml');
  assert.equal(configPlaces({ HOME: '/h' }), ['/h/.config/desk/desk.toml', '/etc/desk/desk.toml']);
});

test('a file is read with its local date', () => {
  const home = join(folder, 'home');
  mkdirSync(join(home, 'desk'), { recursive: true });
  const path = join(home, 'desk/desk.toml');
  writeFileSync(path, '[loop]\nmode = "off"\n');
  utimesSync(path, new Date(2024, 1, 29, 23, 59), new Date(2024, 1, 29, 23, 59));
  const result = loadConfig({ XDG_CONFIG_HOME: home });
  assert.ok(result.ok);
  if (!result.ok) return;
  assert.is(result.path, path);
  assert.is(result.date, '2024-02-29');
  assert.is(result.config.loop.mode, 'off');
});

test('a DESK_CONFIG that is missing, a folder or too large is refused', () => {
  const large = join(folder, 'large.toml');
  writeFileSync(large, `# ${'x'.repeat(1 << 20)}`);
  for (const path of [join(folder, 'none.toml'), folder, large, join(large, 'below')]) {
    const result = loadConfig({ DESK_CONFIG: path, HOME: folder });
    assert.is(result.ok, false, path);
    if (!result.ok) assert.ok(describeProblems(result)[0]?.startsWith(`${path}: `));
  }
});

test('without a file the defaults apply, without a date', () => {
  const result = loadConfig({ XDG_CONFIG_HOME: join(folder, 'empty'), DESK_CONFIG: '' });
  assert.ok(result.ok);
  if (result.ok && result.path === null) assert.is(result.date, '');
});

const key = fc.constantFrom(
  'loop',
  'listen',
  'office',
  'port',
  'mode',
  'ports',
  'mail',
  'sources',
  'name',
  'egress',
  'allow',
);

const tomlValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.integer({ min: -1e9, max: 1e9 }),
    fc.boolean(),
    fc.double({ noNaN: true }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.string(), key), tie('value'), { maxKeys: 4 }),
  ),
})).value;

test('random documents never crash the loader, and every problem names a line or the file', () => {
  forAll(fc.dictionary(fc.oneof(key, fc.string()), tomlValue, { maxKeys: 5 }), (document) => {
    let text: string;
    try {
      text = stringify(document);
    } catch {
      return;
    }
    const result = check(text);
    if (result.ok) return;
    assert.ok(result.problems.length > 0);
    const lines = text.split('\n').length;
    for (const { line, message } of result.problems) {
      assert.ok(message.length > 0);
      assert.ok(line === null || (line >= 1 && line <= lines));
    }
  });
});

test('random text and bytes never crash the loader', () => {
  const sign = fc.constantFrom(
    '[',
    ']',
    '"',
    "'",
    '=',
    '\n',
    '#',
    '.',
    'a',
    '1',
    '{',
    '}',
    ',',
    '"""',
    "'''",
    '\\',
  );
  fc.assert(fc.property(fc.array(sign, { maxLength: 40 }), (signs) => void check(signs.join(''))));
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void checkConfig(bytes)));
});

test('for a misspelled key the key one edit away is suggested', () => {
  forAll(fc.nat(8), fc.constantFrom('', 'q'), (at, put) => {
    const name = 'recheck_ms';
    const typo = name.slice(0, at) + put + name.slice(at + 1);
    fc.pre(typo !== name);
    const reported = problems(`[loop]\n${typo} = 1`);
    assert.match(reported[0]?.message ?? '', /"recheck_ms"/);
  });
});

test('the edit distance is a metric on short words, and a swap costs one', () => {
  assert.is(distance('prot', 'port'), 1);
  assert.is(distance('', 'abc'), 3);
  const word = fc.string({ maxLength: 6 });
  forAll(word, word, (a, b) => {
    assert.is(distance(a, b), distance(b, a));
    assert.is(distance(a, b) === 0, a === b);
    assert.ok(distance(a, b) <= Math.max(a.length, b.length));
  });
});

test.run();
