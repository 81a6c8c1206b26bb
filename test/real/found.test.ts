/**
 * The checks of tier 1 about processes, each failing for real with the pid of the prepared process, next to a benign process that
 * is not reported. Anything dangerous for the machine is made in separate namespaces.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SETTLED_SEC } from '../../src/checks/check.ts';
import { startActors } from '../support/actor.ts';
import { compiled } from '../support/compile.ts';
import { recheckOnce } from '../support/recheck.ts';
import { needs, testsNeeding } from '../support/require.ts';
import { startSleeper } from '../support/sleeper.ts';
import { about, causes, elsewhere, inFolder } from './scene.ts';

const test = suite('found');
const it = testsNeeding(test, 'compiler');

it('deleted-executable: a program whose file was unlinked is found, one whose file exists is not', async () => {
  await using actors = await startActors(['deleted', 'plain']);
  const seen = await recheckOnce({ checks: ['deleted-executable'] });
  const [found] = about(seen, 'deleted-executable', actors.pid(0));
  assert.equal([found?.severity, found?.evidence.fate], ['medium', 'unlinked']);
  assert.match(String(found?.evidence.executable), /\/desk-actor-\w+$/);
  assert.equal(about(seen, 'deleted-executable', actors.pid(1)), []);
});

test(
  'deleted-executable: a file whose name ends in " (deleted)" is explained',
  inFolder(async (folder) => {
    const program = join(folder, 'sleeper (deleted)');
    copyFileSync('/bin/sleep', program);
    await using sleeper = await startSleeper(program);
    const seen = await recheckOnce({ checks: ['deleted-executable'] });
    assert.equal(about(seen, 'deleted-executable', sleeper.pid), []);
    assert.equal(causes(seen, sleeper.pid), ['own-name']);
  }),
);

needs('root', 'namespaces')(test, 'deleted-executable: an upgraded program needs a restart', async () => {
  const seen = await elsewhere(
    { checks: ['deleted-executable'], sleepers: ['/opt/sleeper'], upgraded: true },
    { shell: 'mount -t tmpfs tmpfs /opt' },
  );
  const [found] = about(seen, 'deleted-executable', seen.sleepers[0] ?? 0);
  assert.equal([found?.severity, found?.evidence.executable], ['low', '/opt/sleeper']);
  assert.match(found?.remedy ?? '', /^restart sleeper /);
});

it('memfd-executable: a program that runs from memory is found, its parent is not', async () => {
  await using actors = await startActors(['memfd']);
  const seen = await recheckOnce({ checks: ['memfd-executable', 'deleted-executable'] });
  const [found] = about(seen, 'memfd-executable', actors.pid(0));
  const severity = process.geteuid?.() === 0 ? 'critical' : 'high';
  assert.equal([found?.severity, found?.evidence.executable], [severity, '/memfd:desk-actor']);
  assert.equal(about(seen, 'memfd-executable', actors.parent), []);
  // It was never a file that could have been deleted.
  assert.equal(about(seen, 'deleted-executable', actors.pid(0)), []);
});

needs('compiler', 'root')(
  test,
  'memfd-executable: a copy of runc in memory is explained for root only',
  async () => {
    const name = 'memfd=runc_cloned:/proc/self/exe';
    await using actors = await startActors([name, `uid=65534,${name}`]);
    const seen = await recheckOnce({ checks: ['memfd-executable'] });
    assert.equal(causes(seen, actors.pid(0)), ['runc']);
    assert.equal(about(seen, 'memfd-executable', actors.pid(0)), []);
    assert.is(about(seen, 'memfd-executable', actors.pid(1)).length, 1);
  },
);

test(
  'odd-executable-path: a program in a folder for temporary files is found, a system program is not',
  inFolder(async (folder) => {
    const program = join(folder, 'sleeper');
    copyFileSync('/bin/sleep', program);
    await using odd = await startSleeper(program);
    await using usual = await startSleeper('/bin/sleep');
    const seen = await recheckOnce({ checks: ['odd-executable-path'] });
    const [found] = about(seen, 'odd-executable-path', odd.pid);
    assert.equal([found?.severity, found?.evidence.executable], ['medium', program]);
    assert.equal(about(seen, 'odd-executable-path', usual.pid), []);
  }),
);

needs('root', 'namespaces')(
  test,
  'odd-executable-path: a program in a hidden folder of a home is found, that of a version manager is explained',
  async () => {
    const programs = ['/home/u/.hidden/x', '/home/u/.nvm/versions/x', '/home/u/bin/x'];
    const seen = await elsewhere(
      { checks: ['odd-executable-path'], sleepers: programs },
      { shell: 'mount -t tmpfs tmpfs /home' },
    );
    const [hidden = 0, manager = 0, plain = 0] = seen.sleepers;
    assert.is(about(seen, 'odd-executable-path', hidden)[0]?.evidence.executable, programs[0]);
    assert.equal(about(seen, 'odd-executable-path', manager), []);
    assert.equal([causes(seen, manager), causes(seen, plain)], [['version-managers'], []]);
    assert.equal(about(seen, 'odd-executable-path', plain), []);
  },
);

it(
  'name-mismatch: a process with a false name is found, one with its own name and a script are not',
  inFolder(async (folder) => {
    const name = Buffer.from('sshd').toString('hex');
    await using actors = await startActors([`name=${name}`, 'plain']);
    const path = join(folder, 'a-script');
    writeFileSync(path, '#!/bin/sh\nread line\n', { mode: 0o755 });
    const script = spawn(path, { stdio: ['pipe', 'ignore', 'ignore'] });
    const ended = once(script, 'exit');
    try {
      await once(script, 'spawn');
      // A process that ends sooner is only counted.
      await sleep(SETTLED_SEC * 1000);
      const seen = await recheckOnce({ checks: ['name-mismatch'] });
      const [found] = about(seen, 'name-mismatch', actors.pid(0));
      assert.equal([found?.severity, found?.evidence.comm], ['low', 'sshd']);
      assert.equal(about(seen, 'name-mismatch', actors.pid(1)), []);
      assert.equal(about(seen, 'name-mismatch', script.pid ?? 0), []);
    } finally {
      script.stdin.end();
      await ended;
    }
  }),
);

it('kernel-thread-impostor: a program with the name of a kernel thread is found, real kernel threads are not', async () => {
  const named = (name: string) => `name=${Buffer.from(name).toString('hex')}`;
  await using actors = await startActors([named('kworker/0:1'), named('[kthreadd]'), 'plain']);
  const seen = await recheckOnce({ checks: ['kernel-thread-impostor'] });
  const found = seen.findings.filter(({ check }) => check === 'kernel-thread-impostor');
  const pids = [actors.pid(0), actors.pid(1)];
  // Not the other actor, and no thread of this kernel.
  assert.equal(found.map(({ subject }) => subject.kind === 'process' && subject.pid).sort(), pids.sort());
  assert.equal(
    found.map(({ severity, evidence }) => [severity, /actor/.test(String(evidence.executable))]),
    [
      ['high', true],
      ['high', true],
    ],
  );
});

it('traced: a process under ptrace is found with its tracer, and the tracer is not found', async () => {
  await using actors = await startActors(['traced', 'plain']);
  const seen = await recheckOnce({ checks: ['traced'] });
  const [found] = about(seen, 'traced', actors.pid(0));
  assert.is(found?.severity, 'medium');
  const tracer = Number(found?.evidence.tracer);
  assert.ok(tracer > 1 && tracer !== actors.pid(0));
  assert.match(String(found?.evidence.tracer_executable), /actor/);
  assert.match(found?.remedy ?? '', `process ${tracer}`);
  for (const quiet of [tracer, actors.pid(1)]) assert.equal(about(seen, 'traced', quiet), []);
});

needs('compiler', 'root', 'namespaces')(test, 'traced: a crash handler is explained', async () => {
  const handler = '/opt/google/chrome/chrome_crashpad_handler';
  const copy = `mount -t tmpfs tmpfs /opt; mkdir -p ${handler.replace(/[^/]*$/, '')}; cp ${compiled('actor.cc')} ${handler}`;
  const scene = { checks: ['traced'], actors: ['traced'], actor: handler };
  const seen = await elsewhere(scene, { shell: copy });
  const [pid = 0] = seen.actors;
  assert.equal([about(seen, 'traced', pid), causes(seen, pid)], [[], ['crash-handlers']]);
});

it('fried-process: an old zombie is found, a new one is not', async () => {
  await using actors = await startActors(['zombie', 'plain']);
  const seen = await recheckOnce({ checks: ['fried-process'], law: { zombieSec: 0 } });
  const [found] = about(seen, 'fried-process', actors.pid(0));
  assert.equal([found?.severity, found?.evidence.state], ['low', 'Z']);
  assert.equal(about(seen, 'fried-process', actors.pid(1)), []);
  const fresh = await recheckOnce({ checks: ['fried-process'] });
  assert.equal(about(fresh, 'fried-process', actors.pid(0)), []);
});

needs('compiler', 'root', 'namespaces')(
  test,
  'orphan-parent: the child of a hidden process is found, and hidden-process: its parent',
  async () => {
    const rootkit = compiled('rootkit.cc', '-shared', '-fPIC', '-ldl');
    await using actors = await startActors(['plain']);
    const scene = { checks: ['orphan-parent', 'hidden-process'], slow: {}, law: { orphanSec: 0 } };
    // The other backend reads the kernel's own list, which is not manipulated.
    const env = { LD_PRELOAD: rootkit, HIDE_PIDS: String(actors.parent), DESK_BACKEND: 'procfs' };
    const seen = await elsewhere(scene, { env });
    const [orphan] = about(seen, 'orphan-parent', actors.pid(0));
    assert.equal([orphan?.severity, orphan?.evidence.parent], ['high', actors.parent]);
    const [hidden] = about(seen, 'hidden-process', actors.parent);
    assert.is(hidden?.severity, 'critical');
    assert.is(seen.findings.filter(({ check }) => check === 'hidden-process').length, 1);
    // By default a zombie this young is ignored; and without the library nothing is found.
    assert.equal(
      about(await elsewhere({ checks: ['orphan-parent'] }, { env }), 'orphan-parent', actors.pid(0)),
      [],
    );
    const honest = await recheckOnce({ checks: ['orphan-parent'], law: { orphanSec: 0 } });
    assert.equal(about(honest, 'orphan-parent', actors.pid(0)), []);
  },
);

test.run();
