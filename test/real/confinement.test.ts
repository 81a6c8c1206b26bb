/** Processes with a known confinement: the sweep reports exactly them, with the right state and reasons. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WRAP } from '../../src/engine/native/types.ts';
import { Engine } from '../../src/engine/sweep.ts';
import { startActors } from '../support/actor.ts';
import { expect } from '../support/expect.ts';
import { type Need, needs, testsNeeding } from '../support/require.ts';
import { pidsInProc, readProcess } from './kernel.ts';
import { type SweptProcess, sweptProcesses } from './swept.ts';

const test = suite<{ engine: Engine }>('confinement');
const it = testsNeeding(test, 'compiler');

test.before((context) => {
  context.engine = new Engine();
});
test.after(async ({ engine }) => {
  await engine.close();
});

interface Case {
  readonly words: string;
  /** Reasons in addition to those that this test inherits. */
  readonly adds: number;
  /** A thread without any confinement of its own: its process counts as free. */
  readonly weakThread?: true;
  readonly needs?: readonly Need[];
}

const everyNamespace = WRAP.nsUser | WRAP.nsPid | WRAP.nsMnt | WRAP.nsNet;

const cases: readonly Case[] = [
  { words: 'plain', adds: 0 },
  { words: 'nnp', adds: 0 },
  { words: 'nnp,filter', adds: WRAP.seccomp },
  { words: 'filter', adds: WRAP.seccomp, needs: ['root'] },
  { words: 'strict', adds: WRAP.seccomp },
  { words: 'drop', adds: 0, needs: ['root'] },
  { words: 'nnp,drop', adds: WRAP.bounded, needs: ['root'] },
  { words: 'thread=filter,nnp,filter', adds: WRAP.seccomp },
  { words: 'thread=plain,nnp,filter', adds: WRAP.seccomp, weakThread: true },
  { words: 'thread=filter,thread=plain,nnp,filter', adds: WRAP.seccomp, weakThread: true },
  { words: 'thread=filter', adds: 0 },
  { words: 'exited-leader', adds: 0 },
  { words: 'nnp,filter,exited-leader', adds: WRAP.seccomp },
  { words: 'thread=filter,nnp,filter,exited-leader', adds: WRAP.seccomp },
  { words: 'thread=plain,nnp,filter,exited-leader', adds: WRAP.seccomp, weakThread: true },
  { words: 'unshare=mnt,exited-leader', adds: WRAP.nsMnt, needs: ['root', 'namespaces'] },
  { words: 'unshare=pid,exited-leader', adds: WRAP.nsPid, needs: ['root', 'namespaces'] },
  { words: 'unshare=mnt', adds: WRAP.nsMnt, needs: ['root', 'namespaces'] },
  { words: 'unshare=net', adds: WRAP.nsNet, needs: ['root', 'namespaces'] },
  { words: 'unshare=pid', adds: WRAP.nsPid, needs: ['root', 'namespaces'] },
  { words: 'unshare=net,thread=plain', adds: WRAP.nsNet, needs: ['root', 'namespaces'] },
  { words: 'unshare=user', adds: WRAP.nsUser, needs: ['user namespaces'] },
  { words: 'unshare=user+pid+mnt+net', adds: everyNamespace, needs: ['user namespaces'] },
  {
    words: 'unshare=user+net,nnp,filter',
    adds: WRAP.nsUser | WRAP.nsNet | WRAP.seccomp,
    needs: ['user namespaces'],
  },
];

/** CapBnd of a process, null when it cannot be read. */
function boundingSet(pid: number | 'self'): bigint | null {
  try {
    return BigInt(`0x${/^CapBnd:\t(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]}`);
  } catch {
    return null;
  }
}

/** Our own bounding set is already smaller than that of the reference (pid 2 if it is kthreadd, else pid 1), so nnp completes the confinement. */
function startsBounded(): boolean {
  const kernelThread = readProcess(2)?.facts.kernelThread === 'true';
  const [own, reference] = [boundingSet('self'), boundingSet(kernelThread ? 2 : 1)];
  return own !== null && reference !== null && own !== reference && (own & ~reference) === 0n;
}

/** Children of this test have every capability of the reference, so a filter and a mount namespace do not count for them. */
function isAllPowerful(pid: number | 'self'): boolean {
  const kernelThread = readProcess(2)?.facts.kernelThread === 'true';
  const reference = boundingSet(kernelThread ? 2 : 1) ?? 0n;
  const effective = BigInt(
    `0x${/^CapEff:\t(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]}`,
  );
  return effective !== 0n && (effective & reference) === reference;
}

/** What every child of this test inherits: the confinement of this process, checked against its own status file. */
function inherited(swept: Map<number, SweptProcess>): number {
  const wrap = swept.get(process.pid)?.wrap ?? -1;
  const seccomp = /^Seccomp:\t(\d)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] !== '0';
  assert.is((wrap & WRAP.seccomp) !== 0, seccomp && !isAllPowerful('self'), 'our own seccomp');
  return wrap;
}

for (const { words, adds, weakThread, needs: wanted = [] } of cases) {
  needs('compiler', ...wanted)(test, `wrap of "${words}"`, async ({ engine }) => {
    await using actors = await startActors([words]);
    const swept = sweptProcesses(await engine.sweep());
    const found = swept.get(actors.pid(0));
    const own = inherited(swept);
    // A new user namespace starts with the full bounding set (user_namespaces(7)).
    const nnp = /(?:^|,)nnp/.test(words) && !words.includes('unshare=user');
    const bounded = nnp && startsBounded() ? WRAP.bounded : 0;
    const ownUsers = words.includes('unshare=user');
    const idle = !ownUsers && isAllPowerful(actors.pid(0)) ? WRAP.seccomp | WRAP.nsMnt : 0;
    const expected = weakThread && own === 0 ? 0 : (own | adds | bounded) & ~idle;
    assert.is(found?.wrap, expected);
    assert.is(found?.state, expected === 0 ? 'free' : 'wrapped');
  });
}

needs('compiler', 'root')(test, 'real and effective uid', async ({ engine }) => {
  await using actors = await startActors(['uid=65534', 'euid=65534', 'plain']);
  const swept = sweptProcesses(await engine.sweep());
  const ids = [0, 1, 2].map((at) => swept.get(actors.pid(at))?.facts);
  expect(ids.map((facts) => [facts?.uid, facts?.euid])).equals([
    ['65534', '65534'],
    ['0', '65534'],
    ['0', '0'],
  ]);
});

it('zombies are counted as fried and not judged', async ({ engine }) => {
  const before = (await engine.sweep()).counts;
  await using actors = await startActors(['zombie', 'zombie', 'zombie']);
  const snapshot = await engine.sweep();
  const swept = sweptProcesses(snapshot);
  for (const pid of actors.pids.flat()) {
    assert.is(swept.get(pid)?.facts.zombie, 'true');
    assert.is(swept.get(pid)?.state, 'notApplicable');
  }
  const zombies = [...swept.values()].filter(({ facts }) => facts.zombie === 'true').length;
  assert.is(snapshot.counts.fried, zombies);
  assert.ok(zombies >= 3 && before.fried >= 0);
});

it('a process whose leader has exited is alive and holds its listener', async ({ engine }) => {
  await using actors = await startActors(['listen,exited-leader', 'zombie']);
  const pid = actors.pid(0);
  assert.match(readFileSync(`/proc/${pid}/stat`, 'latin1'), /\) Z /, 'its leader is dead, as asked');
  const snapshot = await engine.sweep();
  const swept = sweptProcesses(snapshot);
  const found = swept.get(pid);
  assert.is(found?.facts.zombie, 'false');
  assert.is(found?.facts.threads, '2');
  assert.is.not(found?.state, 'notApplicable');
  assert.match(found?.exe ?? '', /\/actor-[0-9a-f]{12}$/);
  assert.equal(found?.refused, []);
  const held = snapshot.listeners.filter(({ holders }) => holders.some((holder) => holder.pid === pid));
  expect(
    held.map(({ address, owner, executable, holders }) => [address, owner, executable, holders.length]),
  ).equals([['127.0.0.1', 'held', found?.exe, 1]]);
  const fried = [...swept.values()].filter(({ facts }) => facts.zombie === 'true');
  assert.is(snapshot.counts.fried, fried.length);
  assert.ok(fried.some((dead) => dead.pid === actors.pid(1)));
});

const hex = (name: string) => Buffer.from(name, 'latin1').toString('hex');
const hostileNames = [
  ') R 1 (',
  'a b  c',
  'two\nlines',
  '\x1b[31mred\x1b[0m',
  '\xff\xfe\xc0\x80',
  '((((',
  ')',
  'exactly-15-byte',
];

it('hostile command names keep their exact bytes', async ({ engine }) => {
  await using actors = await startActors(hostileNames.map((name) => `name=${hex(name)}`));
  const swept = sweptProcesses(await engine.sweep());
  assert.equal(
    actors.pids.map(([pid = -1]) => swept.get(pid)?.comm),
    hostileNames.map((name) => name.slice(0, 15)),
  );
  const parents = new Set(actors.pids.map(([pid = -1]) => swept.get(pid)?.facts.ppid));
  assert.equal([...parents], [String(actors.parent)]);
});

it('a deleted executable is reported with its path', async ({ engine }) => {
  await using actors = await startActors(['deleted', 'plain']);
  const swept = sweptProcesses(await engine.sweep());
  assert.match(swept.get(actors.pid(0))?.exe ?? '', /\/desk-actor-\w{6} \(deleted\)$/);
  assert.match(swept.get(actors.pid(1))?.exe ?? '', /\/actor-[0-9a-f]{12}$/);
});

it('controlling terminals are reported', async ({ engine }) => {
  await using actors = await startActors(['tty', 'daemon']);
  const snapshot = await engine.sweep();
  const swept = sweptProcesses(snapshot);
  assert.is.not(swept.get(actors.pid(0))?.facts.tty, '0');
  assert.is(swept.get(actors.pid(1))?.facts.tty, '0');
});

test('totals add up and match the rows', async ({ engine }) => {
  const snapshot = await engine.sweep();
  const rows = [...sweptProcesses(snapshot).values()];
  const { counts } = snapshot;
  const count = (state: SweptProcess['state']) => rows.filter((row) => row.state === state).length;
  assert.is(counts.processes, rows.length);
  assert.is(counts.kernelThreads, rows.filter((row) => row.facts.kernelThread === 'true').length);
  assert.equal(
    [counts.wrapped, counts.free, counts.wrapBlind],
    [count('wrapped'), count('free'), count('blind')],
  );
  assert.is(counts.userSpace, counts.wrapped + counts.free + counts.wrapBlind);
  assert.is(counts.processes, counts.userSpace + counts.kernelThreads + counts.fried);
  assert.ok(snapshot.engine.deskPids.includes(process.pid));
});

/** Pids of all descendants, children first to last. */
function descendants(root: number): number[] {
  const parents = new Map(pidsInProc().map((pid) => [pid, Number(readProcess(pid)?.facts.ppid)]));
  const family = [root];
  for (const member of family) for (const [pid, parent] of parents) if (parent === member) family.push(pid);
  return family.slice(1);
}

/** Runs a program in a sandbox until its stdin closes; resolves when it prints `ready`. */
async function sandboxed(command: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(command, [...args, 'sh', '-c', 'echo ready; read line'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [word] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  assert.is(String(word).trim(), 'ready', `${command} did not start`);
  return child;
}

const sandboxes: readonly {
  readonly command: string;
  readonly args: readonly string[];
  readonly adds: number;
  readonly needs: readonly Need[];
}[] = [
  {
    command: 'bwrap',
    args: ['--ro-bind', '/', '/', '--unshare-user', '--unshare-pid', '--unshare-net', '--die-with-parent'],
    adds: everyNamespace,
    needs: ['bwrap'],
  },
  {
    command: 'bwrap',
    args: ['--ro-bind', '/', '/', '--die-with-parent'],
    adds: WRAP.nsMnt,
    needs: ['root', 'bwrap'],
  },
  { command: 'unshare', args: ['--net'], adds: WRAP.nsNet, needs: ['root', 'namespaces'] },
  {
    command: 'unshare',
    args: ['--user', '--net', '--map-root-user'],
    adds: WRAP.nsUser | WRAP.nsNet,
    needs: ['user namespaces'],
  },
];

for (const { command, args, adds, needs: wanted } of sandboxes) {
  needs(...wanted)(test, `inside ${command} ${args.join(' ')}`, async ({ engine }) => {
    const child = await sandboxed(command, args);
    try {
      const family = [child.pid as number, ...descendants(child.pid as number)];
      const swept = sweptProcesses(await engine.sweep());
      // The shell is the innermost process; bwrap itself waits outside.
      const shell = swept.get(family.at(-1) as number);
      assert.is((shell?.wrap ?? 0) & adds, adds);
      assert.is(shell?.state, 'wrapped');
      assert.not.ok(
        family.some((pid) => !swept.has(pid)),
        'the whole family is in the sweep',
      );
    } finally {
      child.stdin?.end();
      await once(child, 'exit');
    }
  });
}

test.run();
