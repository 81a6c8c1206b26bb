/** A real `desk` with a configuration or a law that somebody else may change: it does not start, and does not take it on reload. */
import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { needs } from '../support/require.ts';
import { calm, type Home, makeHome, runDesk, startService, until } from './running.ts';

interface Case {
  readonly name: string;
  readonly root?: boolean;
  /** Makes `file` untrusted. */
  spoil(home: Home, file: string): void;
  readonly says: RegExp;
}

const cases: readonly Case[] = [
  {
    name: 'with mode 0666',
    spoil: (_, file) => chmodSync(file, 0o666),
    says: /may be written by every user \(mode 0666\)[\s\S]*chmod\s+644/,
  },
  {
    name: 'of another user',
    root: true,
    spoil: (_, file) => chownSync(file, 65534, 65534),
    says: /belongs to uid 65534[\s\S]*chown\s+root:root/,
  },
  {
    name: 'in a folder with mode 0777',
    spoil: (_, file) => chmodSync(dirname(file), 0o777),
    says: /is in a folder that every user may write[\s\S]*chmod\s+go-w/,
  },
  {
    name: "that is a link to another user's file",
    root: true,
    spoil: ({ folder }, file) => {
      const other = join(folder, 'other');
      mkdirSync(other);
      renameSync(file, join(other, 'file'));
      symlinkSync(join(other, 'file'), file);
      chownSync(other, 65534, 65534);
    },
    says: /is in a folder of uid 65534/,
  },
];

for (const { name, root, spoil, says } of cases)
  for (const kind of ['config', 'law'] as const)
    (root ? needs('root') : needs())(
      test,
      `a ${kind} ${name}: no start, exit 2, and the check says why`,
      async () => {
        using home = await makeHome(`${calm}[law]\nfile = "own/law.toml"\n`);
        const law = join(home.folder, 'own', 'law.toml');
        mkdirSync(dirname(law));
        renameSync(join(home.folder, 'law.toml'), law);
        const file = kind === 'config' ? home.config : law;
        spoil(home, file);
        for (const args of [['boot'], [kind, 'check']]) {
          const { code, stdout, stderr } = await runDesk(home, args);
          assert.is(code, 2, `${args.join(' ')}: ${stdout}${stderr}`);
          assert.match(stderr.replaceAll(/\n\s+/g, ' '), says);
          assert.match(stderr.replaceAll(/\s+/g, ''), file);
        }
      },
    );

test('a reload refuses a configuration that every user may write: the old one stays', async () => {
  await using service = await startService(await makeHome(calm));
  chmodSync(service.home.config, 0o666);
  service.child.kill('SIGHUP');
  await until(async () => /reload refused/.test(service.output.stderr), 'the refusal', 10_000);
  assert.match(service.output.stderr, /may be written by every user \(mode 0666\)/);
  assert.ok(await service.alive());
});

test('a law that every user may write is not taken while the service runs: the old one stays', async () => {
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
