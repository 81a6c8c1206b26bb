/** A learned program whose file has changed, as a real service finds it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needs } from '../support/require.ts';
import { makeHome, runDesk, type Service, startService, until } from './running.ts';

const test = suite('changed programs, for real');
const quick = '[loop]\nmode = "poll"\nperiod_ms = 200\n';

/** Runs a copy of a small program that waits. */
async function start(path: string): Promise<ChildProcess & AsyncDisposable> {
  const child = spawn(path, ['300'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const dispose = async () => {
    const ended = once(child, 'exit');
    if (child.kill('SIGKILL')) await ended;
  };
  return Object.assign(child, { [Symbol.asyncDispose]: dispose });
}

interface Finding {
  readonly check: string;
  readonly severity: string;
  readonly scar: boolean;
  readonly subject: { readonly path?: string };
  readonly evidence: Readonly<Record<string, string | number>>;
  readonly remedy: string;
}

const changed = async (service: Service, path: string): Promise<Finding | undefined> =>
  ((await service.get('/detection')).json.findings as Finding[]).find(
    ({ check, subject }) => check === 'changed-program' && subject.path === path,
  );

/** Other activity on this machine may be a scar that forbids learning. */
const learn = (service: Service) =>
  until(async () => (await service.post('/learn', {}, service.bearer)).status === 200, 'learning', 60_000);

needs('root')(
  test,
  'an overwritten learned program is a scar of its path, shown with old and new content, and ends when it is learned',
  async () => {
    mkdirSync('/opt', { recursive: true });
    const folder = mkdtempSync('/opt/desk-changed-');
    const path = join(folder, 'program');
    try {
      copyFileSync('/bin/sleep', path);
      await using first = await start(path);
      await using service = await startService(await makeHome(quick));
      await until(
        async () => (await service.get('/status')).json.iron.adjoin !== null,
        'the first use',
        60_000,
      );
      assert.is(await changed(service, path), undefined);

      // Another file, installed as a package manager does.
      copyFileSync('/bin/sleep', join(folder, 'next'));
      appendFileSync(join(folder, 'next'), 'other content');
      renameSync(join(folder, 'next'), path);
      await using second = await start(path);
      await using third = await start(path);
      const both = `${Math.min(second.pid ?? 0, third.pid ?? 0)}, ${Math.max(second.pid ?? 0, third.pid ?? 0)}`;
      const found = await until(async () => {
        const one = await changed(service, path);
        return one?.evidence.processes === both ? one : undefined;
      }, 'the changed program, once for its path, without the process that runs the old content');
      assert.is(found.check, 'changed-program');
      assert.is(found.severity, 'medium');
      assert.ok(found.scar);
      assert.match(found.remedy, 'desk secure learn once');
      assert.ok(first.pid !== undefined);

      const { changed: rows } = (await service.get('/baseline/diff')).json as {
        changed: {
          text: string;
          learned: { size: number; sha256: string };
          running: { size: number; sha256: string };
        }[];
      };
      const row = rows.find(({ text }) => text === path);
      assert.match(row?.learned.sha256 ?? '', /^[0-9a-f]{64}$/);
      assert.is((row?.learned.size ?? 0) + 'other content'.length, row?.running.size);
      assert.is.not(row?.learned.sha256, row?.running.sha256);
      assert.match((await runDesk(service.home, ['baseline', 'diff'])).stdout, /changed content/);

      await learn(service);
      await until(async () => (await changed(service, path)) === undefined, 'the end of the finding');
      assert.not.ok(
        ((await service.get('/baseline/diff')).json.changed as { text: string }[]).some(
          ({ text }) => text === path,
        ),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test.run();
