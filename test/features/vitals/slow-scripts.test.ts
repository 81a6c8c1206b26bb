/** `desk slow` shows the script of an interpreter where its command line may be read, and nothing else of it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Terminal } from '../../../src/base/terminal.ts';
import type { SlowProcess } from '../../../src/desk/vitals.ts';
import { slow } from '../../../src/features/vitals/operations.ts';
import type { SlowAnswer } from '../../../src/records/vitals.ts';
import { startService } from '../../http/service.ts';
import { FakeDesk } from '../../support/fake-desk.ts';
import { findingFrom } from '../../support/state.ts';

const using = (pid: number, start: string, name: string, executable: string): SlowProcess => ({
  ...{ pid, start, name, executable, uid: 0, state: 'R' },
  ...{ cpuPercent: 50, residentBytes: 4096, readPerSec: 0, writtenPerSec: 0 },
});

const rows = [
  { pid: 700, start: 70n, comm: 'python3', exe: '/usr/bin/python3.11' },
  { pid: 701, start: 71n, comm: 'python3', exe: '/usr/bin/python3.11' },
  { pid: 702, start: 72n, comm: 'python3', exe: '/usr/bin/python3.11' },
  { pid: 703, start: 73n, comm: 'nginx', exe: '/usr/sbin/nginx' },
];
const finding = (pid: number, start: string) =>
  findingFrom({
    id: String(pid),
    subject: {
      ...{ kind: 'process', pid, start, comm: 'x', executable: '/x', identity: '/x', uid: 0 },
    },
  });

/** The record that a service answers for these processes. */
async function answered(): Promise<SlowAnswer> {
  const desk = new FakeDesk();
  // 702 is a process of today; the finding is about an earlier one with its pid.
  desk.parts = {
    snapshot: { processes: rows },
    findings: [finding(700, '70'), finding(702, '1'), finding(703, '73')],
  };
  desk.slow = rows.map(({ pid, start, comm, exe }) => using(pid, String(start), comm, exe));
  const service = await startService(desk);
  try {
    return (await service.ask('/slow')).json() as SlowAnswer;
  } finally {
    await service.stop();
  }
}

function printed(record: SlowAnswer): string {
  let text = '';
  slow.command?.print(new Terminal({ write: (part: string) => (text += part) }, {}), record, {} as never);
  return text;
}

test('only interpreters with a finding of their own are read', async () => {
  const { processes } = await answered();
  assert.equal(
    processes.map(({ pid, program }) => [pid, program]),
    [
      [700, 'python3 /opt/700.py'],
      [701, ''],
      [702, ''],
      [703, ''],
    ],
  );
});

test('those without a finding do not use up how many are read', async () => {
  const many = Array.from({ length: 25 }, (_, at) => ({
    ...{ pid: 800 + at, start: BigInt(80 + at), comm: 'python3', exe: '/usr/bin/python3.11' },
  }));
  const desk = new FakeDesk();
  desk.parts = { snapshot: { processes: many }, findings: [finding(824, '104')] };
  desk.slow = many.map(({ pid, start, comm, exe }) => using(pid, String(start), comm, exe));
  const service = await startService(desk);
  try {
    const { processes } = (await service.ask('/slow?limit=50')).json() as SlowAnswer;
    assert.is(processes.at(-1)?.program, 'python3 /opt/824.py');
  } finally {
    await service.stop();
  }
});

test('the command shows the script behind the program that the kernel names, and says why others are missing', async () => {
  const text = printed(await answered());
  assert.match(text, /python3 {2}\/usr\/bin\/python3\.11 \/opt\/700\.py$/m);
  assert.match(text, /python3 {2}\/usr\/bin\/python3\.11$/m);
  assert.match(text, '[privacy] command_lines');
});

test.run();
