/** Children of the desk are known from their start; processes that only resemble them are judged. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { oddExecutablePath } from '../../src/checks/odd-executable-path.ts';
import type { ProcessSubject } from '../../src/checks/subjects.ts';
import { unlearnedProcess } from '../../src/checks/unlearned-process.ts';
import { isOurs } from '../../src/privileges/born.ts';
import { startPeek } from '../../src/privileges/child.ts';
import { PEEK_PROGRAM, START_PROGRAM } from '../../src/privileges/programs.ts';
import { hashText, judgeBy } from '../support/judge.ts';
import { keepsWaiting } from '../support/keeps-waiting.ts';
import { law } from '../support/peek.ts';
import { snapshotFrom } from '../support/snapshot.ts';

const test = suite<{ folder: string }>('own children', { folder: '' });
keepsWaiting(test);
test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'desk-born-'));
  chmodSync(context.folder, 0o755);
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }));

function startOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] as string;
}

test('a helper is known from its start to its end, by pid, start and program', async ({ folder }) => {
  const program = join(folder, 'desk-peek');
  copyFileSync(PEEK_PROGRAM, program);
  const child = startPeek(program);
  // Before its pid is known: what runs that program in our own tree.
  assert.ok(isOurs({ pid: 4_000_000, start: '1', executable: program }));
  await child.started;
  const pid = child.pid as number;
  const start = startOf(pid);
  const stranger = spawn(program, [], { stdio: ['pipe', 'ignore', 'ignore'] });
  await once(stranger, 'spawn');
  try {
    assert.ok(isOurs({ pid, start, executable: program }));
    assert.not.ok(isOurs({ pid, start: `${start}1`, executable: program }));
    assert.not.ok(isOurs({ pid, start, executable: '/tmp/other' }));
    const other = {
      pid: stranger.pid as number,
      start: startOf(stranger.pid as number),
      executable: program,
    };
    assert.not.ok(isOurs(other), 'the same program, started by another process');
  } finally {
    stranger.kill('SIGKILL');
    child.kill();
    await child.ended;
  }
  assert.not.ok(isOurs({ pid, start, executable: program }));
  assert.ok(isOurs({ pid: process.pid, start: startOf(process.pid), executable: process.execPath }));
});

test('only the helper process is exempt, and only from checks of its path and name', () => {
  const exe = '/tmp/desk/build/Release/desk-peek';
  const process = (pid: number) => ({ pid, start: 7n, exe, comm: 'desk-peek', identity: hashText(exe) });
  const snapshot = snapshotFrom({
    processes: [process(10), process(11), process(12), process(13)],
  });
  // The first two are in the process tree of the service; the last one is the helper that systemd starts.
  snapshot.processes.columns.own.set([1, 1, 0, 0]);
  const known = { identities: new Set<bigint>(), listeners: new Set<string>(), classes: new Set<string>() };
  const ours = ({ pid }: ProcessSubject, inTree: boolean): boolean => (inTree ? pid === 10 : pid === 13);
  const checks = [oddExecutablePath, unlearnedProcess];
  const { fails, pass, fail } = judgeBy(checks, { snapshot, law, known, isOurs: ours });
  const of = (id: string) =>
    fails.flatMap(({ check, subject }) =>
      check.id === id && subject.kind === 'process' ? [subject.pid] : [],
    );
  assert.equal(of('odd-executable-path'), [11, 12]);
  assert.equal(of('unlearned-process'), [11, 12]);
  assert.equal([pass, fail], [4, 4]);
});

test('desk-start outside of our tree is ours only in the control group of its unit', () => {
  const start = startOf(process.pid);
  assert.not.ok(isOurs({ pid: process.pid, start, executable: START_PROGRAM }, false));
  assert.not.ok(isOurs({ pid: process.pid, start, executable: process.execPath }, false));
});

test.run();
