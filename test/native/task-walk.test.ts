/** The two ways to read tasks, on the running kernel: the same records, and of single processes the same as of all. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startActors } from '../support/actor.ts';
import { sanitized } from '../support/compile.ts';
import { expect } from '../support/expect.ts';
import { missing, needs } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';

const E2BIG = 7;
const ROUNDS = 3;

let program = '';

const test = suite('task walk');

/** The driver's answers; the first names the two ways. */
function answers(...lines: readonly string[]): unknown[] {
  const ran = spawnSync(program, [], {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    timeout: patientMs(120_000),
  });
  assert.is(ran.status, 0, ran.stderr);
  return ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

test.before(() => {
  if (missing('open-coded iterator') !== null || missing('compiler') !== null) return;
  program = sanitized(
    'task_walk_cases.cc',
    [
      ...['assembler', 'btf', 'btf_file', 'file_program', 'iterator', 'record_writer', 'syscall'],
      ...['task_facts', 'task_program', 'task_source', 'task_walk', 'task_walk_program', 'tracing'],
    ]
      .map((name) => `bpf/${name}`)
      .concat('core/read'),
    { flags: ['-pthread'] },
  );
  assert.equal(answers(), [{ old: 'seq_file', new: 'open_coded' }]);
});

const it = (name: string, body: () => Promise<void> | void) =>
  needs('open-coded iterator', 'compiler')(test, name, body);

/** What the records tell apart, by processes that do nothing; the threads that the walk writes, where that number is certain. */
function subjects(): [string, number?][] {
  const many = Array(100).fill('thread=plain').join(',');
  const kinds: [string, number?][] = [
    ...['plain', 'nnp', 'filter', 'strict', 'nnp,drop', 'tty', 'daemon', 'deleted', 'zombie', 'traced'].map(
      (kind): [string, number] => [kind, 1],
    ),
    ...['uid=65534', 'euid=65534', 'uid=1000,zombie', 'name=ff1b5b'].map((kind): [string, number] => [
      kind,
      1,
    ]),
    [many, 1],
    ['thread=apart,thread=plain', 1],
    ['thread=nnp,thread=plain', 2],
    ['thread=filter,thread=plain', 2],
    ['thread=plain,nnp,filter', 2],
    ['thread=nnp,nnp,filter', 2],
    ['exited-leader', 2],
    ['thread=plain,thread=filter,nnp,filter,exited-leader', 4],
    [`${many},exited-leader`, 102],
  ];
  if (missing('namespaces') === null)
    kinds.push(
      ['unshare=mnt'],
      ['unshare=net', 1],
      ['unshare=pid'],
      ['unshare=pid+mnt,exited-leader'],
      ['unshare=net,zombie'],
    );
  if (missing('user namespaces') === null) kinds.push(['unshare=user'], ['unshare=user+pid+mnt+net']);
  return kinds;
}

/** A process in two user, pid, mount and network namespaces, each inside the other, and a function that ends it. */
async function nested(): Promise<{ pid: number; end: () => void }> {
  const enter = 'unshare --user --map-root-user --pid --fork --kill-child --mount --net'.split(' ');
  const outer = spawn('unshare', [...enter.slice(1), ...enter, 'sleep', '600'], { stdio: 'ignore' });
  const end = () => outer.kill('SIGKILL');
  for (let turn = 0; turn < 500; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    let pid = outer.pid as number;
    for (let depth = 0; depth < 2 && pid > 0; depth++)
      pid = Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1'), 10);
    if (pid > 0 && readFileSync(`/proc/${pid}/comm`, 'latin1') === 'sleep\n') return { pid, end };
  }
  end();
  throw new Error('unshare did not start the process');
}

interface Compared {
  readonly settled: number;
  readonly stable: number;
  readonly differences: readonly (readonly [pid: number, what: string])[];
  /** Threads in the file, records of the walk, and whether a request of this process gave the same. */
  readonly requested: readonly (readonly [
    pid: number,
    threads: number,
    records: number,
    pidNamespace: number,
    level: number,
    same: boolean,
  ])[];
  readonly processes: number;
}

it('both ways give the same records, without threads that equal their leader', async () => {
  const kinds = subjects();
  await using actors = await startActors(kinds.map(([kind]) => kind));
  const deep = missing('user namespaces') === null ? await nested() : undefined;
  const pids = [...actors.pids.flat(), ...(deep ? [deep.pid] : [])];
  const mine = new Set(pids);
  const line = `compare ${pids.join(' ')}`;
  const namespaceOf = (pid: number) =>
    Number.parseInt(readlinkSync(`/proc/${pid}/ns/pid`).slice('pid:['.length), 10);
  const namespace = deep && namespaceOf(deep.pid);
  const rounds = answers(...Array<string>(ROUNDS).fill(line)).slice(1) as Compared[];
  deep?.end();
  for (const { settled, stable, differences, requested, processes } of rounds) {
    assert.is(settled, pids.length, 'a subject keeps changing');
    assert.is(processes, pids.length);
    assert.ok(stable >= settled);
    expect(differences.filter(([pid]) => mine.has(pid))).equals([]);
    expect(requested.filter((row) => !row.at(-1))).equals([]);
    if (deep) assert.equal(requested.at(-1)?.slice(3, 5), [namespace, 2]);
    kinds.forEach(([kind, expected], at) => {
      const [, threads, records] = requested.find(([pid]) => pid === actors.pids[at]?.[0]) ?? [];
      if (expected !== undefined) assert.is(records, expected, kind);
      assert.ok((threads ?? 0) >= (records ?? 1), kind);
    });
  }
  // Other processes may run and stop again between the reads: only a difference in every round is an error.
  const [first, ...rest] = rounds.map(({ differences }) => differences.map(String));
  expect(first?.filter((one) => rest.every((round) => round.includes(one)))).equals([]);
});

it('a thread is written if its credentials, namespaces or no_new_privs differ, whatever its name', () => {
  const [, own] = answers('own');
  expect(own).equals({ leader: true, byThread: 0, threads: ['user', 'network', 'privileges'] });
});

it('more processes than the map holds are read by a larger one, which later shrinks', () => {
  const [, found] = answers('room 300') as [unknown, { rooms: [number, number, number] }];
  const [small, large, later] = found.rooms;
  expect(found).equals({ few: 1, exact: true, again: 300, ended: 0, rooms: found.rooms });
  assert.ok(small < 300 && large >= 300 && large <= 300 * 1.25 && later === small, String(found.rooms));
});

it('pids that are nothing, and too many of them, are no records', () => {
  const none = { error: 0, pids: [] };
  const many = (count: number) => `request ${Array(count).fill(process.pid).join(' ')}`;
  const [, nothing, unknown, self, most, more] = answers(
    'request',
    'request 0 -1 2147483647 4194305',
    `request 4194305 ${process.pid}`,
    many(4096),
    many(4097),
  ) as { error: number; pids: number[] }[];
  expect([nothing, unknown]).equals([none, none]);
  assert.is(self?.pids[0], process.pid);
  assert.is(most?.error, 0);
  assert.is(most?.pids.filter((pid) => pid === process.pid).length, 4096);
  expect(more).equals({ error: E2BIG, pids: [] });
});

it('threads that read at the same time do not see the records of each other', () => {
  const [, found] = answers('together 8');
  expect(found).equals({ wrong: 0 });
});

test.run();
