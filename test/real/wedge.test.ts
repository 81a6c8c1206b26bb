/** Processes that block every reader of their memory: rechecks continue, each is found, and the service stops. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expect } from '../support/expect.ts';
import { testsNeeding } from '../support/require.ts';
import { wedge } from '../support/wedge.ts';
import { inspectThisMachine } from './peeking.ts';
import { makeHome, startService, until } from './running.ts';

const test = suite('hung processes');
const it = testsNeeding(test, 'FUSE', 'compiler', 'namespaces');

it('unreadable-process: a process is found after two reads without an answer, others are still checked, and it is closed when it answers', async () => {
  await using machine = inspectThisMachine();
  await using held = await wedge(1);
  const [pid = 0] = held.pids;
  const seen = await machine.inspect();
  assert.equal(seen.of(pid), ['unreadable-process high blocks-readers']);
  expect(seen.of(process.pid).filter((one) => one.startsWith('unreadable'))).equals([]);
  assert.is(machine.inspector.totals.killed, 2);
  await held.free();
  assert.equal((await machine.inspect()).of(pid), []);
});

it('with fifty such processes rechecks continue, each is found with its pid, and the service stops', async () => {
  const home = await makeHome('[loop]\nperiod_ms = 100\n');
  await using service = await startService(home);
  {
    await using held = await wedge(50);
    const generation = async () => (await service.get('/h7/live')).json.generation as number;
    const before = await generation();
    const found = async () => {
      const { json } = await service.get('/detection?avenue=scar');
      const pids = json.findings
        .filter((one: { check: string }) => one.check === 'unreadable-process')
        .flatMap((one: { members: { pids: number[] } }) => one.members.pids);
      return held.pids.every((pid) => pids.includes(pid)) && json.findings;
    };
    const findings = await until(found, 'each of them', 90_000);
    assert.ok((await generation()) > before);
    for (const one of findings) assert.is(one.severity, 'high');
    // Although they hang, the service scans, answers and stops.
    assert.is((await service.get('/status')).status, 200);
    assert.is(await service.stop(), 0);
  }
});

test.run();
