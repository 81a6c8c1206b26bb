/**
 * Sweeps driven by kernel events: after processes and listeners have come and gone, the carried rows equal those of a full sweep,
 * with either backend.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { textOf } from '../../src/engine/bytes.ts';
import type { Changes } from '../../src/engine/events.ts';
import type { Backend } from '../../src/engine/native/types.ts';
import type { Snapshot } from '../../src/engine/snapshot.ts';
import { Engine } from '../../src/engine/sweep.ts';
import { Metrics } from '../../src/service/metrics.ts';
import { Scheduler } from '../../src/service/scheduler.ts';
import { startActors } from '../support/actor.ts';
import { expect } from '../support/expect.ts';
import { tellFigure } from '../support/long-form.ts';
import { needs } from '../support/require.ts';

const test = suite('changes');
const watched = needs('proc connector', 'compiler');

const HISTORY_STEPS = 200;

class ClosingEngine extends Engine {
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Longer than the last re-read after a birth or death. */
const REST_MS = 1300;

/** A scheduler with a real engine; `sweeps` records how each sweep was requested. */
async function startScheduler(backend: Backend) {
  const before = process.env.DESK_BACKEND;
  process.env.DESK_BACKEND = backend;
  const engine = new Engine({ workers: 2 });
  let latest: Snapshot | null = null;
  let latestKind: 'full' | 'changes' = 'full';
  const sweeps: ('full' | 'changes')[] = [];
  let notify = (): void => {};
  const metrics = new Metrics(
    {
      latest: () => null,
      parts: () => ({}),
      events: () => null,
      loop: () => ({ cpuUs: () => 0, missed: 0 }),
      looks: () => null,
      loopFacts: () => ({ on: false, quietMs: 0 }),
      remoteCertificateEnds: () => null,
      peeks: () => ({ inspections: 0, killed: 0, broken: 0 }),
      checks: () => new Map(),
      egress: () => ({ connections: {}, refusals: {} }),
      memory: () => ({ ...engine.memory, storeCacheBytes: 0 }),
    },
    { version: '0', build: 'none', backend },
  );
  const scheduler = new Scheduler({
    config: { mode: 'event', recheck_ms: 100, listen_poll_ms: 10 },
    native: engine.native,
    metrics,
    log: pino({ level: 'silent' }),
    recheck: async (changes: Changes | null) => {
      const kind = changes === null ? 'full' : 'changes';
      sweeps.push(kind);
      latest = await engine.sweep(changes);
      latestKind = kind;
      notify();
    },
    confirm: () => {},
    look: () => engine.look,
    watched: () => false,
    besides: () => engine.besides(),
    after: async () => null,
  });
  scheduler.start();
  return {
    engine,
    scheduler,
    sweeps,
    /** Of the latest snapshot. */
    latestKind: () => latestKind,
    /** Resolves when a snapshot of the loop satisfies `shows`. */
    async until(what: string, shows: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
      const deadline = performance.now() + 20_000;
      while (latest === null || !shows(latest)) {
        if (performance.now() > deadline) throw new Error(`never shown: ${what}`);
        await Promise.race([
          delay(200),
          new Promise<void>((resolve) => {
            notify = resolve;
          }),
        ]);
      }
      return latest;
    },
    async [Symbol.asyncDispose]() {
      await scheduler.stop();
      await engine.close();
      if (before === undefined) delete process.env.DESK_BACKEND;
      else process.env.DESK_BACKEND = before;
    },
  };
}

/** The stable facts of the given processes, by pid; a missing process has no entry. */
function rowsOf({ processes }: Snapshot, pids: readonly number[]): Record<number, unknown> {
  const { columns } = processes;
  const found: Record<number, unknown> = {};
  for (const pid of pids) {
    const row = processes.rowOf(pid);
    if (row < 0 || columns.state[row] === 0) continue;
    const { ppid, uid, euid, flags, start, threads, seccomp, noNewPrivs, capBnd, nsUser, nsMnt } = columns;
    const plain = [ppid, uid, euid, flags, start, threads, seccomp, noNewPrivs, capBnd, nsUser, nsMnt];
    found[pid] = [
      ...plain.map((column) => String(column[row])),
      ...[columns.wrap, columns.wrapState].map((column) => column[row]),
      String.fromCharCode(columns.state[row] ?? 0).replace(/[RS]/, 'alive'),
      ...[processes.comm(row), processes.exe(row), processes.cgroup(row)].map(textOf),
    ];
  }
  return found;
}

/** A process that runs commands (puppet.py), and renames itself after each one: that event shows that the command has run. */
class Puppet {
  readonly pids: number[] = [];
  readonly children: number[] = [];
  readonly zombies: number[] = [];
  readonly ports = new Map<string, number>();
  readonly #child = spawn('python3', [fileURLToPath(new URL('../support/puppet.py', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  readonly #answers = createInterface(this.#child.stdout)[Symbol.asyncIterator]();
  isRoot = true;

  constructor() {
    this.pids.push(this.pid);
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  async tell(...words: readonly (string | number)[]): Promise<number> {
    this.#child.stdin.write(`${words.join(' ')}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error(`it ended at ${words.join(' ')}`);
    return Number(value);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const pid of this.pids.slice(1)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {}
    }
    await ended(this.#child);
  }
}

const DEEDS = [
  ...([
    'fork',
    'fork',
    'program',
    'orphan',
    'kill',
    'reap',
    'name',
    'user',
    'nnp',
    'seccomp',
    'unshare',
  ] as const),
  ...(['thread', 'thread', 'join', 'tcp', 'udp', 'close', 'close'] as const),
];
/** What is complete when the puppet answers, and reported before its new name: shown with that name at the latest. */
const AT_ONCE: readonly string[] = ['fork', 'name', 'user', 'nnp', 'seccomp', 'unshare', 'thread', 'join'];

/** One deed; `number` chooses among what there is. */
async function perform(puppet: Puppet, deed: (typeof DEEDS)[number], number: number): Promise<void> {
  const { children, zombies, ports, pids } = puppet;
  const chosen = <T>(some: readonly T[]): T | undefined => some[number % Math.max(1, some.length)];
  const drop = (some: number[], one: number) => some.splice(some.indexOf(one), 1);
  if (deed === 'fork' || deed === 'program') {
    const child = await puppet.tell('fork', ...(deed === 'program' ? ['sleep', '600'] : []));
    children.push(child);
    pids.push(child);
  } else if (deed === 'orphan') pids.push(await puppet.tell('orphan'));
  else if (deed === 'kill') {
    const child = chosen(children);
    if (child === undefined || !puppet.isRoot) return;
    await puppet.tell('kill', child);
    drop(children, child);
    zombies.push(child);
  } else if (deed === 'reap') {
    const child = chosen(zombies);
    if (child === undefined) return;
    await puppet.tell('reap', child);
    drop(zombies, child);
  } else if (deed === 'user') {
    await (puppet.isRoot ? puppet.tell('user', 1000 + number) : puppet.tell('root'));
    puppet.isRoot = !puppet.isRoot;
  } else if (deed === 'tcp' || deed === 'udp') {
    const name = `${deed}-${number}`;
    if (!ports.has(name)) ports.set(name, await puppet.tell('listen', deed, name));
  } else if (deed === 'close') {
    const name = chosen([...ports.keys()]);
    if (name === undefined) return;
    await puppet.tell('close', name);
    ports.delete(name);
  } else if (deed === 'unshare' || deed === 'seccomp') {
    if (puppet.isRoot) await puppet.tell(deed);
  } else if (deed !== 'name') await puppet.tell(deed);
}

/** Listeners on loopback ports of the puppet, or once so. */
const socketsOf = ({ listeners }: Snapshot, pids: readonly number[]) =>
  listeners
    .filter(({ holders }) => holders.some(({ pid }) => pids.includes(pid)))
    .map(({ inode, protocol, port, owner, holders }) =>
      [inode, protocol, port, owner, holders].map((one) => JSON.stringify(one)).join(' '),
    )
    .sort();

const listenerOf = ({ listeners }: Snapshot, port: number) => listeners.find((one) => one.port === port);

async function ended(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function listening(): Promise<[Server, number]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return [server, (server.address() as AddressInfo).port];
}

for (const backend of ['bpf', 'procfs'] as const) {
  const define = backend === 'bpf' ? needs('bpf', 'proc connector', 'compiler') : watched;

  define(test, `${backend}: births, execs, deaths and listeners are shown without a full sweep`, async () => {
    await using loop = await startScheduler(backend);
    const pid = (child: ChildProcess) => child.pid as number;
    await loop.until('ourselves', ({ processes }) => processes.rowOf(process.pid) >= 0);
    assert.equal(loop.sweeps.slice(0, 1), ['full']);
    assert.is(loop.engine.backend, backend);

    const sleeper = spawn('sleep', ['600']);
    await loop.until('the new process as the program it runs', ({ processes }) => {
      const row = processes.rowOf(pid(sleeper));
      return row >= 0 && textOf(processes.exe(row)).endsWith('/sleep');
    });

    // A shell that executes another program: the same pid, no birth.
    const shell = spawn('sh', ['-c', 'sleep 0.3; exec sleep 600']);
    await loop.until('the shell after its exec', ({ processes }) => {
      const row = processes.rowOf(pid(shell));
      return (
        row >= 0 && textOf(processes.comm(row)) === 'sleep' && !textOf(processes.exe(row)).endsWith('sh')
      );
    });

    const [server, port] = await listening();
    const { holders, executable } = listenerOf(
      await loop.until(
        'the listener with its holder',
        (snapshot) => listenerOf(snapshot, port)?.owner === 'held',
      ),
      port,
    ) ?? { holders: [], executable: '' };
    expect(holders.map((holder) => holder.pid)).equals([process.pid]);
    assert.is(executable, process.execPath);
    server.close();
    await loop.until('the listener gone', (snapshot) => listenerOf(snapshot, port) === undefined);

    await ended(sleeper);
    await ended(shell);
    await loop.until('both gone', ({ processes }) =>
      [sleeper, shell].every((child) => processes.rowOf(pid(child)) < 0),
    );
    assert.is(loop.sweeps.filter((kind) => kind === 'full').length, 1, 'only the first sweep is full');
  });

  define(test, `${backend}: after a busy period the carried rows equal those of a fresh sweep`, async () => {
    await using loop = await startScheduler(backend);
    await loop.until('ourselves', ({ processes }) => processes.rowOf(process.pid) >= 0);
    const all: number[] = [];
    const kept: ChildProcess[] = [];
    /** After many events the loop rests for seconds: once it shows a new process, it has seen all that happened before. */
    const caughtUp = async (): Promise<Snapshot> => {
      await delay(REST_MS);
      const last = spawn('sleep', ['600']);
      kept.push(last);
      return loop.until('the last process', ({ processes }) => processes.rowOf(last.pid as number) >= 0);
    };
    const endKept = async (): Promise<void> => {
      for (const child of kept.splice(0)) if (child.exitCode === null) await ended(child);
    };
    {
      // Several kinds of confinement, threads and a zombie; all of them end together.
      await using actors = await startActors([
        'plain',
        'nnp',
        'nnp,filter',
        'zombie',
        'thread=nnp',
        'nnp,thread=plain',
      ]);
      all.push(...actors.pids.flat(), actors.parent);
      for (let i = 0; i < 40; i++) {
        // Grandchildren that outlive their parent get a new one without an event.
        const child = spawn('sh', [
          '-c',
          `sleep 0.${i % 9} & echo $!; ${i % 3 === 0 ? 'wait' : 'exec sleep 30'}`,
        ]);
        let output = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
        kept.push(child);
        all.push(child.pid as number);
        if (i % 8 === 0) await delay(20);
        if (i % 5 === 0) child.stdout.once('data', () => all.push(Number(output)));
      }
      const carried = rowsOf(await caughtUp(), all);
      const compare = rowsOf(await loop.engine.sweep(null), all);
      assert.equal(carried, compare);
      assert.ok(Object.keys(carried).length > 20);
    }
    await endKept();
    // Orphans remain zombies until pid 1 collects them, which sends no event.
    const alive = (snapshot: Snapshot) =>
      Object.values(rowsOf(snapshot, all)).filter((row) => !(row as unknown[]).includes('Z'));
    assert.equal(alive(await caughtUp()), []);
    assert.equal(alive(await loop.engine.sweep(null)), []);
    await endKept();
    assert.is(loop.sweeps.filter((kind) => kind === 'full').length, 1);
  });
}

for (const backend of ['bpf', 'procfs'] as const) {
  const needed = ['proc connector', 'python3', 'root'] as const;
  needs(...needed, ...(backend === 'bpf' ? (['bpf'] as const) : []))(
    test,
    `${backend}: after each step of a random history of real processes and sockets the rows are those of a full sweep`,
    async () => {
      const seed = Number(process.env.DESK_SEED ?? Date.now() % 1_000_000);
      const deed = fc.record({ deed: fc.constantFrom(...DEEDS), number: fc.nat({ max: 9 }) });
      const deeds = fc.sample(deed, { seed, numRuns: HISTORY_STEPS });
      await using loop = await startScheduler(backend);
      await using full = new ClosingEngine({ workers: 2 });
      await using puppet = new Puppet();
      await puppet.tell('name', 'puppet');
      for (const [step, { deed: what, number }] of deeds.entries()) {
        const where = `seed ${seed}, step ${step}: ${what} ${number}`;
        await perform(puppet, what, number);
        const name = `step-${step}`;
        await puppet.tell('name', name);
        const rows = (snapshot: Snapshot) => rowsOf(snapshot, puppet.pids);
        const named = ({ processes }: Snapshot) => {
          const row = processes.rowOf(puppet.pid);
          return row >= 0 && textOf(processes.comm(row)) === name;
        };
        // A full sweep lists the processes before it reads their names: what is born between the two is in the next one.
        const shown = rows(
          await loop.until(where, (snapshot) => named(snapshot) && loop.latestKind() === 'changes'),
        );
        if (AT_ONCE.includes(what)) expect(shown).equals(rows(await full.sweep()), where);
        const state = (snapshot: Snapshot) =>
          JSON.stringify([rows(snapshot), socketsOf(snapshot, puppet.pids)]);
        const right = state(await full.sweep());
        await loop.until(`${where}: ${right}`, (snapshot) => state(snapshot) === right);
      }
      tellFigure(`${backend}: steps`, HISTORY_STEPS);
      // Others may start so many processes that events are lost.
      tellFigure(`${backend}: full sweeps`, loop.sweeps.filter((kind) => kind === 'full').length);
    },
  );
}

watched(
  test,
  'a change of confinement, which sends no event, is shown within the period of the full pass',
  async () => {
    await using loop = await startScheduler('procfs');
    await loop.until('ourselves', ({ processes }) => processes.rowOf(process.pid) >= 0);
    // PR_SET_NO_NEW_PRIVS after the last re-read that follows a birth: only the full pass can see it.
    const script = 'import ctypes, time; input(); ctypes.CDLL(None).prctl(38, 1, 0, 0, 0); time.sleep(600)';
    const python = spawn('python3', ['-c', script]);
    const forbidden = ({ processes }: Snapshot): boolean => {
      const row = processes.rowOf(python.pid as number);
      return row >= 0 && processes.columns.noNewPrivs[row] === 1;
    };
    const born = await loop.until('python', ({ processes }) => processes.rowOf(python.pid as number) >= 0);
    assert.not.ok(forbidden(born));
    await delay(REST_MS);
    python.stdin.write('\n');
    await loop.until('no_new_privs', forbidden);
    await ended(python);
  },
);

test.run();
