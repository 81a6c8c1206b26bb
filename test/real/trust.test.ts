/** A real `desk` with a configuration or a law that another user can change: it does not start, and does not load it on reload. */
import { chmodSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calm, makeHome, runDesk, startService, until } from './running.ts';

interface Case {
  readonly kind: 'config' | 'law';
  readonly name: string;
  /** Makes `file` untrusted. */
  spoil(file: string): void;
  readonly says: RegExp;
}

/** One of each kind: trusted-file.test.ts has every fault. */
const cases: readonly Case[] = [
  {
    kind: 'config',
    name: 'with mode 0666',
    spoil: (file) => chmodSync(file, 0o666),
    says: /may be written by every user \(mode 0666\)[\s\S]*chmod\s+644/,
  },
  {
    kind: 'law',
    name: 'in a folder with mode 0777',
    spoil: (file) => chmodSync(dirname(file), 0o777),
    says: /is in a folder that every user may write[\s\S]*chmod\s+go-w/,
  },
];

for (const { kind, name, spoil, says } of cases)
  test(`with a ${kind} ${name} the service does not start, exits with 2, and the check names the reason`, async () => {
    using home = await makeHome(`${calm}[law]\nfile = "own/law.toml"\n`);
    const law = join(home.folder, 'own', 'law.toml');
    mkdirSync(dirname(law));
    renameSync(join(home.folder, 'law.toml'), law);
    const file = kind === 'config' ? home.config : law;
    spoil(file);
    for (const args of [['boot'], [kind, 'check']]) {
      const { code, stdout, stderr } = await runDesk(home, args);
      assert.is(code, 2, `${args.join(' ')}: ${stdout}${stderr}`);
      assert.match(stderr.replaceAll(/\n\s+/g, ' '), says);
      assert.match(stderr.replaceAll(/\s+/g, ''), file);
    }
  });

test('a reload refuses a configuration that every user may write, and the old one stays active', async () => {
  await using service = await startService(await makeHome(calm));
  chmodSync(service.home.config, 0o666);
  service.child.kill('SIGHUP');
  await until(async () => /reload refused/.test(service.output.stderr), 'the refusal', 10_000);
  assert.match(service.output.stderr, /may be written by every user \(mode 0666\)/);
  assert.ok(await service.alive());
});

test('a running service refuses a law that every user may write, and the old one stays active', async () => {
  await using service = await startService(await makeHome(calm));
  const { json: before } = await service.get('/version');
  chmodSync(join(service.home.folder, 'law.toml'), 0o666);
  const { json } = await until(async () => {
    const answer = await service.get('/readyz');
    return /law\.toml is refused/.test(answer.text) && answer;
  }, 'the refusal of the law');
  assert.match(JSON.stringify(json), 'may be written by every user (mode 0666)');
  assert.not.match(JSON.stringify(json), service.home.folder);
  assert.equal((await service.get('/version')).json.law, before.law);
});

test.run();
