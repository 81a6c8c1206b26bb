/** The helper desk-peek as a program, and the life of one behind `Helper`. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isRefused, type PeekFacts } from '../../src/checks/peek-facts.ts';
import { Helper } from '../../src/features/inspection/helper.ts';
import { PEEK_PROGRAM } from '../../src/privileges/programs.ts';
import { needs, ordinaryUser } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';

const test = suite<{ folder: string }>('desk-peek', { folder: '' });
test.before((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'desk-peek-'));
  chmodSync(context.folder, 0o755);
});
test.after(({ folder }) => rmSync(folder, { recursive: true, force: true }));

/** Field 22 of /proc/PID/stat. */
function startOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] as string;
}

const run = (input: string) =>
  spawnSync(PEEK_PROGRAM, [], { input, encoding: 'utf8', env: {}, timeout: patientMs(20_000) });

async function sleeper(env: Record<string, string> = {}): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn('sleep', ['60'], { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
  await once(child, 'spawn');
  return child as ChildProcess & { readonly pid: number };
}

test('it answers each request in order, one line each, and ends when its input ends', async () => {
  const child = await sleeper({ LD_LIBRARY_PATH: '/nowhere', SECRET: 'hunter2' });
  try {
    const start = startOf(child.pid);
    const result = run(`${child.pid} ${start}\n${child.pid} ${BigInt(start) + 1n}\n4194304 1\n`);
    assert.is(result.status, 0, result.stderr);
    const [first, second, third] = result.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.is(first.pid, child.pid);
    assert.is(first.start, start);
    assert.equal(first.facts.environment, { LD_LIBRARY_PATH: { text: '/nowhere', whole: true } });
    assert.not.match(result.stdout, /hunter2|SECRET/);
    assert.is(first.facts.emptyCommandLine, false);
    assert.match(first.facts.maps.first.path, /sleep|coreutils|busybox/);
    assert.equal(second, { pid: child.pid, gone: true });
    assert.equal(third, { pid: 4194304, gone: true });
  } finally {
    child.kill('SIGKILL');
  }
});

needs('root')(
  test,
  'loader variables of a set-user-ID program are not reported: the loader ignores them',
  async () => {
    // Not in a folder for temporary files, which may be mounted nosuid.
    const own = mkdtempSync('/var/lib/desk-peek-');
    try {
      chmodSync(own, 0o755);
      const path = join(own, 'sleep');
      copyFileSync('/bin/sleep', path);
      for (const [mode, environment] of [
        [0o755, { LD_LIBRARY_PATH: { text: '/nowhere', whole: true } }],
        [0o4755, {}],
      ] as const) {
        chmodSync(path, mode);
        const env = { LD_LIBRARY_PATH: '/nowhere' };
        const child = spawn(path, ['60'], { env, stdio: 'ignore', ...ordinaryUser });
        await once(child, 'spawn');
        const result = run(`${child.pid} ${startOf(child.pid as number)}\n`);
        assert.equal(JSON.parse(result.stdout).facts.environment, environment);
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  },
);

test('the executable is identified by its file, and the digest is that of the running bytes', async ({
  folder,
}) => {
  const path = join(folder, 'program');
  copyFileSync('/bin/sleep', path);
  const bytes = readFileSync(path);
  const child = spawn(path, ['60'], { stdio: 'ignore' });
  await once(child, 'spawn');
  try {
    const pid = child.pid as number;
    const start = startOf(pid);
    const ask = () =>
      run(`${pid} ${start}\n${pid} ${start} digest\n`)
        .stdout.trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    const [first, digest] = ask();
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    const { device, ...image } = first.facts.image;
    assert.match(device, /^\d+:\d+$/);
    assert.equal(image, {
      inode: String(ino),
      size: Number(size),
      modifiedNs: String(mtimeNs),
      changedNs: String(ctimeNs),
    });
    assert.equal(digest.image, first.facts.image);
    assert.is(digest.sha256, createHash('sha256').update(bytes).digest('hex'));
    // A new file at the path is not the running one.
    rmSync(path);
    writeFileSync(path, 'another program', { mode: 0o755 });
    const [after, again] = ask();
    assert.is(after.facts.image.inode, String(ino));
    assert.is(again.sha256, digest.sha256);
    assert.is.not(after.facts.image.changedNs, first.facts.image.changedNs);
  } finally {
    child.kill('SIGKILL');
  }
});

const hex = (path: string): string => Buffer.from(path).toString('hex');

test('for an ended process the file at its path is read, and only if it is a regular file', ({ folder }) => {
  const path = join(folder, 'a program\nof two lines');
  writeFileSync(path, 'its bytes');
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  symlinkSync(path, join(folder, 'link'));
  const ask = (at: string) => JSON.parse(run(`4194304 1 file ${hex(at)}\n`).stdout);
  const { ino } = statSync(path, { bigint: true });
  const result = ask(path);
  assert.is(result.pid, 4194304);
  assert.is(result.start, '1');
  assert.is(result.image.inode, String(ino));
  assert.is(result.sha256, createHash('sha256').update('its bytes').digest('hex'));
  assert.is(ask(join(folder, 'nothing')).image.code, 'ENOENT');
  for (const other of [join(folder, 'pipe'), '/dev/zero', folder, join(folder, 'link')])
    assert.is(ask(other).image.code, 'EINVAL', other);
});

test('a digest is correct for every file length', async ({ folder }) => {
  // The kernel ignores bytes after the program.
  for (const extra of [0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 4095, 262_143, 262_144, 262_145]) {
    const path = join(folder, `program-${extra}`);
    const bytes = Buffer.concat([readFileSync('/bin/sleep'), Buffer.alloc(extra, extra)]);
    writeFileSync(path, bytes, { mode: 0o755 });
    const child = spawn(path, ['60'], { stdio: 'ignore' });
    await once(child, 'spawn');
    try {
      const result = run(`${child.pid} ${startOf(child.pid as number)} digest\n`);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      assert.is(JSON.parse(result.stdout).sha256, sha256, `${extra} bytes more`);
    } finally {
      child.kill('SIGKILL');
    }
  }
});

test('an invalid request ends the helper with a reason', () => {
  for (const input of [
    'x 1\n',
    '1\n',
    '-1 1\n',
    '0 1\n',
    '1 2 3\n',
    '1 2 digests\n',
    '1 2 digest 2f\n',
    '1 2 file 2\n',
    '1 2 file 2f00\n',
    '1 2 file /bin\n',
    `${'9'.repeat(9000)} 1\n`,
    '\n',
  ]) {
    const result = run(input);
    assert.is(result.status, 1, input);
    assert.match(result.stderr, /PID START/);
  }
  assert.is(run('').status, 0);
});

test('it ends with its parent, and not on SIGINT', async () => {
  const parent = spawn(process.execPath, [
    '-e',
    `const child = require('node:child_process').spawn(process.argv[1], [], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
     const ask = (then) => {
       child.stdout.once('data', then);
       child.stdin.write(child.pid + ' 1\\n');
     };
     ask(() => {
       child.kill('SIGINT');
       ask(() => console.log(child.pid));
     });`,
    PEEK_PROGRAM,
  ]);
  const [line] = (await once(parent.stdout.setEncoding('utf8'), 'data')) as [string];
  const pid = Number(line);
  const start = startOf(pid);
  const lives = () => {
    try {
      return startOf(pid) === start;
    } catch {
      return false;
    }
  };
  assert.ok(lives());
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  while (lives()) await new Promise((resolve) => setTimeout(resolve, 5));
});

/** A shell script in place of the helper. */
function impostor(folder: string, name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  chmodSync(path, 0o755);
  return path;
}

test('one helper answers many requests, with every fact of this process', async () => {
  const helper = new Helper();
  try {
    for (let round = 0; round < 3; round++) {
      const answer = await helper.ask(process.pid, startOf(process.pid));
      assert.is(answer.kind, 'facts', JSON.stringify(answer));
      const { facts } = answer as { facts: PeekFacts };
      for (const part of ['environment', 'maps', 'descriptors', 'emptyCommandLine'] as const)
        assert.not.ok(isRefused(facts[part]), part);
    }
    assert.equal(await helper.ask(process.pid, '1'), { kind: 'gone' });
  } finally {
    await helper.close();
  }
  assert.is((await helper.ask(process.pid, startOf(process.pid))).kind, 'unavailable');
});

test('a helper that does not answer is hung: it is killed, and a new one answers the next request', async ({
  folder,
}) => {
  const program = impostor(
    folder,
    'slow',
    `while read -r pid start; do [ "$start" = 1 ] && exec sleep 60; echo "{\\"pid\\":$pid,\\"gone\\":true,\\"by\\":$$}"; done`,
  );
  const helper = new Helper({ program, deadlineMs: 400 });
  assert.equal(await helper.ask(7, '1'), { kind: 'hung' });
  assert.equal(await helper.ask(7, '2'), { kind: 'gone' });
  assert.equal(await helper.ask(8, '1'), { kind: 'hung' });
  await helper.close();
});

test('a helper that works, or waits for a processor, is not ended', async ({ folder }) => {
  const work = 'i=0; while [ $i -lt $start ]; do i=$((i+1)); done';
  const program = impostor(
    folder,
    'busy',
    `while read -r pid start; do ${work}; echo "{\\"pid\\":$pid,\\"gone\\":true}"; done`,
  );
  // Long enough to miss the deadline several times, but far from twenty times.
  const helper = new Helper({ program, deadlineMs: 100 });
  const startedMs = performance.now();
  let loops = 50_000;
  while (performance.now() - startedMs < 300) {
    assert.equal(await helper.ask(7, String(loops)), { kind: 'gone' });
    loops *= 2;
  }
  await helper.close();
});

test('a helper that ends, answers nonsense or never ends its answer is replaced', async ({ folder }) => {
  const program = impostor(
    folder,
    'wild',
    `read -r pid start
     case $start in 1) exit 3 ;; 2) echo nonsense ;; 3) echo '{"pid":9,"gone":true}' ;; 4) kill -SEGV $$ ;;
     5) yes x | tr -d '\\n' ;; *) echo "{\\"pid\\":$pid,\\"gone\\":true}" ;; esac`,
  );
  const helper = new Helper({ program, deadlineMs: 10_000 });
  const reasons: string[] = [];
  for (const start of ['1', '2', '3', '4', '5']) {
    const answer = await helper.ask(7, start);
    assert.is(answer.kind, 'broken', start);
    reasons.push(answer.kind === 'broken' ? answer.reason : '');
  }
  assert.equal(reasons, [
    'exit code 3',
    'its answer cannot be parsed',
    'its answer cannot be parsed',
    'SIGSEGV',
    'its answer has no end',
  ]);
  assert.equal(await helper.ask(7, '6'), { kind: 'gone' });
  await helper.close();
});

test('a helper that cannot be started is reported and tried again', async ({ folder }) => {
  const helper = new Helper({ program: join(folder, 'none') });
  for (let round = 0; round < 2; round++)
    assert.equal(await helper.ask(7, '1'), { kind: 'unavailable', reason: 'ENOENT' });
  writeFileSync(join(folder, 'closed'), 'x', { mode: 0o644 });
  const closed = new Helper({ program: join(folder, 'closed') });
  assert.equal(await closed.ask(7, '1'), { kind: 'unavailable', reason: 'EACCES' });
  await Promise.all([helper.close(), closed.close()]);
});

test('close answers the pending request and leaves no helper running', async ({ folder }) => {
  const program = impostor(folder, 'mute', 'echo $$ > "$(dirname "$0")/pid"; exec sleep 60');
  const helper = new Helper({ program, deadlineMs: 60_000 });
  const answer = helper.ask(7, '1');
  let pid = Number.NaN;
  while (Number.isNaN(pid) || pid === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    try {
      pid = Number(readFileSync(join(folder, 'pid'), 'utf8') || Number.NaN);
    } catch {
      // Not written yet.
    }
  }
  await helper.close();
  assert.is((await answer).kind, 'broken');
  assert.throws(() => process.kill(pid, 0), /ESRCH/);
});

test.run();
