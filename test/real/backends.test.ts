/**
 * The two backends compared on the same machine: every column of every process that did not change is equal, for a thousand
 * processes and one of every unusual kind.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { textOf } from '../../src/engine/bytes.ts';
import { allocate, columnsOver } from '../../src/engine/native/columns.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { FACT, type TaskSweep } from '../../src/engine/native/types.ts';
import { Engine } from '../../src/engine/sweep.ts';
import { startActors } from '../support/actor.ts';
import { programWords } from '../support/entry.ts';
import { expect } from '../support/expect.ts';
import { missing, needs, ordinaryUser, projectRoot, testsNeeding } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { differences, type Rows, Sweeper } from './rows.ts';

const FARM = 1000;
const ROUNDS = 3;
const PF_WQ_WORKER = 0x20;

const test = suite<{ sweeper: Sweeper }>('backends');
const it = testsNeeding(test, 'bpf');
test.before((context) => {
  context.sweeper = new Sweeper(loadNative().addon);
});
test.after(({ sweeper }) => sweeper.close());

const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex');

/** Every kind of process that the sweep distinguishes. */
function subjects(): string[] {
  const kinds = [
    ...'plain nnp filter nnp,filter strict drop nnp,drop tty daemon deleted listen traced'.split(' '),
    ...['uid=65534', 'euid=65534', 'uid=4294967294', 'nnp,drop,uid=65534', 'zombie', 'uid=1000,zombie'],
    ...[
      'thread=filter',
      'thread=nnp',
      'thread=filter,nnp,filter',
      'thread=plain,nnp,filter',
      'thread=filter,thread=plain,nnp,filter',
    ],
    ...[
      'exited-leader',
      'nnp,filter,exited-leader',
      'thread=filter,nnp,filter,exited-leader',
      'uid=65534,exited-leader',
    ],
    ...['thread=plain,nnp,filter,exited-leader', 'thread=plain,thread=filter,nnp,filter,exited-leader'],
    ...[') R 1 (', 'a b  c', 'x\ny', '\u001b[31mred', '\xff\xfe\x80', '((((', ')', ' ', ''].map(
      (name) => `name=${hex(name)}`,
    ),
  ];
  if (missing('namespaces') === null) {
    kinds.push('unshare=mnt', 'unshare=net', 'unshare=pid', 'unshare=pid+mnt', 'unshare=net,thread=plain');
    kinds.push('unshare=mnt,exited-leader', 'unshare=pid,exited-leader', 'unshare=net,zombie');
  }
  if (missing('user namespaces') === null) {
    kinds.push(
      'unshare=user',
      'unshare=user+net,nnp,filter',
      'unshare=user+pid+mnt+net',
      'unshare=user,thread=plain',
    );
  }
  return [...kinds, `farm=${FARM}`];
}

const columnOf = (difference: string) => difference.slice(0, difference.indexOf(':'));
const pidOf = (difference: string) => Number.parseInt(difference, 10);

/** Differences between the backends in columns that did not change meanwhile; shorter names of workqueue threads are left out. */
function steadyDifferences(sweeper: Sweeper, listed: boolean) {
  const before = sweeper.procfs();
  const swept = sweeper.bpf(listed);
  const after = sweeper.procfs();
  const moved = new Set(differences(before, after).map(columnOf));
  const found = differences(before, swept).filter((difference) => !moved.has(columnOf(difference)));
  const relevant = found.filter((difference) => {
    const row = before.get(pidOf(difference));
    if (!columnOf(difference).endsWith(' comm') || (Number(row?.flags) & PF_WQ_WORKER) === 0) return true;
    // "kworker/0:1-events" in /proc, "kworker/0:1" in the kernel's task.
    const name = (swept.get(pidOf(difference))?.comm ?? '?').replace(/(00)+$/, '');
    return !row?.comm?.startsWith(name);
  });
  const lasting = [...before.keys()].filter((pid) => after.get(pid)?.start === before.get(pid)?.start);
  return { before, swept, found: relevant, absent: lasting.filter((pid) => !swept.has(pid)) };
}

needs('bpf', 'compiler')(
  test,
  `every column of ${FARM} processes and of every unusual kind is the same`,
  async ({ sweeper }) => {
    await using actors = await startActors(subjects());
    const mine = new Set(actors.pids.flat());
    assert.ok(mine.size > FARM);
    const others: Set<string>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      // Where there are two iterators, each of them.
      sweeper.addon.forceSeqFile(round % 2 === 1);
      const { before, swept, found, absent } = steadyDifferences(sweeper, round % 2 === 0);
      expect(found.filter((difference) => mine.has(pidOf(difference)))).equals([], `round ${round}`);
      assert.equal(absent, [], `round ${round}: /proc shows them, the iterator's sweep does not`);
      for (const pid of mine) assert.ok(before.has(pid) && swept.has(pid), `${pid} is in neither`);
      // Other processes may run while they are checked: only a difference in every round is an error.
      others.push(new Set(found.map(columnOf)));
    }
    sweeper.addon.forceSeqFile(false);
    const [first = new Set<string>(), ...rest] = others;
    expect([...first].filter((column) => rest.every((round) => round.has(column)))).equals([]);
    // The kinds must be present: equal empty columns would prove nothing.
    const kinds = sweeper.bpf(false);
    const seen = (column: string) => new Set([...mine].map((pid) => kinds.get(pid)?.[column]));
    for (const column of [
      'uid',
      'euid',
      'tty',
      'state',
      'threads',
      'tracer',
      'seccomp',
      'noNewPrivs',
      'capBnd',
      'wrapState',
      'nsNet',
    ]) {
      assert.ok(seen(column).size > 1, column);
    }
  },
);

/** A column of one process from both backends. */
function both(sweeper: Sweeper, pid: number, column: string): [string | undefined, string | undefined] {
  return [sweeper.bpf(false).get(pid)?.[column], sweeper.procfs().get(pid)?.[column]];
}

it('a cached executable path follows renaming, unlinking and exec at once', async ({ sweeper }) => {
  const folder = tempFolder('desk-backends-');
  const program = join(folder, 'before');
  copyFileSync('/bin/sh', program);
  const child = spawn(program, ['-c', 'echo up; read line; exec sleep 600'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const pid = child.pid as number;
  try {
    await once(child.stdout, 'data');
    assert.equal(both(sweeper, pid, 'exe'), [program, program]);
    renameSync(program, join(folder, 'after'));
    assert.equal(both(sweeper, pid, 'exe'), [join(folder, 'after'), join(folder, 'after')]);
    unlinkSync(join(folder, 'after'));
    assert.equal(both(sweeper, pid, 'exe'), [
      join(folder, 'after (deleted)'),
      join(folder, 'after (deleted)'),
    ]);
    const old = sweeper.bpf(false).get(pid)?.identity;
    child.stdin.write('\n');
    await until(() => sweeper.procfs().get(pid)?.comm?.startsWith(hex('sleep')) === true, 'the other name');
    const [exe, expected] = both(sweeper, pid, 'exe');
    assert.is(exe, expected);
    assert.match(exe ?? '', /^\/.*\/(sleep|coreutils)$/);
    const [identity, same] = both(sweeper, pid, 'identity');
    assert.is(identity, same);
    assert.is.not(identity, old);
  } finally {
    child.kill('SIGKILL');
  }
});

it('a cached control group follows a move at once', async ({ sweeper }) => {
  const hierarchy = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].find((path) =>
    existsSync(join(path, 'cgroup.procs')),
  );
  const group = hierarchy && join(hierarchy, `desk-test-${process.pid}`);
  const child = spawn('sleep', ['600']);
  const pid = child.pid as number;
  try {
    assert.is(...both(sweeper, pid, 'cgroup'));
    if (group === undefined) return;
    mkdirSync(group);
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
    const [kept, real] = both(sweeper, pid, 'cgroup');
    assert.is(kept, real);
    assert.match(real ?? '', /desk-test-/);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    if (group !== undefined && existsSync(group)) rmdirSync(group);
  }
});

needs('bpf', 'compiler')(
  test,
  'an ended process is in no later sweep, and a new process is in the next',
  async ({ sweeper }) => {
    const actors = await startActors(['plain', 'thread=plain', 'exited-leader', 'zombie']);
    const born = sweeper.bpf(false);
    for (const [pid = 0] of actors.pids) assert.ok(born.has(pid));
    await actors.stop();
    // The orphaned zombie waits for init.
    await until(
      () => !actors.pids.flat().some((pid) => existsSync(`/proc/${pid}`)),
      'the end of the processes',
    );
    const later = sweeper.bpf(false);
    expect(actors.pids.flat().filter((pid) => later.has(pid))).equals([]);
  },
);

it('processes that end during the sweep are never mixed up with others', async ({ sweeper }) => {
  const loop = 'while :; do /bin/true; done';
  const storm = Array.from({ length: 4 }, () => spawn('/bin/sh', ['-c', loop], { stdio: 'ignore' }));
  const shells = new Set(storm.map(({ pid }) => String(pid)));
  try {
    let seen = 0;
    for (let sweep = 0; sweep < 300; sweep++) {
      const rows: Rows = sweeper.bpf(sweep % 7 === 0);
      for (const [pid, row] of rows) {
        if (!shells.has(row.ppid ?? '') || row.identity === '0') continue;
        seen++;
        // Before exec it is still the shell; a living child process always has an executable.
        assert.match(
          row.exe ?? '',
          /\/(true|coreutils|sh|dash|bash|busybox)$/,
          `${pid} ${JSON.stringify(row)}`,
        );
      }
    }
    assert.ok(seen > 0, 'no process was caught alive');
  } finally {
    for (const shell of storm) shell.kill('SIGKILL');
  }
});

needs('bpf', 'namespaces')(
  test,
  'a process that is not visible in /proc has a row with only the facts that the kernel reports',
  async () => {
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    const folder = tempFolder('desk-backends-');
    const words = programWords('hidden-report.ts', import.meta.url);
    try {
      // Only this mount namespace sees the folder that covers the process.
      const cover = 'mount --bind "$1" "/proc/$2" && shift 2 && exec "$@"';
      const { stdout } = await promisify(execFile)(
        'unshare',
        [
          ...['--mount', 'sh', '-c', cover, 'sh', folder, String(child.pid)],
          process.execPath,
          ...words,
          String(child.pid),
        ],
        { cwd: projectRoot },
      );
      const { procfs, bpf } = JSON.parse(stdout);
      assert.is(procfs, null);
      for (const row of bpf) {
        assert.is(row.comm, hex('sleep').padEnd(32, '0'));
        assert.is(row.ppid, String(process.pid));
        assert.is(row.state, 'S');
        assert.is(row.exe, '');
        assert.is(Number(row.refused) & (FACT.exe | FACT.cgroup), FACT.exe | FACT.cgroup);
        assert.is(Number(row.seen) & FACT.status, FACT.status);
        assert.is.not(row.identity, '0');
      }
    } finally {
      child.kill('SIGKILL');
    }
  },
);

it('tables that are too small are reported, and nothing is written', ({ sweeper: { addon, root } }) => {
  const small = { processes: 1, sockets: 0, holders: 0, text: 4096 };
  const layout = addon.layout(small);
  const columns = columnsOver(allocate(layout), layout, small);
  const { count } = addon.sweepTasks(root, columns.bytes, small, false) as TaskSweep;
  assert.ok(count > 1);
  assert.ok(columns.bytes.every((byte) => byte === 0));

  const textless = { processes: count + 1000, sockets: 0, holders: 0, text: 0 };
  const wide = addon.layout(textless);
  assert.ok((addon.sweepTasks(root, new Uint8Array(allocate(wide)), textless, true) as TaskSweep).overflow);
});

it('a folder that is not this /proc is refused', () => {
  const { addon } = loadNative();
  const root = addon.openRoot(tmpdir()) as number;
  const capacity = { processes: 1, sockets: 0, holders: 0, text: 0 };
  const refused = addon.sweepTasks(root, new Uint8Array(allocate(addon.layout(capacity))), capacity, true);
  assert.is('code' in refused && refused.code, 'EXDEV');
  addon.closeRoot(root);
});

needs('bpf', 'python3')(
  test,
  'a pass over everything finds what has changed without an event, and what has become again what it was',
  async () => {
    const engine = new Engine({ backend: 'bpf' });
    const python = spawn('python3', ['-ic', ''], { stdio: ['pipe', 'pipe', 'ignore'] });
    try {
      let whole = 0;
      const { sweepTasks } = engine.native;
      const native = engine.native as { sweepTasks: typeof sweepTasks };
      native.sweepTasks = (...args) => {
        whole++;
        return sweepTasks(...args);
      };
      const output = python.stdout[Symbol.asyncIterator]();
      const say = async (line: string): Promise<void> => {
        python.stdin.write(`${line}; print("done", flush=True)\n`);
        await output.next();
        // Until it waits for the next line: its state is a fact, too.
        await delay(100);
      };
      await engine.sweep();
      await say('import ctypes; libc = ctypes.CDLL(None)');
      const none = { broken: false, resync: false, listeners: false, connections: false, oldestUs: 0 };
      const pid = python.pid as number;
      const pass = async (dirty: readonly number[] = [], all = true) => {
        const { processes, delta } = await engine.sweep({ ...none, all, dirty: Int32Array.from(dirty) });
        const row = processes.rowOf(pid);
        return row < 0
          ? null
          : {
              comm: textOf(processes.comm(row)),
              noNewPrivs: processes.columns.noNewPrivs[row],
              news: delta?.pids.includes(pid),
            };
      };
      await pass();
      assert.equal(await pass(), { comm: 'python3', noNewPrivs: 0, news: false });
      await say('libc.prctl(38, 1, 0, 0, 0)');
      assert.equal(await pass(), { comm: 'python3', noNewPrivs: 1, news: true });
      await say('libc.prctl(15, b"other")');
      assert.is((await pass([pid], false))?.comm, 'other', 'an event names it');
      await say('libc.prctl(15, b"python3")');
      assert.is((await pass([], false))?.comm, 'other');
      assert.is((await pass())?.comm, 'python3', 'its records are those of the last pass');
      const child = spawn('sleep', ['600']);
      await pass();
      assert.ok(
        (await engine.sweep({ ...none, all: true, dirty: new Int32Array() })).processes.rowOf(
          child.pid as number,
        ) >= 0,
      );
      child.kill();
      python.kill();
      await Promise.all([once(child, 'exit'), once(python, 'exit')]);
      assert.is(await pass(), null);
      assert.is(whole, 1, 'only the first one reads everything');
      native.sweepTasks = sweepTasks;
    } finally {
      python.kill('SIGKILL');
      await engine.close();
    }
  },
);

const NOTHING = { broken: false, resync: false, listeners: false, connections: false, oldestUs: 0 };

/** Executes itself for each line that it reads. */
const EXECUTES = `import os, sys
print(flush=True)
sys.stdin.readline()
os.execv(sys.executable, [sys.executable, '-c', 'import os; exec(os.environ["CODE"])'])`;

needs('bpf', 'python3')(test, 'a pass shows an exec of the same program that had no event', async () => {
  const engine = new Engine({ backend: 'bpf' });
  const python = spawn('python3', ['-c', 'import os; exec(os.environ["CODE"])'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, CODE: EXECUTES },
  });
  const pid = python.pid as number;
  const again = async () => {
    python.stdin.write('\n');
    await once(python.stdout, 'data');
  };
  const dirty = new Int32Array();
  const executed = async (all: boolean) => {
    await engine.sweep({ ...NOTHING, all, dirty });
    return engine.takeExecuted() ?? dirty;
  };
  try {
    await once(python.stdout, 'data');
    await engine.sweep();
    assert.is(engine.takeExecuted(), null);
    assert.not.ok((await executed(true)).includes(pid));
    await again();
    assert.ok((await executed(true)).includes(pid), 'a pass');
    assert.not.ok((await executed(true)).includes(pid), 'once');
    await again();
    assert.is((await executed(false)).length, 0);
    await engine.sweep();
    await engine.sweep();
    assert.ok(engine.takeExecuted()?.includes(pid), 'a full sweep, whatever follows it');
  } finally {
    python.kill('SIGKILL');
    await engine.close();
  }
});

needs('bpf')(test, 'an error of the moment in one sweep does not end the use of the iterator', async () => {
  const engine = new Engine({ backend: 'bpf' });
  const { sweepTasks } = engine.native;
  const native = engine.native as { sweepTasks: typeof sweepTasks };
  try {
    native.sweepTasks = () => ({ errno: 24, code: 'EMFILE', source: 'bpf iter/task' });
    assert.is((await engine.sweep()).processes.count, 0);
    native.sweepTasks = sweepTasks;
    const { processes } = await engine.sweep();
    assert.ok(processes.rowOf(process.pid) >= 0);
    assert.is(engine.backend, 'bpf');
  } finally {
    native.sweepTasks = sweepTasks;
    await engine.close();
  }
});

needs('bpf')(test, 'a full sweep does not replace a path by an older one', async () => {
  const folder = tempFolder('desk-moved-');
  const [before, after] = ['before', 'after'].map((name) => join(folder, name)) as [string, string];
  mkdirSync(before);
  copyFileSync('/bin/sleep', join(before, 'nap'));
  const child = spawn(join(before, 'nap'), ['60']);
  await once(child, 'spawn');
  const pid = child.pid as number;
  const engine = new Engine({ backend: 'bpf' });
  const path = async (changes: Parameters<Engine['sweep']>[0]) => {
    const { processes } = await engine.sweep(changes);
    return textOf(processes.exe(processes.rowOf(pid)));
  };
  try {
    assert.is(await path(null), join(before, 'nap'));
    // Nothing about the process itself shows that its folder has another name.
    renameSync(before, after);
    assert.is(await path({ ...NOTHING, all: false, dirty: Int32Array.of(pid) }), join(after, 'nap'));
    assert.is(await path(null), join(after, 'nap'));
  } finally {
    child.kill('SIGKILL');
    await engine.close();
  }
});

needs('root', 'tree readable by others')(
  test,
  'an ordinary user gets the reason and the procfs backend',
  async () => {
    const words = programWords('backend-report.ts', import.meta.url);
    const { stdout } = await promisify(execFile)(process.execPath, words, {
      ...ordinaryUser,
      cwd: projectRoot,
      env: { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: '/tmp' },
    });
    const { state, choice, forced } = JSON.parse(stdout);
    assert.is(state.available, false);
    assert.is(state.stage, 'permission');
    assert.match(state.code, /^E(PERM|ACCES)$/);
    assert.is(choice.backend, 'procfs');
    assert.match(choice.reason, /root.*CAP_BPF/);
    assert.match(forced, /DESK_BACKEND=bpf cannot run here.*root/);
  },
);

test.run();
