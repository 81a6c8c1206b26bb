/** The checks of tier 2 on real processes: each finds the process made for it, by its pid, and no ordinary one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, unlinkSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fail } from '../../src/checks/check.ts';
import { type Actors, startActors } from '../support/actor.ts';
import { law } from '../support/peek.ts';
import { needs, testsNeeding } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { inspectThisMachine } from './peeking.ts';
import { makeHome, runDesk, startService, until } from './running.ts';

const test = suite('tier 2');

/** Every deleted library counts at once. */
const strict = { ...law, librarySec: 0 };
const asRoot = process.geteuid?.() === 0;
/** For a process of our own. */
const preload = asRoot ? 'critical' : 'medium';

interface Started extends Disposable {
  readonly pid: number;
}

/** A program of the test; it ends with the test, together with everything it started. */
async function started(
  command: string,
  args: readonly string[],
  {
    env = {},
    stdio = 'ignore',
  }: { env?: Record<string, string>; stdio?: 'ignore' | ('ignore' | Socket)[] } = {},
): Promise<Started> {
  const child: ChildProcess = spawn(command, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: stdio as 'ignore',
    detached: true,
  });
  await once(child, 'spawn');
  const pid = child.pid as number;
  return {
    pid,
    [Symbol.dispose]: () => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGKILL');
    },
  };
}

test('preload-environment: a process started with LD_PRELOAD, LD_AUDIT or LD_LIBRARY_PATH is found', async () => {
  await using machine = inspectThisMachine();
  using loaded = await started('sleep', ['60'], { env: { LD_PRELOAD: 'libm.so.6', SECRET: 'hunter2' } });
  using path = await started('sleep', ['60'], { env: { LD_LIBRARY_PATH: '/nowhere' } });
  using quiet = await started('sleep', ['60'], { env: { LD_PRELOAD: '', LD_DEBUG_OUTPUT: '/nowhere' } });
  const seen = await machine.inspect();
  assert.equal(seen.unexplained(loaded.pid), [`preload-environment ${preload} preload`]);
  assert.equal(seen.unexplained(path.pid), [
    `preload-environment ${asRoot ? 'high' : 'medium'} library-path`,
  ]);
  assert.equal(seen.of(quiet.pid), []);
  assert.equal(seen.fails(loaded.pid)[0]?.evidence, { LD_PRELOAD: 'libm.so.6' });
  assert.not.match(JSON.stringify(seen.fails(loaded.pid)), /hunter2/);
});

const it = testsNeeding(test, 'compiler');

it('writable-code: writable, anonymous or memfd code is found, and an ordinary program has none', async () => {
  await using machine = inspectThisMachine();
  const words = [
    'code=writable',
    'code=anonymous',
    'code=memfd',
    'plain',
    'thread=plain,code=anonymous,exited-leader',
  ];
  await using actors = await startActors(words);
  const seen = await machine.inspect();
  const of = (subject: number) => seen.unexplained(actors.pid(subject));
  assert.equal(of(0), ['writable-code medium writable']);
  assert.equal(of(1), ['writable-code medium anonymous']);
  assert.equal(of(2), ['writable-code medium memfd']);
  assert.equal(of(3), []);
  // The leader's own files are empty: a living thread is read instead.
  assert.equal(of(4), ['writable-code medium anonymous']);
  // A JIT runtime is explained by its name.
  assert.ok(seen.of(process.pid).length === 0 || seen.unexplained(process.pid).length === 0);
});

needs('compiler', 'root')(
  test,
  'overwritten-image: code without a file at the address of a program is found',
  async () => {
    await using machine = inspectThisMachine();
    await using actors = await startActors(['code=image', 'code=anonymous']);
    const seen = await machine.inspect();
    assert.equal(seen.unexplained(actors.pid(0)), [
      'overwritten-image high',
      'writable-code medium anonymous',
    ]);
    assert.equal(seen.unexplained(actors.pid(1)), ['writable-code medium anonymous']);
  },
);

it('deleted-library: a library that was deleted or replaced while its process runs is found', async () => {
  const folder = tempFolder('desk-library-');
  const place = (name: string) => join(folder, name);
  for (const name of ['gone.so', 'upgraded.so', 'kept.so']) copyFileSync('/bin/true', place(name));
  await using machine = inspectThisMachine(strict);
  await using actors = await startActors(
    ['gone.so', 'upgraded.so', 'kept.so'].map((name) => `library=${place(name)}`),
  );
  unlinkSync(place('gone.so'));
  unlinkSync(place('upgraded.so'));
  copyFileSync('/bin/true', place('upgraded.so'));
  const seen = await machine.inspect();
  assert.equal(seen.unexplained(actors.pid(0)), ['deleted-library low gone']);
  assert.match(seen.fails(actors.pid(0))[0]?.summary ?? '', /gone\.so \(deleted\)/);
  assert.equal(seen.of(actors.pid(1)), ['deleted-library low replaced']);
  assert.equal(seen.unexplained(actors.pid(1)), []);
  assert.equal(seen.of(actors.pid(2)), []);
  // A process that has just started may load a library while a package manager works.
  await using patient = inspectThisMachine({ ...law, librarySec: 3600 });
  assert.equal((await patient.inspect()).of(actors.pid(0)), []);
});

it('deleted-library: a program whose own file was deleted is not a finding', async () => {
  await using machine = inspectThisMachine(strict);
  await using actors: Actors = await startActors(['deleted']);
  assert.equal((await machine.inspect()).of(actors.pid(0)), []);
});

/** The two ends of a connection on loopback. */
async function connection(): Promise<{ near: Socket; far: string; close: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [[far]] = await Promise.all([accepted, once(near, 'connect')]);
  return {
    near,
    far: `127.0.0.1:${near.remotePort}`,
    close: () => {
      near.destroy();
      far.destroy();
      server.close();
    },
  };
}

test('shell-on-socket: a shell whose input is a TCP socket or a local socket is found', async () => {
  const { near, far, close } = await connection();
  try {
    await using machine = inspectThisMachine();
    using shell = await started('/bin/sh', ['-c', 'sleep 60; :'], { stdio: [near, 'ignore', 'ignore'] });
    using program = await started('sleep', ['60'], { stdio: ['ignore', near, 'ignore'] });
    // Node's own pipes are local sockets.
    const local = spawn('/bin/sh', ['-c', 'read line'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const seen = await machine.inspect();
    assert.equal(seen.unexplained(shell.pid), ['shell-on-socket critical shell']);
    const { evidence, summary } = seen.fails(shell.pid)[0] as Fail;
    assert.match(String(evidence.sockets), /^0 socket:\[\d+\] TCP$/);
    assert.is(evidence.peer, far);
    assert.is(evidence.descriptors, `fd 0 → ${far}`);
    assert.match(summary, new RegExp(`input connected to ${far}$`));
    assert.equal(seen.unexplained(program.pid), ['shell-on-socket high program']);
    assert.equal(seen.of(local.pid as number), []);
    local.stdin.end();
  } finally {
    close();
  }
});

needs('root', 'namespaces')(
  test,
  'clipboard-reader, camera-or-microphone: holders of input devices, cameras and microphones are found',
  async () => {
    await using machine = inspectThisMachine();
    const nodes = [
      '/dev/input/event0',
      '/dev/video0',
      '/dev/snd/pcmC0D0c',
      '/dev/snd/pcmC0D0p',
      '/dev/input/mice',
    ];
    // Nodes with these names that are really the null device, in a separate /dev.
    const make = `mount -t tmpfs none /dev && mkdir /dev/input /dev/snd && for node in ${nodes.join(' ')}; do mknod $node c 1 3; done`;
    const holding = (node: string) =>
      started('unshare', [
        '--mount',
        '--propagation',
        'private',
        'sh',
        '-c',
        `${make} && exec sleep 60 3<${node}`,
      ]);
    using keys = await holding('/dev/input/event0');
    using camera = await holding('/dev/video0');
    using microphone = await holding('/dev/snd/pcmC0D0c');
    using loudspeaker = await holding('/dev/snd/pcmC0D0p');
    using mouse = await holding('/dev/input/mice');
    const seen = await until(async () => {
      const now = await machine.inspect();
      return (
        now.of(keys.pid).length > 0 &&
        now.of(camera.pid).length > 0 &&
        now.of(microphone.pid).length > 0 &&
        now
      );
    }, 'the holders of devices');
    assert.equal(seen.unexplained(keys.pid), ['clipboard-reader medium input-device']);
    assert.equal(seen.unexplained(camera.pid), ['camera-or-microphone low camera']);
    assert.equal(seen.unexplained(microphone.pid), ['camera-or-microphone low microphone']);
    assert.equal(seen.of(loudspeaker.pid), []);
    assert.equal(seen.of(mouse.pid), []);
  },
);

test('clipboard-reader: a clipboard tool is found', async () => {
  const folder = tempFolder('desk-clipboard-');
  // The program is recognised by its name: any program will do.
  copyFileSync('/bin/sleep', join(folder, 'xclip'));
  await using machine = inspectThisMachine();
  using tool = await started(join(folder, 'xclip'), ['60']);
  assert.equal((await machine.inspect()).unexplained(tool.pid), ['clipboard-reader medium clipboard-tool']);
});

it('unreadable-process: a process that erased its command line is found', async () => {
  await using machine = inspectThisMachine();
  await using actors = await startActors(['silent', 'plain']);
  const seen = await machine.inspect();
  assert.equal(seen.unexplained(actors.pid(0)), ['unreadable-process low empty-command-line']);
  assert.equal(seen.of(actors.pid(1)), []);
});

test('processes that an ordinary user may not read are blind, with a cure; root reads all', async () => {
  await using machine = inspectThisMachine();
  const { notes } = await machine.inspect();
  const refused = notes.filter(
    ({ reason }) => reason === 'the memory files of some processes may not be read',
  );
  if (asRoot) return;
  assert.ok(refused.some(({ check }) => check === 'writable-code'));
  assert.ok(refused.every(({ cure }) => /root/.test(cure)));
});

test('processes that end while they are checked leave no entries behind', async () => {
  await using machine = inspectThisMachine();
  await machine.inspect();
  const short = Array.from({ length: 60 }, () =>
    started('sleep', ['0.02'], { env: { LD_LIBRARY_PATH: '/nowhere' } }),
  );
  const pids = (await Promise.all(short)).map(({ pid }) => pid);
  await machine.inspect();
  const later = await until(async () => {
    const now = await machine.inspect();
    return pids.every((pid) => now.of(pid).length === 0) && now;
  }, 'the findings of ended processes to go');
  assert.ok(pids.every((pid) => later.of(pid).length === 0));
});

test('a local command reads processes too (--local)', async () => {
  using home = await makeHome();
  using loaded = await started('sleep', ['60'], { env: { LD_AUDIT: '/nowhere.so' } });
  const { stdout, stderr } = await runDesk(home, ['findings', '--local', '--json']);
  const { findings } = JSON.parse(stdout || `{"findings":"${stderr}"}`);
  const found = findings.filter((one: { check: string }) => one.check === 'preload-environment');
  assert.ok(
    found.some((one: { subject: { pid: number } }) => one.subject.pid === loaded.pid),
    JSON.stringify(findings),
  );
});

test('the service finds a process that starts while it runs, and closes the finding when the process ends', async () => {
  const home = await makeHome('[loop]\nperiod_ms = 200\n');
  await using service = await startService(home);
  const about = async (pid: number) => {
    const { json } = await service.get('/detection');
    return json.findings.find(
      (one: { check: string; subject: { pid: number } }) =>
        one.check === 'preload-environment' && one.subject.pid === pid,
    );
  };
  const loaded = await started('sleep', ['60'], { env: { LD_PRELOAD: 'libm.so.6' } });
  try {
    const found = await until(() => about(loaded.pid), 'the finding');
    assert.is(found.severity, preload);
    assert.is(found.avenue, 'inject_clip');
  } finally {
    loaded[Symbol.dispose]();
  }
  await until(async () => !(await about(loaded.pid)), 'the finding to close');
  assert.is((await service.get('/readyz')).json.parts.peek.ok, true);
  assert.match((await service.get('/metrics')).text, /^desk_peeks_total [1-9]/m);
  assert.is(await service.stop(), 0);
});

needs('root', 'port 443 free')(
  test,
  'off-list-egress: a connection of a desk process that is not on the allowlist is found, an allowed one is not',
  async () => {
    const folder = tempFolder('desk-egress-');
    const servers = ['127.0.0.1', '127.0.0.2'].map((host) => createServer().listen(443, host));
    try {
      await Promise.all(servers.map((server) => once(server, 'listening')));
      const program = join(folder, 'egress-client');
      copyFileSync('/bin/sleep', program);
      const connected = (host: string) =>
        started('bash', ['-c', `exec 3<>/dev/tcp/${host}/443 && exec "$0" 60`, program]);
      using allowed = await connected('127.0.0.1');
      using outside = await connected('127.0.0.2');
      const home = await makeHome(
        `[loop]\nperiod_ms = 200\n[egress]\nallow = ["localhost:443"]\nprocesses = ["${program}"]\n`,
      );
      await using service = await startService(home);
      const found = await until(async () => {
        const { findings } = (await service.get('/detection')).json;
        const about = findings.filter((one: { check: string }) => one.check === 'off-list-egress');
        return about.length > 0 && about;
      }, 'the finding');
      assert.equal(
        found.map((one: { subject: { pid: number }; severity: string }) => [one.subject.pid, one.severity]),
        [[outside.pid, 'high']],
      );
      assert.is.not(found[0].subject.pid, allowed.pid);
      assert.match(found[0].summary, /127\.0\.0\.2:443/);
    } finally {
      for (const server of servers) server.close();
    }
  },
);

test.run();
