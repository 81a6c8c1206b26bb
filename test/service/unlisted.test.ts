/** Hosts that the configuration needs and its egress rules refuse are reported when it is loaded. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { configSchema } from '../../src/config/schema.ts';
import { unlistedPlaces } from '../../src/service/unlisted.ts';
import { cli } from '../support/cli.ts';

const test = suite('unlisted');

const wishes = {
  site: { public_url: 'https://www.example.org/', magazine_url: 'http://example.org:8080/m/' },
  identity: { imap_host: 'imap.example.org', smtp_host: 'smtp.example.org' },
  assistant: { base_url: 'http://127.0.0.1:11434' },
};

test('each host that is not listed is reported under its key, with the entry to add', () => {
  const reported = unlistedPlaces(configSchema.parse(wishes));
  assert.equal(
    reported.map(({ key, reason }) => [
      key,
      /add "[^"]+"/.exec(reason)?.[0] ?? /write its name/.exec(reason)?.[0],
    ]),
    [
      ['site.public_url', 'add "www.example.org:443"'],
      ['site.magazine_url', 'add "example.org:8080"'],
      ['identity.imap_host', 'add "imap.example.org:993"'],
      ['identity.smtp_host', 'add "smtp.example.org:465"'],
      ['assistant.base_url', 'write its name'],
    ],
  );
});

test('a host that is listed or not set is not reported', () => {
  assert.equal(unlistedPlaces(configSchema.parse({})), []);
  const allow = [
    'www.example.org:443',
    'example.org:8080',
    'IMAP.example.org:993',
    'smtp.example.org:465',
    'localhost:11434',
  ];
  const config = {
    ...wishes,
    assistant: { base_url: 'http://localhost:11434' },
    egress: { allow, private: ['localhost:11434'] },
  };
  assert.equal(unlistedPlaces(configSchema.parse(config)), []);
  const links = { magazine: 'https://press.example/' };
  assert.equal(
    unlistedPlaces(configSchema.parse({ links })).map(({ key }) => key),
    ['links.magazine'],
  );
});

test('this machine is reported unless [egress] private names it', () => {
  const assistant = { base_url: 'http://localhost:11434/v1' };
  const reported = (egress: object) =>
    unlistedPlaces(configSchema.parse({ assistant, egress })).map(({ reason }) => reason.split(', ').at(-1));
  const [allow, also] = [
    'add "localhost:11434" to [egress] allow',
    'add "localhost:11434" to [egress] private',
  ];
  assert.equal(reported({}), [allow, also]);
  assert.equal(reported({ allow: ['localhost:11434'] }), [also]);
  assert.equal(reported({ allow: ['localhost:11434'], private: ['localhost:11434'] }), []);
});

test('desk config check prints a warning, and the file is valid', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-unlisted-'));
  try {
    const file = join(folder, 'desk.toml');
    writeFileSync(file, '[site]\npublic_url = "https://www.example.org"\n');
    const env = { DESK_CONFIG: file, DESK_STATE: join(folder, 'state'), HOME: folder };
    const { code, out } = await cli(['config', 'check'], env);
    assert.is(code, 0);
    assert.match(
      out,
      /unlisted {2}site\.public_url cannot be reached: .*add "www\.example\.org:443" to \[egress\] allow/,
    );
    const json = JSON.parse((await cli(['config', 'check', '--json'], env)).out) as { unlisted: unknown[] };
    assert.is(json.unlisted.length, 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
