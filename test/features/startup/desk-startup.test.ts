/** Changes in places are read as they happen, and passes are shared. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Startup } from '../../../src/desk/startup.ts';
import { DeskStartup } from '../../../src/features/startup/desk-startup.ts';
import { lines } from '../../../src/features/startup/parsers.ts';
import { PatternWatch } from '../../../src/features/startup/pattern-watch.ts';
import type { Place } from '../../../src/features/startup/place.ts';
import type { FilePattern } from '../../../src/features/startup/reader.ts';
import { openStore } from '../../../src/service/tables.ts';
import { GuardedStore } from '../../../src/store/guarded.ts';
import { expect } from '../../support/expect.ts';
import { memoryFolder, tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const test = suite('desk startup');

function start(folder: string, role: 'service' | 'local' = 'service') {
  const store = openStore(memoryFolder('desk-startup-store-'));
  const guarded = new GuardedStore(store, pino({ level: 'silent' }), { records: true });
  const place: Place = {
    id: 'made',
    title: 'file of a test',
    files: [join(folder, 'etc/*'), join(folder, 'later/*')],
    parse: lines(),
    when: 'now',
    user: 'root',
    severity: 'low',
    benign: 'It was made here.',
    techniques: ['T1053'],
  };
  let api: Startup | undefined;
  const rescans: (readonly string[])[] = [];
  let soon = 0;
  const desk = new DeskStartup(
    {
      store: guarded,
      role,
      provide: (_, offered) => {
        api = offered as unknown as Startup;
      },
      find: () => ({ soon: () => soon++ }) as never,
      rescan: async (checks) => void rescans.push(checks),
    },
    [place],
  );
  if (api === undefined) throw new Error('nothing is offered');
  return {
    startup: api,
    rescans,
    comparisons: () => soon,
    async [Symbol.asyncDispose]() {
      await desk.stop();
      store.close();
    },
  };
}

const runs = async (startup: Startup) =>
  (await startup.settledFor('a check')).entries.map((entry) => entry.runs);

test('what changes is read and judged at once, in folders that come later too', async () => {
  const folder = tempFolder('desk-startup-');
  mkdirSync(join(folder, 'etc'));
  writeFileSync(join(folder, 'etc/a'), 'first\n');
  await using one = start(folder);
  expect(await runs(one.startup)).equals(['first']);
  await until(async () => (await one.startup.scan()).unwatched === '', 'watched');
  const { length } = one.rescans;
  writeFileSync(join(folder, 'etc/b'), 'second\n');
  await until(() => one.rescans.length > length, 'rescan');
  expect(one.rescans[0]).equals(['startup-entry', 'packaged-file']);
  await until(async () => (await runs(one.startup)).includes('second'), 'second');
  mkdirSync(join(folder, 'later'));
  writeFileSync(join(folder, 'later/c'), 'third\n');
  await until(async () => (await runs(one.startup)).includes('third'), 'third');
  rmSync(join(folder, 'etc/a'));
  await until(async () => !(await runs(one.startup)).includes('first'), 'gone');
  // The watcher has begun, and again for each new folder: no package has changed.
  assert.is(one.comparisons(), 0);
});

test('what a link leads to is watched, there or not, and what a person is shown is judged', async () => {
  const folder = tempFolder('desk-startup-');
  for (const name of ['etc', 'elsewhere']) mkdirSync(join(folder, name));
  symlinkSync('../elsewhere/late', join(folder, 'etc/link'));
  await using one = start(folder);
  expect(await runs(one.startup)).equals([]);
  await until(async () => (await one.startup.scan()).unwatched === '', 'watched');
  await delay(500);
  const { length } = one.rescans;
  writeFileSync(join(folder, 'elsewhere/late'), 'late\n');
  await until(() => one.rescans.length > length, 'rescan');
  expect(await runs(one.startup)).equals(['late']);
});

test('callers at the same time share a pass, and a command watches nothing', async () => {
  const folder = tempFolder('desk-startup-');
  mkdirSync(join(folder, 'etc'));
  await using one = start(folder, 'local');
  const [first, second] = await Promise.all([one.startup.scan(), one.startup.scan()]);
  assert.is(first, second);
  assert.is(first.unwatched, 'a command reads once');
  assert.is(await one.startup.settledFor('one'), first, 'not judged yet');
  assert.is(await one.startup.settledFor('other'), first);
  assert.is.not(await one.startup.settledFor('one'), first, 'judged');
  writeFileSync(join(folder, 'etc/a'), 'new\n');
  expect((await one.startup.scan()).entries.map((entry) => entry.runs)).equals(['new']);
  expect(one.rescans).equals([]);
});

test('a pass waits for one question about a package at most, and those whose caller has left are not asked', async () => {
  const folder = tempFolder('desk-startup-');
  mkdirSync(join(folder, 'etc'));
  await using one = start(folder, 'local');
  const [waits, leaving] = [new AbortController(), new AbortController()];
  const order: string[] = [];
  const note = (name: string, answer: Promise<unknown>) => answer.then(() => order.push(name));
  const ask = (path: string, { signal }: AbortController) => one.startup.ownerOf(path, signal);
  const asked = [
    ...Array.from({ length: 20 }, (_, at) => note(`question ${at}`, ask('/usr/bin/env', waits))),
    ...Array.from({ length: 20 }, () => note('left', ask('/usr/bin/env', leaving))),
    note('pass', one.startup.scan()),
  ];
  leaving.abort();
  await Promise.all(asked);
  expect(order.slice(0, 20)).equals(Array(20).fill('left'));
  assert.is(order[20], 'question 0');
  assert.ok(order.indexOf('pass') < order.indexOf('question 4'), order.join(', '));
  assert.is(await ask('/usr/bin/env', leaving), 'the caller has left');
});

test('a recent pass is used again until something changes or a minute has passed', async () => {
  const folder = tempFolder('desk-startup-');
  mkdirSync(join(folder, 'etc'));
  writeFileSync(join(folder, 'etc/a'), 'first\n');
  await using one = start(folder);
  const before = Date.now();
  const first = await one.startup.recent();
  assert.ok(first.readMs >= before && first.readMs <= Date.now());
  assert.is(await one.startup.recent(), first, 'read once');
  assert.is.not(await one.startup.scan(), first, 'a scan reads always');
  await until(async () => (await one.startup.recent()).unwatched === '', 'watched');
  writeFileSync(join(folder, 'etc/b'), 'second\n');
  await until(
    async () => (await one.startup.recent()).entries.some((entry) => entry.runs === 'second'),
    'second',
  );
  const { now } = Date;
  const newest = await one.startup.recent();
  try {
    Date.now = () => now() + 61_000;
    assert.is.not(await one.startup.recent(), newest, 'too old');
  } finally {
    Date.now = now;
  }
});

test('while other patterns are about to be watched no change is missed, and the new ones alone are read', async () => {
  const folder = tempFolder('desk-startup-');
  for (const name of ['one', 'other']) mkdirSync(join(folder, name));
  const patternOf = (name: string) =>
    ({ depth: 'text', viewer: 0, pattern: join(folder, name, '*') }) as const;
  const [one, other] = [patternOf('one'), patternOf('other')];
  const told: (readonly FilePattern[] | null)[] = [];
  const watch = new PatternWatch({ changed: (patterns) => void told.push(patterns) });
  watch.watch([one]);
  await until(() => watch.trouble === '', 'watched');
  expect(told).equals([null]);
  watch.watch([other, one]);
  writeFileSync(join(folder, 'one/a'), '');
  const has = (pattern: FilePattern) => told.some((patterns) => patterns?.includes(pattern));
  await until(() => has(one) && has(other), 'both');
  assert.is(watch.trouble, '');
  writeFileSync(join(folder, 'other/b'), '');
  await until(() => told.filter((patterns) => patterns?.includes(other)).length >= 2, 'the other');
  expect(told.filter((patterns) => patterns === null)).equals([null]);
  watch.close();
});

test('a watcher whose pattern hangs now is replaced: it would hang with it', async () => {
  const folder = tempFolder('desk-startup-');
  const one = { depth: 'text', viewer: 0, pattern: join(folder, '*'), hangs: false } as const;
  const told: (readonly FilePattern[] | null)[] = [];
  const watch = new PatternWatch<FilePattern>({ changed: (patterns) => void told.push(patterns) });
  watch.watch([one]);
  await until(() => watch.trouble === '', 'watched');
  watch.watch([{ ...one, hangs: true }]);
  assert.is.not(watch.trouble, '');
  await until(() => watch.trouble === '', 'replaced');
  expect(told).equals([null, null]);
  writeFileSync(join(folder, 'a'), '');
  watch.watch([one]);
  await until(() => told.length > 2, 'watched again');
  expect(told[2]).equals([one]);
  watch.close();
});

test('a watcher that ends is started again, and then anything may have changed', async () => {
  const folder = tempFolder('desk-startup-');
  const counter = join(folder, 'starts');
  const program = join(folder, 'watcher');
  writeFileSync(
    program,
    `#!/bin/sh\necho >> ${counter}\necho '{"watching":1,"refused":"ENOSPC"}'\nread -r line\n`,
    { mode: 0o755 },
  );
  const told: unknown[] = [];
  const watch = new PatternWatch({ program, changed: (patterns) => void told.push(patterns), againMs: 20 });
  watch.watch([{ depth: 'text', viewer: 0, pattern: '/etc/x' }]);
  await until(() => existsSync(counter) && readFileSync(counter, 'utf8').length >= 3, 'started again');
  assert.ok(told.length >= 2 && told.every((patterns) => patterns === null));
  assert.is.not(watch.trouble, '');
  watch.close();
  const missing = new PatternWatch({ program: join(folder, 'none'), changed: () => undefined });
  missing.watch([]);
  await until(() => missing.trouble.includes('ENOENT'), 'reported');
  missing.close();
});

test.run();
