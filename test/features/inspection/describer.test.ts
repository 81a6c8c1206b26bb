/** Process descriptions of findings: read once, bounded, and kept with the finding. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import pino from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { offsetTime } from '../../../src/engine/time.ts';
import { Describer, MOST_A_SECOND, MOST_DESCRIBED } from '../../../src/features/inspection/describer.ts';
import { type Described, Helper } from '../../../src/features/inspection/helper.ts';
import type { Finding, ProcessAbout } from '../../../src/findings/finding.ts';
import { SMALL_MACHINE, snapshotFrom } from '../../support/snapshot.ts';
import { findingFrom } from '../../support/state.ts';

const log = pino({ level: 'silent' });
const time = (epochMs: number): string => offsetTime({ epochMs, offsetMin: 0 });

/** Of a caller that does not leave. */
const WAITS = new AbortController().signal;

const about = (pid: number, id = String(pid)): Finding =>
  findingFrom({
    id,
    subject: {
      kind: 'process',
      pid,
      start: String(pid),
      comm: 'x',
      executable: '/usr/bin/python3.11',
      identity: 'x',
      uid: 1000,
    },
  });

const processes = Array.from({ length: 600 }, (_, at) => ({
  pid: 1000 + at,
  start: BigInt(1000 + at),
  comm: 'python3',
  exe: '/usr/bin/python3.11',
}));
const snapshot = snapshotFrom({
  processes: [...SMALL_MACHINE, ...processes],
  listeners: [{ port: 8000, inode: 7, holders: [{ pid: 1001, start: '1001', fd: 3 }] }],
});

/** A describer over a helper that answers at once and records its requests. */
function made({
  commandLines = 'findings' as 'findings' | 'asked' | 'never',
  open = [] as readonly Finding[],
  refuses = false,
} = {}) {
  const asked: string[] = [];
  let closed = 0;
  let changed = 0;
  const helper = {
    describe: async (pid: number, start: string, args: boolean): Promise<Described> => {
      asked.push(`${pid} ${start} ${args}`);
      const command = ['python3', '-m', 'http.server', '--password=hunter2'];
      const words = {
        arguments: refuses ? { code: 'EACCES', errno: 13, source: 'cmdline' } : command,
        cut: false,
      };
      return {
        kind: 'described',
        about: {
          parent: { pid: 800, name: 'bash' },
          directory: '/srv/www',
          executable: '/usr/bin/python3.11',
          ...(args ? words : {}),
        },
      };
    },
    close: async () => {
      closed++;
    },
  };
  const describer = new Describer({
    ...{ commandLines, open, time, log },
    changed: () => {
      changed++;
    },
    helper: () => helper,
  });
  const attach = (
    findings: readonly Finding[],
    opened: readonly Finding[] = [],
    closing: readonly Finding[] = [],
  ) => describer.attach({ findings, opened, closed: closing }, snapshot);
  return { describer, asked, attach, counts: () => ({ changed, closed }) };
}

test('a process is read once, after the recheck that found it, and is shown from the next recheck on', async () => {
  const { describer, asked, attach, counts } = made();
  const findings = [about(1000)];
  const first = attach(findings, findings);
  assert.is(first.findings[0]?.about, null);
  assert.equal(first.described, []);
  await describer.settled(5_000);
  assert.is(counts().changed, 1);
  const second = attach(findings);
  const known = second.findings[0]?.about as ProcessAbout;
  assert.equal(second.described, second.findings);
  const { started, user: _user, ...rest } = known;
  assert.match(started, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+00:00$/);
  assert.equal(rest, {
    pid: 1000,
    start: '1000',
    name: 'python3',
    executable: '/usr/bin/python3.11',
    program: 'python3 -m http.server',
    uid: 1000,
    parent: { pid: 800, name: 'bash' },
    ancestors: [{ pid: 1, name: 'systemd' }],
    unit: '',
    directory: '/srv/www',
    command: 'python3 -m http.server --password=***',
  });
  const third = attach(findings);
  assert.equal(third.described, []);
  assert.equal(third.findings[0]?.about, known);
  // A closing finding still shows its process.
  assert.equal(attach([], [], findings).closed[0]?.about, known);
  assert.equal(asked, ['1000 1000 true']);
  await describer.close();
});

test('a listener shows its holder; files, the host and ended processes show none', async () => {
  const { describer, asked, attach } = made();
  const listener = findingFrom({
    id: 'l',
    subject: { kind: 'listener', protocol: 'tcp', address: '127.0.0.1', port: 8000, inode: 7 },
  });
  const others = [
    findingFrom({ id: 'f', subject: { kind: 'file', path: '/etc/x' } }),
    findingFrom({ id: 'h', subject: { kind: 'host', name: 'kernel' } }),
    about(4711),
    // The pid was reused by another process.
    findingFrom({
      id: 'o',
      subject: { ...(about(1002).subject as object), start: '1' } as Finding['subject'],
    }),
  ];
  attach([listener, ...others]);
  await describer.settled(5_000);
  assert.equal(asked, ['1001 1001 true']);
  assert.equal(
    attach([listener, ...others]).findings.map((one) => one.about?.pid ?? null),
    [1001, null, null, null, null],
  );
  await describer.close();
});

test('with command lines disabled they are not requested, and the program is the executable name', async () => {
  const { describer, asked, attach } = made({ commandLines: 'never' });
  attach([about(1000)]);
  await describer.settled(5_000);
  const [finding] = attach([about(1000)]).findings;
  assert.equal(asked, ['1000 1000 false']);
  assert.equal([finding?.about?.command, finding?.about?.program], [null, 'python3.11']);
  await describer.close();
});

test('the command line of a process that is asked for is read as [privacy] says', async () => {
  for (const [commandLines, ofFound, ofOthers] of [
    ['findings', true, false],
    ['asked', true, true],
    ['never', false, false],
  ] as const) {
    const { describer, asked, counts } = made({ commandLines });
    const [found, other] = await Promise.all([
      describer.one(snapshot, 1000, true, WAITS),
      describer.one(snapshot, 1001, false, WAITS),
    ]);
    assert.equal(asked, [`1000 1000 ${ofFound}`, `1001 1001 ${ofOthers}`]);
    assert.equal([found?.command !== null, other?.command !== null], [ofFound, ofOthers]);
    assert.is(counts().closed, 2, 'its helpers have ended');
    assert.is(await describer.one(snapshot, 4711, true, WAITS), null);
    await describer.close();
  }
});

test('of those that are asked for, one whose caller has left before its turn is skipped; a finding does not wait for them', async () => {
  const asked: number[] = [];
  const answers: (() => void)[] = [];
  const describer = new Describer({
    ...{ commandLines: 'findings', time, log },
    changed: () => undefined,
    helper: () => ({
      describe: async (pid): Promise<Described> => {
        asked.push(pid);
        if (pid < 1003) await new Promise<void>((resolve) => answers.push(resolve));
        return { kind: 'described', about: { parent: null, directory: '/', executable: '/usr/bin/p' } };
      },
      close: async () => undefined,
    }),
  });
  const leaving = new AbortController();
  const first = describer.one(snapshot, 1000, true, leaving.signal);
  const left = Array.from({ length: 50 }, () => describer.one(snapshot, 1001, true, leaving.signal));
  const last = describer.one(snapshot, 1002, true, WAITS);
  assert.is((await describer.now(snapshot, 1003))?.pid, 1003, 'the first one is still being read');
  assert.equal(asked.toSorted(), [1000, 1003]);
  leaving.abort();
  answers[0]?.();
  assert.is((await first)?.pid, 1000, 'what has begun ends');
  assert.ok((await Promise.all(left)).every((one) => one === null));
  while (answers.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  answers[1]?.();
  assert.is((await last)?.pid, 1002);
  assert.equal(asked.toSorted(), [1000, 1002, 1003]);
  await describer.close();
});

test('a process described before a restart is not read again', async () => {
  const before = { ...about(1000), about: { program: 'kept' } as unknown as ProcessAbout };
  const { describer, asked, attach } = made({ open: [before] });
  assert.is(attach([about(1000)]).findings[0]?.about?.program, 'kept');
  await describer.settled(5_000);
  assert.equal(asked, []);
  await describer.close();
});

test('in a flood of findings the reads per second are limited, and closed findings are forgotten', async () => {
  const { describer, asked, attach } = made();
  const many = processes.map(({ pid }) => about(pid));
  attach(many);
  await describer.settled(5_000);
  assert.is(asked.length, MOST_A_SECOND);
  assert.ok(many.length > MOST_DESCRIBED);
  attach([]);
  const { findings } = attach(many);
  assert.ok(findings.every((finding) => finding.about === null));
  await describer.close();
});

test('a failed read is repeated a few times; an ended process is not read again', async () => {
  const asked: number[] = [];
  let changed = 0;
  const describer = new Describer({
    ...{ commandLines: 'never', time, log, againMs: 1 },
    changed: () => {
      changed++;
    },
    helper: () => ({
      describe: async (pid): Promise<Described> => {
        asked.push(pid);
        if (pid === 1002) return { kind: 'gone' };
        if (pid === 1001 || asked.filter((one) => one === pid).length === 1) return { kind: 'hung' };
        return { kind: 'described', about: { parent: null, directory: '/', executable: '/usr/bin/p' } };
      },
      close: async () => undefined,
    }),
  });
  const findings = [1000, 1001, 1002].map((pid) => about(pid));
  const attach = () => describer.attach({ findings, opened: [], closed: [] }, snapshot).findings;
  attach();
  while (changed === 0 || asked.length < 6) await new Promise((resolve) => setTimeout(resolve, 5));
  const shown = attach().map((one) => one.about?.executable ?? null);
  await describer.settled(5_000);
  assert.equal(shown, ['/usr/bin/p', null, null]);
  assert.equal(asked.toSorted(), [1000, 1000, 1001, 1001, 1001, 1002]);
  await describer.close();
});

test('the real helper describes a real process', async () => {
  const child = spawn('sleep', ['987'], { cwd: '/usr', stdio: 'ignore' });
  await once(child, 'spawn');
  const helper = new Helper();
  try {
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'latin1');
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] as string;
    const answer = await helper.describe(child.pid as number, start, true);
    assert.is(answer.kind, 'described');
    const { about: described } = answer as Extract<Described, { kind: 'described' }>;
    assert.is(described.directory, '/usr');
    assert.is(described.parent?.pid, process.pid);
    assert.equal(described.arguments, ['sleep', '987']);
    const quiet = await helper.describe(child.pid as number, start, false);
    assert.not.match(JSON.stringify(quiet), /987/);
    assert.equal(await helper.describe(child.pid as number, '1', true), { kind: 'gone' });
    // A command line longer than the read limit: the argument that does not fit is omitted.
    const long = spawn('sh', ['-c', 'sleep 60; :', 'x'.repeat(4_000), 'y'.repeat(400)], { stdio: 'ignore' });
    await once(long, 'spawn');
    const line = readFileSync(`/proc/${long.pid}/stat`, 'latin1');
    const cut = await helper.describe(
      long.pid as number,
      line.slice(line.lastIndexOf(')') + 2).split(' ')[19] as string,
      true,
    );
    long.kill('SIGKILL');
    const { about: part } = cut as Extract<Described, { kind: 'described' }>;
    assert.is(part.cut, true);
    assert.equal((part.arguments as string[]).length, 4);
  } finally {
    child.kill('SIGKILL');
    await helper.close();
  }
});

test('short names of programs: command lines are read as far as that is allowed, by one helper, and only the script is shown', async () => {
  const wanted = [
    { pid: 1000, start: '1000', found: false },
    { pid: 1001, start: '1001', found: true },
    // Another process has its pid.
    { pid: 1002, start: '1', found: true },
    { pid: 999_999, start: '1', found: true },
  ];
  const name = 'python3 -m http.server';
  for (const [commandLines, expected] of [
    ['never', []],
    ['findings', [[1001, name]]],
    [
      'asked',
      [
        [1000, name],
        [1001, name],
      ],
    ],
  ] as const) {
    const { describer, asked, counts } = made({ commandLines });
    assert.equal([...(await describer.programs(snapshot, wanted, WAITS))], expected, commandLines);
    assert.equal(
      asked,
      expected.map(([pid]) => `${pid} ${pid} true`),
    );
    assert.is(counts().closed, expected.length > 0 ? 1 : 0);
    await describer.close();
  }
});

test('a program whose command line cannot be read has no short name', async () => {
  const { describer } = made({ commandLines: 'asked', refuses: true });
  const wanted = [{ pid: 1000, start: '1000', found: true }];
  assert.is((await describer.programs(snapshot, wanted, WAITS)).size, 0);
  await describer.close();
});

test('few callers wait for names of programs, and one that has left is not served', async () => {
  const { describer, asked } = made({ commandLines: 'asked' });
  const wanted = [{ pid: 1000, start: '1000', found: false }];
  const left = AbortSignal.abort();
  const answers = await Promise.all(
    [left, WAITS, WAITS, WAITS, WAITS, WAITS].map((signal) => describer.programs(snapshot, wanted, signal)),
  );
  assert.equal(
    answers.map(({ size }) => size),
    [0, 1, 1, 1, 0, 0],
  );
  assert.is(asked.length, 3);
  assert.is((await describer.programs(snapshot, wanted, WAITS)).size, 1);
  await describer.close();
});

test.run();
