/**
 * Processes and ports that are hidden for real. A process is hidden from one reader by `support/rootkit.cc`, preloaded into that
 * reader only, or by a mount over its folder on a separate proc in a private mount namespace. A socket that the kernel's table
 * leaves out cannot be made without a kernel module: the same rootkit removes it from the kernel's answer.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type HiddenPidReport, sweepHiddenPids } from '../../src/engine/hidden-pids.ts';
import { type HiddenPortReport, sweepHiddenPorts } from '../../src/engine/hidden-ports.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { Pool } from '../../src/engine/pool.ts';
import { startActors } from '../support/actor.ts';
import { cli } from '../support/cli.ts';
import { compiled } from '../support/compile.ts';
import { programWords } from '../support/entry.ts';
import { expect } from '../support/expect.ts';
import { needs, ordinaryUser, projectRoot, testsNeeding } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { patientMs } from '../support/time-limit.ts';

const test = suite('hidden');
const it = testsNeeding(test, 'compiler');
const node = [process.execPath, ...programWords('../support/hidden-sweep.ts', import.meta.url)];
const run = promisify(execFile);

interface Reader {
  /** Words that precede the command. */
  readonly under?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** Runs the script and returns the reports that it prints. */
async function read<T>(args: readonly string[], { under = [], env = {}, user }: Reader = {}): Promise<T[]> {
  const [program = '', ...rest] = [...under, ...node, ...args];
  const { stdout } = await run(program, rest, {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: '/tmp', ...env },
    maxBuffer: 1 << 26,
    timeout: patientMs(120_000),
    ...user,
  });
  return JSON.parse(stdout) as T[];
}

const rootkit = () => compiled('rootkit.cc', '-shared', '-fPIC', '-ldl');
const deceived = (hide: Readonly<Record<string, string>>): Reader => ({
  env: { LD_PRELOAD: rootkit(), ...hide },
});
const pidsOf = ({ found }: HiddenPidReport) => found.map(({ pid }) => pid);

/** About 1,000 forks a second; `stop` returns how many there were. */
async function startStorm() {
  const child = spawn(compiled('storm.cc'), ['1000'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child.stdout, 'data');
  return {
    async stop(): Promise<number> {
      child.stdin.end();
      await once(child, 'close');
      return Number(output.split('\n')[1]);
    },
  };
}

it('all of 50 processes missing from the listing are found during constant forks, and no others', async () => {
  await using farm = await startActors(['farm=50', 'farm=50']);
  const [victims = []] = farm.pids;
  const storm = await startStorm();
  const reports = await read<HiddenPidReport>(
    ['pid', '/proc', '80'],
    deceived({ HIDE_PIDS: victims.join(',') }),
  ).finally(async () => assert.ok((await storm.stop()) > 500));
  const wanted = [...victims].sort((one, other) => one - other);
  for (const report of reports) {
    assert.ok(report.judged);
    assert.equal(report.blind, []);
    assert.equal(pidsOf(report), wanted);
    for (const { form, seenBy, folder, comm, start } of report.found) {
      assert.equal(
        { form, seenBy, folder },
        { form: 'unlisted', seenBy: ['getsid', 'pidfd_open'], folder: 'opens' },
      );
      assert.ok(comm !== null && comm.length > 0 && Number(start) > 0);
    }
  }
  // The forks must have interfered: some of the children were suspects.
  assert.ok(reports.some(({ counts }) => counts.suspects > victims.length));
});

/** Runs the script with a new proc mounted on a temporary folder, after shell commands that may use it as $proc. */
function overFreshProc(folder: string, setup: string, passes: number): Promise<HiddenPidReport[]> {
  const proc = join(folder, 'proc');
  mkdirSync(proc);
  const shell = `set -e; proc=${proc}; mount -t proc proc $proc; ${setup}; exec "$@"`;
  const under = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', shell, 'sh'];
  return read<HiddenPidReport>(['pid', proc, String(passes)], { under });
}

function inFolder(work: (folder: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const folder = tempFolder('desk-hidden-');
    await work(folder);
  };
}

needs('compiler', 'root', 'namespaces')(
  test,
  'all of 50 processes with a mount over their folder are found during constant forks, and no others',
  inFolder(async (folder) => {
    await using farm = await startActors(['farm=50', 'farm=50']);
    const [victims = []] = farm.pids;
    mkdirSync(join(folder, 'cover'));
    const cover = `for pid in ${victims.join(' ')}; do mount --bind ${folder}/cover $proc/$pid; done`;
    const storm = await startStorm();
    const reports = await overFreshProc(folder, cover, 6).finally(() => storm.stop());
    for (const report of reports) {
      assert.ok(report.judged);
      assert.equal(
        pidsOf(report),
        [...victims].sort((one, other) => one - other),
      );
      for (const { form, folder: shown, throughFreshProc, comm, start } of report.found) {
        assert.equal(
          { form, shown, throughFreshProc },
          { form: 'covered', shown: 'covered', throughFreshProc: true },
        );
        assert.ok(comm !== null && comm.length > 0 && Number(start) > 0);
      }
    }
  }),
);

needs('compiler', 'root')(
  test,
  'a process whose folder is also unreadable is described through a separate proc',
  async () => {
    await using actors = await startActors(['plain']);
    const pid = actors.pid(0);
    const hide = { HIDE_PIDS: String(pid), HIDE_FOLDERS: '1' };
    const [report] = await read<HiddenPidReport>(['pid'], deceived(hide));
    const [found] = report?.found ?? [];
    const start = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /, '')
      .split(' ')[19];
    assert.is(report?.found.length, 1);
    assert.equal(
      [found?.pid, found?.folder, found?.throughFreshProc, found?.start],
      [pid, 'closed', true, start],
    );
    assert.match(found?.exe ?? '', /actor/);
  },
);

it('zombies are not reported, a process that outlives its leader is', async () => {
  await using actors = await startActors(['zombie', 'exited-leader', 'thread=plain']);
  const [zombie, leaderless, threaded] = [actors.pid(0), actors.pid(1), actors.pid(2)];
  const hide = { HIDE_PIDS: [zombie, leaderless, threaded].join(',') };
  const [report] = await read<HiddenPidReport>(['pid'], deceived(hide));
  assert.equal(
    report && pidsOf(report),
    [leaderless, threaded].sort((one, other) => one - other),
  );
});

const asUser = ['compiler', 'root', 'tree readable by others'] as const;

needs(...asUser)(
  test,
  'an ordinary user finds the same, and the ports that may not be bound are reported',
  async () => {
    await using actors = await startActors(['plain', 'uid=65534']);
    const pids = [actors.pid(0), actors.pid(1)].sort((one, other) => one - other);
    const reader = { ...deceived({ HIDE_PIDS: pids.join(',') }), user: ordinaryUser };
    const [report] = await read<HiddenPidReport>(['pid'], reader);
    assert.equal(report && pidsOf(report), pids);
    const [ports] = await read<HiddenPortReport>(['port'], { user: ordinaryUser });
    const first = Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'latin1'));
    assert.is(ports?.judged, true);
    assert.is(ports?.counts.refused, 2 * (first - 1));
    assert.is(ports?.blind.length, first > 1 ? 2 : 0);
    assert.equal(ports?.found, []);
  },
);

/** In a separate pid namespace, where a mount option cannot affect other processes. */
const inPidNamespace = (shell: string) => [
  'unshare',
  '--pid',
  '--fork',
  '--mount',
  '--propagation',
  'private',
  'sh',
  '-c',
  `${shell}; exec "$@"`,
  'sh',
];

needs('root', 'namespaces', 'tree readable by others')(
  test,
  'the mount option hidepid makes an ordinary user blind, but not root, and gives no findings',
  inFolder(async (folder) => {
    const mount = `mount -t proc -o hidepid=2 proc ${folder}; sleep 100 & sleep 100 &`;
    const asNobody = `${mount} set -- setpriv --reuid=65534 --regid=65534 --clear-groups "$@"`;
    const [blind] = await read<HiddenPidReport>(['pid', folder], { under: inPidNamespace(asNobody) });
    assert.equal(blind?.found, []);
    assert.is(blind?.counts.hiddenByOption, 2);
    assert.match(blind?.blind.join() ?? '', 'hidepid');
    const [seeing] = await read<HiddenPidReport>(['pid', folder], { under: inPidNamespace(`${mount} true`) });
    assert.equal([seeing?.found, seeing?.blind, seeing?.counts.hiddenByOption], [[], [], 0]);
  }),
);

needs('compiler', 'root', 'namespaces')(
  test,
  'in a pid namespace its own proc is judged, and that of the host is refused',
  inFolder(async (folder) => {
    const own = `mount -t proc proc ${folder}; sleep 100 & HIDE_PIDS=$!; export HIDE_PIDS; export LD_PRELOAD=${rootkit()}`;
    const [report] = await read<HiddenPidReport>(['pid', folder], { under: inPidNamespace(own) });
    assert.is(report?.judged, true);
    expect(report?.found.map(({ comm }) => comm)).equals(['sleep']);
    assert.ok((report?.counts.listed ?? 99) < 20);
    const [other] = await read<HiddenPidReport>(['pid', '/proc'], { under: inPidNamespace('true') });
    assert.equal([other?.judged, other?.found], [false, []]);
    assert.match(other?.blind.join() ?? '', 'another pid namespace');
  }),
);

test('a folder that is not a proc is refused', async () => {
  const [report] = await read<HiddenPidReport>(['pid', tmpdir()]);
  assert.equal([report?.judged, report?.found], [false, []]);
  assert.match(report?.blind[0] ?? '', 'not a proc file system');
});

/** A listener, an open connection and one in TIME_WAIT on the server's port and on the client's. */
async function connections() {
  const server = createServer({ allowHalfOpen: false }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ends = (closer: 'server' | 'client') =>
    new Promise<void>((done) => {
      server.once('connection', (socket) => {
        socket.on('error', () => {}).on('data', () => {});
        if (closer === 'server') socket.end();
        else socket.on('end', () => socket.end());
      });
      const client = connect(port, '127.0.0.1', () => closer === 'client' && client.end());
      client.on('data', () => {}).on('close', () => done());
    });
  await ends('server');
  await ends('client');
  const open = connect(port, '127.0.0.1');
  await once(open, 'connect');
  return {
    port,
    local: (open.address() as AddressInfo).port,
    async close() {
      open.destroy();
      await once(server.close(), 'close');
    },
  };
}

it('a port removed from the table is found; TIME_WAIT, connections and bound sockets are not', async () => {
  await using bound = await startActors(['listen']);
  assert.ok(bound.pid(0) > 0);
  const sockets = await connections();
  try {
    const waiting = readFileSync('/proc/net/tcp', 'latin1')
      .split('\n')
      .filter((line) => / 06 /.test(line.slice(30, 40)));
    assert.ok(waiting.length > 0, 'a connection in TIME_WAIT');
    const [honest] = await read<HiddenPortReport>(['port']);
    assert.equal([honest?.judged, honest?.found, honest?.unsure], [true, [], []]);
    assert.ok((honest?.counts.taken ?? 0) >= 2);
    const [report] = await read<HiddenPortReport>(['port'], deceived({ HIDE_PORT: String(sockets.port) }));
    assert.equal(report?.found, [
      { protocol: 'tcp', port: sockets.port, addresses: ['127.0.0.1'], scope: 'loopback' },
    ]);
    const [outgoing] = await read<HiddenPortReport>(['port'], deceived({ HIDE_PORT: String(sockets.local) }));
    expect(outgoing?.found.map(({ port }) => port)).equals([sockets.local]);
  } finally {
    await sockets.close();
  }
});

test('a cancelled sweep rejects with the reason, and the workers are free again', async () => {
  const { addon: native } = loadNative();
  const pool = new Pool(2, native.mark);
  const root = native.openRoot('/proc') as number;
  try {
    for (const sweep of [
      (options: Parameters<typeof sweepHiddenPorts>[1]) => sweepHiddenPorts({ native, pool }, options),
      (options: Parameters<typeof sweepHiddenPorts>[1]) =>
        sweepHiddenPids({ native, pool, root }, { ...options, all: true }),
    ]) {
      const stop = new AbortController();
      const seen: number[] = [];
      let total = 0;
      const swept = sweep({
        signal: stop.signal,
        onProgress: (progress) => {
          seen.push(progress.done);
          total = progress.total;
          if (seen.length === 3) stop.abort(new Error('enough'));
        },
      });
      await swept.then(
        () => assert.unreachable('it was cancelled'),
        (error: Error) => assert.is(error.message, 'enough'),
      );
      // Each worker may finish one more batch.
      assert.ok(seen.length <= 3 + pool.workers && (seen.at(-1) ?? 0) < total);
      assert.equal(
        seen,
        [...seen].sort((one, other) => one - other),
      );
      const after = seen.length;
      assert.ok((await sweepHiddenPids({ native, pool, root })).judged);
      assert.is(seen.length, after);
    }
  } finally {
    native.closeRoot(root);
    await pool.close(2000);
  }
});

test('desk hidden reports a clean machine, and Ctrl-C ends it without a verdict', async () => {
  const clean = await cli(['hidden', 'pid', '--json']);
  assert.equal([clean.code, clean.err], [0, '']);
  assert.is(JSON.parse(clean.out).word, 'H7_HIDDEN_PID');
  const shown = await cli(['hidden', 'port']);
  assert.is(shown.code, 0);
  assert.match(shown.out, /^Hidden ports {2}none/);
  const running = cli(['hidden', 'pid', '--all']);
  while (process.listenerCount('SIGINT') === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  process.emit('SIGINT');
  const { code, out, err } = await running;
  assert.equal([code, out], [4, '']);
  assert.match(err, 'Cancelled');
  assert.is(process.listenerCount('SIGINT'), 0);
  assert.is((await cli(['hidden', 'port', '--all'])).code, 2);
});

needs('bpf')(
  test,
  "desk hidden pid uses the kernel's task iterator in addition to /proc and the system calls",
  async () => {
    const { code, out } = await cli(['hidden', 'pid', '--json']);
    const report = JSON.parse(out) as HiddenPidReport;
    const iterator = report.probes.find(({ id }) => id === 'iterator');
    assert.equal([code, iterator?.works, report.found], [0, true, []]);
  },
);

test.run();
