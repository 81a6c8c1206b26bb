/** A program that holds the database: no request waits, the store is reported within a second, and nothing is lost when it goes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectRoot } from '../support/require.ts';
import { makeHome, type Service, startService, until } from './running.ts';

const test = suite('locked store');

const loop = '[loop]\nmode = "poll"\nperiod_ms = 500\n';

/** Rule 28: the part is degraded within a second, and no request waits longer. */
const WITHIN_MS = 1_000;

/** A process that holds a lock until it is ended, resolved once it has it. `wal`: a write lock; `whole`: readers are locked out too. */
async function lock(state: string, kind: 'wal' | 'whole'): Promise<ChildProcess> {
  const file = join(state, 'desk.db');
  const script =
    kind === 'wal'
      ? `const Libsql = require('libsql'); const db = new Libsql(${JSON.stringify(file)}, { timeout: 5000 });
         db.exec('BEGIN EXCLUSIVE'); console.log('held'); setInterval(() => db.inTransaction, 1000);`
      : '';
  const child =
    kind === 'wal'
      ? spawn(process.execPath, ['-e', script], { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] })
      : spawn(
          'python3',
          [
            '-c',
            `import fcntl, time
f = open(${JSON.stringify(`${file}-shm`)}, 'r+b')
fcntl.lockf(f, fcntl.LOCK_EX)
print('held', flush=True)
time.sleep(120)`,
          ],
          { stdio: ['ignore', 'pipe', 'inherit'] },
        );
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

async function release(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

const reasonOf = async (service: Service, part: string): Promise<string> => {
  const { json } = await service.get('/readyz');
  return (json as { parts: Record<string, { reason: string }> }).parts[part]?.reason ?? '';
};

const PATHS = [
  '/status',
  '/detection',
  '/h7/live',
  '/h7/page',
  '/scar',
  '/scar/runs',
  '/h7/history?span=24h',
  '/readyz',
  '/metrics',
  '/site',
];

/** The longest of these requests, ms. */
async function longest(service: Service): Promise<number> {
  let most = 0;
  for (let turn = 0; turn < 3; turn += 1)
    for (const path of PATHS) {
      const began = performance.now();
      const { status } = await service.get(path);
      most = Math.max(most, performance.now() - began);
      assert.ok(status < 500 || status === 503, `${path}: ${status}`);
    }
  return most;
}

for (const kind of ['wal', 'whole'] as const)
  test(`a foreign lock (${kind}): requests are answered, actions are refused, findings are written later`, async () => {
    const home = await makeHome(loop, { used: true });
    await using service = await startService(home);
    const holder = await lock(home.state, kind);
    const listener = createServer();
    try {
      const began = performance.now();
      await until(async () => (await reasonOf(service, 'store')) !== '', 'the store is degraded');
      const took = performance.now() - began;
      assert.ok(took < WITHIN_MS, `degraded after ${took} ms`);
      assert.match(await reasonOf(service, 'store'), /locked by another program/);
      const ms = await longest(service);
      assert.ok(ms < WITHIN_MS, `a request took ${ms} ms`);
      const { text } = await service.get('/metrics');
      assert.match(text, /^desk_part_ok\{part="store"\} 0$/m);
      const status = (await service.get('/status')).json as { issues: readonly unknown[] };
      assert.match(JSON.stringify(status.issues), /locked by another program/);
      const learned = await service.post('/learn', {}, service.bearer);
      assert.is(learned.status, 503, learned.text);
      // Found while the store is locked.
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
      const { port } = listener.address() as { port: number };
      const id = await until(async () => {
        const { findings } = (await service.get('/detection')).json as {
          findings: readonly { id: string; subject: { port?: number } }[];
        };
        return findings.find(({ subject }) => subject.port === port)?.id;
      }, 'a finding');
      await release(holder);
      const again = performance.now();
      await until(
        async () => (await reasonOf(service, 'store')).includes('locked') === false,
        'the store recovers',
      );
      assert.ok(performance.now() - again < 3_000);
      await until(async () => {
        const { json } = await service.get(`/findings/${id}`);
        return (json as { history: readonly { event: string }[] }).history.some(
          ({ event }) => event === 'opened',
        );
      }, 'its history is written');
    } finally {
      listener.close();
      if (holder.exitCode === null && holder.signalCode === null) await release(holder);
    }
  });

test('a state folder that is renamed, or replaced by a link, degrades the store within a second, and recovers', async () => {
  const home = await makeHome(loop, { used: true });
  await using service = await startService(home);
  const away = `${home.state}-away`;
  for (const how of ['renamed', 'link', 'another'] as const) {
    renameSync(home.state, away);
    if (how === 'link') symlinkSync(away, home.state);
    if (how === 'another') mkdirSync(home.state, { mode: 0o700 });
    const began = performance.now();
    await until(async () => (await reasonOf(service, 'state')) !== '', `${how}: reported`);
    assert.ok(performance.now() - began < WITHIN_MS, how);
    assert.match(await reasonOf(service, 'state'), /state folder .* (?:is gone|was replaced)/);
    const ms = await longest(service);
    assert.ok(ms < WITHIN_MS, `a request took ${ms} ms`);
    if (how !== 'renamed') renameSync(home.state, `${home.state}-${how}`);
    renameSync(away, home.state);
    await until(async () => (await reasonOf(service, 'state')) === '', `${how}: recovers`);
    await until(
      async () => !/removed or exchanged/.test(await reasonOf(service, 'store')),
      `${how}: the store recovers`,
    );
  }
  await sleep(0);
});

test.run();
