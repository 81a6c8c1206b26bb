/** Comparing packages by a helper: seals, what hangs, what is being installed. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Packages } from '../../../src/desk/packages.ts';
import { DeskPackages } from '../../../src/features/packages/desk-packages.ts';
import { compare } from '../../../src/features/packages/verifier.ts';
import { openStore } from '../../../src/service/tables.ts';
import { GuardedStore } from '../../../src/store/guarded.ts';
import { expect } from '../../support/expect.ts';
import { memoryFolder, tempFolder } from '../../support/temp-folder.ts';

const test = suite('packages');

const file = (path: string, program: boolean, mode = 0o644) => ({
  ...{ path, mode, program, expected: 'e', found: 'f' },
  changedNs: '1767323045000000000',
});
const answer = (parts: object) =>
  JSON.stringify({
    ...{ installed: true, seal: '', files: 2, missing: 0, altered: [], unread: [], busy: false },
    ...parts,
  });

/** A helper that answers about three packages, `one` as given, and writes down what it is asked. */
function helper(one: string, { databases = [{ name: 'dpkg', state: 'read' }] } = {}) {
  const folder = tempFolder('desk-packages-');
  const asked = join(folder, 'asked');
  const program = join(folder, 'peek');
  writeFileSync(asked, '');
  const known = (name: string) => ({ id: `${name}:amd64`, name, version: '1', database: 'dpkg' });
  const all = JSON.stringify({ packages: ['one', 'two', 'three'].map(known), databases });
  const script = [
    '#!/bin/sh',
    'while read -r line; do',
    `  echo "$line" >> ${asked}`,
    '  case $line in',
    `  packages) echo '${all}' ;;`,
    `  *one*) ${one} ;;`,
    `  *) echo '${answer({ seal: 'ab', missing: 1 })}' ;;`,
    '  esac',
    'done',
  ];
  writeFileSync(program, `${script.join('\n')}\n`);
  chmodSync(program, 0o755);
  return { program, asked: () => readFileSync(asked, 'utf8').trim().split('\n') };
}

const says = (parts: object): string => `echo '${answer(parts)}'`;

test('packages are compared one by one; what was found whole is asked with its seal', async () => {
  const altered = [
    file('/usr/bin/a', false, 0o755),
    file('/usr/share/a', false),
    file('/usr/lib/a.so', true),
  ];
  const { program, asked } = helper(says({ altered, unread: [{ path: '/x', error: 'EIO' }] }));
  const seals = new Map([
    ['removed', 'cd'],
    ['one:amd64', 'ef'],
  ]);
  const found = await compare(seals, { program });
  expect(asked()).equals(['packages', 'verify one:amd64 ef', 'verify two:amd64', 'verify three:amd64']);
  expect([...seals]).equals([
    ['two:amd64', 'ab'],
    ['three:amd64', 'ab'],
  ]);
  expect(found.altered.map(({ path, package: name, program }) => [path, name, program])).equals([
    ['/usr/bin/a', 'one', true],
    ['/usr/share/a', 'one', false],
    ['/usr/lib/a.so', 'one', true],
  ]);
  expect(found.unread).equals([{ path: '/x', reason: 'EIO' }]);
  expect([found.files, found.missing, found.packages, found.trouble]).equals([6, 2, 3, '']);
});

test('a package whose files do not answer costs its own answer alone', async () => {
  const { program } = helper('exec sleep 30');
  const found = await compare(new Map(), { program, deadlineMs: 200, mostMs: 200 });
  expect(found.unread).equals([{ path: 'package one:amd64', reason: 'reading it hangs' }]);
  assert.is(found.files, 4);
});

test('an answer that is none is unread, and no database is a trouble', async () => {
  expect((await compare(new Map(), { program: helper("echo '{}'").program })).unread).equals([
    { path: 'package one:amd64', reason: 'desk-peek does not answer' },
  ]);
  const troubleWith = async (databases: { name: string; state: string }[]) => {
    const { trouble, unread } = await compare(new Map(), {
      program: helper(says({}), { databases }).program,
    });
    return [trouble, ...unread.map(({ path, reason }) => `${path}: ${reason}`)];
  };
  const damaged = { name: 'rpm', state: 'EBADMSG' };
  expect(await troubleWith([damaged])).equals(['the rpm database could not be read (EBADMSG)']);
  expect(await troubleWith([])).equals(['this machine has no package database of dpkg, rpm or pacman']);
  // Where another one was read, the rest was not compared.
  expect(await troubleWith([{ name: 'dpkg', state: 'read' }, damaged])).equals([
    '',
    'packages of rpm: EBADMSG',
  ]);
  const missing = await compare(new Map(), { program: '/nowhere' });
  assert.is(missing.trouble, 'desk-peek does not answer');
});

test('while packages are being installed, what differs says nothing', async () => {
  const { program } = helper(says({ altered: [file('/usr/bin/a', true)], busy: true }));
  const found = await compare(new Map(), { program });
  expect([found.altered, found.busy]).equals([[], true]);
  assert.match(found.trouble, 'being installed');
  const even = await compare(new Map(), { program, evenBusy: true });
  expect([even.altered.length > 0, even.busy, even.trouble]).equals([true, true, '']);
});

test('a comparison is shared and kept, and a check is asked to judge it', async () => {
  const folder = memoryFolder('desk-packages-store-');
  const store = openStore(folder);
  const { program, asked } = helper(says({ altered: [file('/usr/bin/a', true)] }));
  const rescans: (readonly string[])[] = [];
  const start = () => {
    let api: Packages | undefined;
    const desk = new DeskPackages(
      {
        store: new GuardedStore(store, pino({ level: 'silent' })),
        role: 'service',
        config: { slow: { every_sec: 3_600 } },
        provide: (_, offered) => {
          api = offered as unknown as Packages;
        },
        rescan: async (checks) => void rescans.push(checks),
      },
      { program, soonMs: 10 },
    );
    if (api === undefined) throw new Error('nothing is offered');
    return { desk, api };
  };
  const first = start();
  assert.is(first.api.latest(), null);
  const [one, other] = await Promise.all([first.api.verify(), first.api.verify()]);
  assert.is(one, other);
  assert.is(first.api.latest(), one);
  expect(rescans).equals([['packaged-file']]);
  await first.desk.stop();
  const second = start();
  expect(second.api.latest()).equals(one);
  const { length } = asked();
  await second.api.verify();
  expect(asked().slice(length)).equals([
    'packages',
    'verify one:amd64',
    'verify two:amd64 ab',
    'verify three:amd64 ab',
  ]);
  const { length: before } = asked();
  second.api.soon();
  while (asked().length < before + 4) await delay(10);
  await second.desk.stop();
  store.close();
});

test.run();
