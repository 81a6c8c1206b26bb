/** The machine seen without privileges: what cannot be read is blind and counted, never free. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Listener, Snapshot } from '../../src/engine/snapshot.ts';
import { Engine } from '../../src/engine/sweep.ts';
import { deskStatus } from '../../src/records/desk-status.ts';
import { startActors } from '../support/actor.ts';
import { programWords } from '../support/entry.ts';
import { expect } from '../support/expect.ts';
import { needs, ordinaryUser, projectRoot } from '../support/require.ts';
import { stateFrom } from '../support/state.ts';
import { patientMs } from '../support/time-limit.ts';
import { type SweptProcess, sweptProcesses } from './swept.ts';

const test = suite('ordinary user');

interface Report {
  readonly euid: number;
  readonly processes: readonly SweptProcess[];
  readonly listeners: readonly Listener[];
  readonly counts: Snapshot['counts'];
  readonly probes: Snapshot['probes'];
}

async function sweepAsOrdinaryUser(
  command: readonly string[] = [],
  user: object = ordinaryUser,
): Promise<Report> {
  const program = programWords('sweep-report.ts', import.meta.url);
  const [file = '', ...args] = [...command, process.execPath, ...program];
  const { stdout } = await promisify(execFile)(file, args, {
    ...user,
    cwd: projectRoot,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: '/tmp' },
    maxBuffer: 1 << 26,
    timeout: patientMs(60_000),
  });
  return JSON.parse(stdout) as Report;
}

const wanted = ['compiler', 'root', 'tree readable by others'] as const;

needs(...wanted)(test, 'processes of root that cannot be read are blind, never free', async () => {
  const subjects = [
    'plain',
    'nnp,filter',
    'unshare=net',
    'uid=65534',
    'uid=65534,nnp,filter',
    'thread=plain,nnp,filter',
  ];
  const engine = new Engine();
  await using actors = await startActors(subjects);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const seenByRoot = sweptProcesses(await engine.sweep());
    const report = await sweepAsOrdinaryUser();
    const seen = new Map(report.processes.map((process) => [process.pid, process]));
    assert.is(report.euid, ordinaryUser.uid);

    const states = actors.pids.map(([pid = -1]) => seen.get(pid)?.state);
    if (seenByRoot.get(actors.pid(0))?.state === 'free') {
      assert.equal(states, ['blind', 'wrapped', 'blind', 'free', 'wrapped', 'blind']);
    }
    // On the whole machine: free only if root's sweep agrees and this user may read the namespaces.
    const wrong = report.processes.filter(
      ({ pid, start, state, facts }) =>
        state === 'free' &&
        seenByRoot.get(pid)?.start === start &&
        (seenByRoot.get(pid)?.state !== 'free' ||
          [facts.nsUser, facts.nsPid, facts.nsMnt, facts.nsNet].includes('?')),
    );
    assert.equal(wrong, []);
    const forged = report.processes.filter(
      ({ pid, start, state }) =>
        state === 'wrapped' && seenByRoot.get(pid)?.start === start && seenByRoot.get(pid)?.state === 'free',
    );
    assert.equal(forged, [], 'nothing is wrapped that root calls free');

    assert.ok(report.counts.wrapBlind > 0);
    assert.ok(report.counts.blindProcesses > 0);
    assert.ok(report.counts.descriptorsBlind > 0);
    assert.is(report.counts.userSpace, report.counts.wrapped + report.counts.free + report.counts.wrapBlind);
    const missing = [...seenByRoot.keys()].filter(
      (pid) => actors.pids.flat().includes(pid) && !seen.has(pid),
    );
    assert.equal(missing, [], 'the process set is the same');

    const port = (server.address() as AddressInfo).port;
    const found = report.listeners.filter((listener) => listener.port === port);
    expect(found.map(({ owner, holders, executable }) => [owner, holders.length, executable])).equals([
      ['blind', 0, ''],
    ]);

    const troubled = report.probes.filter(({ works }) => !works);
    assert.ok(
      troubled.some(({ id }) => /namespace|descriptor/.test(id)),
      'a probe reports that it cannot read',
    );
    expect(troubled.filter(({ reason }) => reason === '')).equals([], 'each says why');
  } finally {
    server.close();
    await engine.close();
  }
});

needs('root', 'namespaces', 'tree readable by others')(
  test,
  'a real /proc with hidepid=2: few processes are seen, and no figure becomes better',
  async () => {
    const { uid, gid } = ordinaryUser;
    const shell = `mount -t proc -o hidepid=2 proc /proc; exec setpriv --reuid=${uid} --regid=${gid} --clear-groups "$@"`;
    const enter = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', shell, 'sh'];
    const hidden = await sweepAsOrdinaryUser(enter, {});
    const open = await sweepAsOrdinaryUser();
    assert.ok(hidden.counts.processes < open.counts.processes);
    const figures = ({ counts, probes }: Report) => {
      const { iron, ok, grade, hostess_charge } = deskStatus.assemble(
        stateFrom({ snapshot: { counts, probes } }),
      );
      const { axes, score } = hostess_charge.war_machine;
      const { secure, quality, capability, iron_map, research } = axes;
      return { ok, grade, values: [iron.PHI, score, secure, quality, capability, iron_map, research] };
    };
    const [closed, seeing] = [figures(hidden), figures(open)];
    assert.equal([closed.ok, closed.grade], [false, 'silver']);
    for (const [at, value] of closed.values.entries()) assert.ok(value <= (seeing.values[at] ?? 0), `${at}`);
  },
);

test.run();
