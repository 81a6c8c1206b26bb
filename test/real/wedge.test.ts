/** Fifty processes that block anyone who reads their memory: rechecks go on, each is found, the service stops. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expect } from '../support/expect.ts';
import { testsNeeding } from '../support/require.ts';
import { wedge } from '../support/wedge.ts';
import { peekAtThisMachine } from './peeking.ts';
import { makeHome, startService, until } from './running.ts';

const test = suite('hung processes');
const it = testsNeeding(test, 'FUSE', 'compiler', 'namespaces');

it('unreadable-process: one is found twice unanswered, the others are checked meanwhile, and it is let go when it answers', async () => {
  await using machine = peekAtThisMachine();
  await using held = await wedge(1);
  const [pid = 0] = held.pids;
  const seen = await machine.look();
  assert.equal(seen.of(pid), ['unreadable-process high blocks-readers']);
  expect(seen.of(process.pid).filter((one) => one.startsWith('unreadable'))).equals([]);
  assert.is(machine.inspector.totals.killed, 2);
  await held.free();
  assert.equal((await machine.look()).of(pid), []);
});

it('fifty at once: rechecks go on, each is found with its pid, the service stops', async () => {
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
