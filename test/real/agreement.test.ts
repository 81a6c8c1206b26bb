/**
 * Independent agreement: with 500 extra processes and about a hundred unusual ones, ten times in a row, the sweep agrees with ps,
 * ss and the kernel's text files. Only processes that started or ended between the scans, or changed while checked, are left out.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Engine } from '../../src/engine/sweep.ts';
import { type Actors, startActors } from '../support/actor.ts';
import { expect } from '../support/expect.ts';
import { startFarm } from '../support/farm.ts';
import { missing, needs } from '../support/require.ts';
import { type KernelScan, scanKernel } from './kernel.ts';
import { type SweptProcess, sweptProcesses, sweptSockets } from './swept.ts';

const test = suite('agreement');
const FARM = 500;
const ROUNDS = 10;

/** Not compared: facts that the engine does not collect, and facts that its own work changes. */
function skippedOf(pid: number, { facts }: SweptProcess): readonly string[] {
  // A sweep reads files that may block in threads of this process; they are gone by the next scan.
  if (pid === process.pid) return ['threads'];
  // The namespaces of kernel threads and of ended processes are not judged.
  return facts.kernelThread === 'true' || facts.zombie === 'true'
    ? ['nsUser', 'nsPid', 'nsMnt', 'nsNet']
    : [];
}

function processDifferences(before: KernelScan, swept: Map<number, SweptProcess>, after: KernelScan) {
  const differences: string[] = [];
  let compared = 0;
  for (const [pid, first] of before.processes) {
    const last = after.processes.get(pid);
    if (last?.start !== first.start) continue; // ended between the scans
    const found = swept.get(pid);
    if (!found) {
      differences.push(`${pid} is missing from the sweep`);
      continue;
    }
    if (found.start !== first.start)
      differences.push(`${pid} started at ${first.start}, the sweep says ${found.start}`);
    const skipped = skippedOf(pid, found);
    for (const [name, value] of Object.entries(first.facts)) {
      if (last.facts[name] !== value || value === 'changing' || skipped.includes(name)) continue;
      compared++;
      if (found.facts[name] !== value)
        differences.push(`${pid} ${name}: ${value}, the sweep says ${found.facts[name]}`);
    }
  }
  for (const [pid, found] of swept) {
    if (before.processes.has(pid) || after.processes.has(pid)) continue;
    // Missing from both scans: only possible for a process that started after the first scan began.
    if (Number(found.start) < before.sinceTicks - 1)
      differences.push(`${pid} (${found.comm}) is in the sweep alone`);
  }
  return { differences, compared };
}

function socketDifferences(before: KernelScan, swept: Map<string, readonly string[]>, after: KernelScan) {
  const differences: string[] = [];
  let compared = 0;
  for (const [key, first] of before.sockets) {
    const last = after.sockets.get(key);
    if (!last) continue;
    const holders = swept.get(key);
    compared++;
    if (!holders) differences.push(`${key} is missing from the sweep`);
    else if (`${first.holders}` === `${last.holders}` && `${first.holders}` !== `${holders}`) {
      differences.push(`${key}: held by ${first.holders}, the sweep says ${holders}`);
    }
  }
  const alone = [...swept.keys()].filter((key) => !before.sockets.has(key) && !after.sockets.has(key));
  return { differences, compared, alone };
}

/** Subjects of every kind that this user may create. */
function oddSubjects(): string[] {
  const always = [
    'nnp',
    'nnp,filter',
    'strict',
    'thread=plain,nnp,filter',
    'thread=filter',
    'name=29205a20',
    'zombie',
    'tty',
    'daemon',
    'deleted',
  ];
  const root = ['nnp,drop', 'uid=65534', 'euid=65534', 'unshare=mnt', 'unshare=net', 'unshare=pid+mnt'];
  const subjects = missing('root', 'namespaces') ? always : [...always, ...root];
  return missing('user namespaces') ? subjects : [...subjects, 'unshare=user+pid+mnt+net'];
}

needs('compiler', 'ps', 'ss')(
  test,
  `ten sweeps with ${FARM} extra processes agree with ps, ss and /proc`,
  async () => {
    const started: Actors[] = [];
    const servers = ['127.0.0.1', '127.0.0.2', '0.0.0.0'].map((host) =>
      createServer().listen({ host, port: 0 }),
    );
    const engine = new Engine();
    try {
      await Promise.all(servers.map((server) => (server.listening ? null : once(server, 'listening'))));
      started.push(await startFarm(FARM), await startActors(oddSubjects()));
      const mine = started.flatMap(({ pids }) => pids.flat());
      for (let round = 1; round <= ROUNDS; round++) {
        const before = scanKernel();
        const snapshot = await engine.sweep();
        const swept = sweptProcesses(snapshot);
        const sockets = sweptSockets(snapshot);
        const after = scanKernel();

        const unstable = mine.filter((pid) =>
          Object.values(before.processes.get(pid)?.facts ?? { gone: 'changing' }).includes('changing'),
        );
        assert.equal(unstable, [], `round ${round}: ps and /proc agree on what we started`);
        const { differences, compared } = processDifferences(before, swept, after);
        assert.equal(differences, [], `round ${round}`);
        assert.ok(compared > FARM * 12, `round ${round}: only ${compared} facts compared`);

        const net = socketDifferences(before, sockets, after);
        assert.equal(net.differences, [], `round ${round}`);
        assert.ok(net.compared >= servers.length);
        // A socket that only the sweep saw must have been short-lived: the next sweep no longer shows it.
        const again = net.alone.length > 0 ? sweptSockets(await engine.sweep()) : new Map();
        expect(net.alone.filter((key) => again.has(key) && !scanKernel().sockets.has(key))).equals(
          [],
          `round ${round}`,
        );
      }
    } finally {
      for (const actors of started) await actors.stop();
      for (const server of servers) server.close();
      await engine.close();
    }
  },
);

needs('compiler')(test, 'an ended process is in no later sweep', async () => {
  const engine = new Engine();
  try {
    const farm = await startFarm(40);
    const pids = farm.pids.flat();
    const during = sweptProcesses(await engine.sweep());
    const starts = pids.map((pid) => during.get(pid)?.start);
    assert.not.ok(starts.includes(undefined));
    await farm.stop();
    const afterwards = sweptProcesses(await engine.sweep());
    expect(pids.filter((pid, at) => afterwards.get(pid)?.start === starts[at])).equals([]);
  } finally {
    await engine.close();
  }
});

test.run();
