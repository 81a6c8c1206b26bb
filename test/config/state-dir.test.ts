import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type LockCalls,
  lockPid,
  openStateDir,
  readToken,
  stateDirPath,
} from '../../src/state-folder/state-folder.ts';
import { deskWords } from '../support/entry.ts';
import { expect } from '../support/expect.ts';
import { refusal } from '../support/refusal.ts';
import { projectRoot } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { patientMs } from '../support/time-limit.ts';

const test = suite('state folder');
const nobody = 65534;
const folder = tempFolder('desk-state-');

let number = 0;
const fresh = (): string => join(folder, `state-${++number}`);
const mode = (path: string): number => statSync(path).mode & 0o7777;

test('the environment sets the state folder', () => {
  assert.is(stateDirPath({ DESK_STATE: '/a', XDG_STATE_HOME: '/x', HOME: '/h' }), '/a');
  assert.is(stateDirPath({ XDG_STATE_HOME: '/x', HOME: '/h' }), '/x/desk');
  assert.is(stateDirPath({ HOME: '/h' }), '/h/.local/state/desk');
  assert.is(refusal(() => stateDirPath({ DESK_STATE: 'relative' })).code, 'usage');
});

test('the state folder is created private, with its parents', () => {
  const path = join(fresh(), 'deep/desk');
  assert.is(openStateDir(path).path, path);
  assert.is(mode(path), 0o700);
  openStateDir(path);
});

test('a file in place of the folder is refused', () => {
  const path = fresh();
  writeFileSync(path, '');
  assert.match(refusal(() => openStateDir(path)).message, 'not a directory');
  assert.match(refusal(() => openStateDir(join(path, 'below'))).message, 'not a directory');
});

test('a folder that others may write is refused and not changed', () => {
  const path = fresh();
  mkdirSync(path);
  for (const open of [0o777, 0o770, 0o702]) {
    chmodSync(path, open);
    assert.match(refusal(() => openStateDir(path)).remedy, 'chmod 700');
    assert.is(mode(path), open);
  }
});

test('a folder that others may read is made private when it is clearly ours, else refused', () => {
  const path = fresh();
  mkdirSync(path);
  chmodSync(path, 0o755);
  openStateDir(path);
  assert.is(mode(path), 0o700);
  const foreign = fresh();
  mkdirSync(foreign);
  writeFileSync(join(foreign, 'thesis.odt'), '');
  chmodSync(foreign, 0o755);
  refusal(() => openStateDir(foreign));
  assert.is(mode(foreign), 0o755);
});

test('chmod is suggested only for a folder of the desk, never for a shared or foreign one', () => {
  const shared = fresh();
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  const foreign = fresh();
  mkdirSync(foreign);
  writeFileSync(join(foreign, 'thesis.odt'), '');
  for (const [path, modes] of [
    [shared, [0o1777, 0o1755]],
    [foreign, [0o777, 0o755]],
  ] as const)
    for (const open of modes) {
      chmodSync(path, open);
      const { remedy } = refusal(() => openStateDir(path));
      assert.match(remedy, 'DESK_STATE');
      assert.not.match(remedy, 'chmod');
      assert.is(mode(path), open);
    }
  const own = fresh();
  openStateDir(own);
  chmodSync(own, 0o770);
  assert.match(refusal(() => openStateDir(own)).remedy, `chmod 700 ${own}`);
});

test('a file that is not regular is refused before it is opened', () => {
  for (const name of ['desk.lock', 'control.token', 'mail.token', 'desk.store', 'desk.db', 'desk.db-wal']) {
    const path = fresh();
    openStateDir(path);
    rmSync(join(path, 'desk.lock'));
    // Opening the FIFO would block this process forever, so another one does it, with a timeout.
    assert.is(spawnSync('mkfifo', [join(path, name)]).status, 0);
    const { status, stderr } = spawnSync(process.execPath, [...deskWords(), 'boot'], {
      cwd: projectRoot,
      env: { PATH: process.env.PATH, HOME: folder, DESK_STATE: path },
      encoding: 'utf8',
      timeout: patientMs(20_000),
    });
    assert.is(status, 4, `${name}: ${stderr}`);
    assert.match(stderr, `${name} is a FIFO`);
    assert.match(stderr, 'mv ');
    assert.is(readToken(path, 'control.token'), undefined);
    if (name === 'desk.lock') assert.is(lockPid(path), null);
  }
});

test('a full or read-only disk is reported with a remedy, and the lock is released', () => {
  const path = fresh();
  const state = openStateDir(path, () => ({
    takeLock: (taken) => {
      if (taken !== path) return 8;
      // Root ignores permissions, so a folder in its place makes writing the pid fail.
      rmSync(join(path, 'desk.lock'));
      symlinkSync('/dev/full', join(path, 'desk.lock'));
      return 7;
    },
    releaseLock: (lock) => void released.push(lock),
    lockHolders: () => 0,
  }));
  const released: number[] = [];
  const full = refusal(() => state.lock());
  assert.match(full.message, 'ENOSPC');
  assert.match(full.remedy, 'Free space');
  assert.equal(released, [8, 7]);
});

const isRoot = process.geteuid?.() === 0;

test("another user's folder is refused", () => {
  if (!isRoot) {
    assert.match(refusal(() => openStateDir('/')).message, 'belongs to uid 0');
    return;
  }
  const path = fresh();
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, nobody, nobody);
  assert.match(refusal(() => openStateDir(path)).message, String(nobody));
});

test('a folder that cannot be written is refused', () => {
  const path = fresh();
  mkdirSync(path);
  chmodSync(path, 0o500);
  // Root may write anywhere, so it becomes another user for a moment.
  if (isRoot) {
    chmodSync(folder, 0o711);
    chownSync(path, nobody, nobody);
    process.seteuid?.(nobody);
  }
  try {
    assert.match(refusal(() => openStateDir(path)).message, 'not writable');
    assert.match(refusal(() => openStateDir(join(path, 'below'))).message, 'cannot be created');
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

test('a control token is new each time, mode 0600, 256 bits', () => {
  const state = openStateDir(fresh());
  const first = state.renewToken('control.token');
  const second = state.renewToken('control.token');
  assert.is.not(first, second);
  assert.is(Buffer.from(second, 'base64url').length, 32);
  assert.is(mode(join(state.path, 'control.token')), 0o600);
  assert.is(readToken(state.path, 'control.token'), second);
  state.removeToken('control.token');
  assert.is(readToken(state.path, 'control.token'), undefined);
});

test('the mail token is kept, unless it is damaged or readable by others', () => {
  const state = openStateDir(fresh());
  const path = join(state.path, 'mail.token');
  const first = state.keepToken('mail.token');
  assert.is(state.keepToken('mail.token'), first);
  chmodSync(path, 0o644);
  const second = state.keepToken('mail.token');
  assert.is.not(second, first);
  assert.is(mode(path), 0o600);
  writeFileSync(path, 'short\n');
  assert.is.not(state.keepToken('mail.token'), 'short');
  const elsewhere = join(state.path, 'elsewhere');
  writeFileSync(elsewhere, `${first}\n`, { mode: 0o600 });
  rmSync(path);
  symlinkSync(elsewhere, path);
  assert.is.not(state.keepToken('mail.token'), first);
  assert.is(readFileSync(elsewhere, 'utf8'), `${first}\n`);
});

test('only temporary files of ended runs are residue', () => {
  const state = openStateDir(fresh());
  assert.equal(state.residue(), []);
  const old = new Date(Date.now() - 60_000);
  const put = (name: string, at: Date): void => {
    writeFileSync(join(state.path, name), '');
    utimesSync(join(state.path, name), at, at);
  };
  put('control.token.4194000.tmp', old);
  put('mail.token.4194001.tmp', old);
  put('control.token.4194002.tmp', new Date());
  put(`control.token.${process.pid}.tmp`, old);
  put('notes.tmp', old);
  expect(state.residue().map(({ name, owner }) => [name, owner])).equals([
    ['control.token.4194000.tmp', 4194000],
    ['mail.token.4194001.tmp', 4194001],
  ]);
});

test('the time of the first start is recorded once, and a damaged record counts as long ago', () => {
  const state = openStateDir(fresh());
  const before = Date.now();
  const first = state.firstStart();
  assert.ok(first >= before && first <= Date.now());
  assert.is(openStateDir(state.path).firstStart(), first);
  writeFileSync(join(state.path, 'first-start'), 'yesterday\n');
  assert.is(state.firstStart(), 0);
});

test('a second service is refused with the pid of the first', () => {
  const path = fresh();
  const first = openStateDir(path);
  const lock = first.lock();
  try {
    assert.is(lockPid(path), process.pid);
    assert.is(first.lockHolders(), 1);
    const refused = refusal(() => openStateDir(path).lock());
    assert.match(refused.message, String(process.pid));
    assert.is(refused.code, 'refused');
  } finally {
    lock.release();
  }
  assert.is(first.lockHolders(), 0);
  openStateDir(path).lock().release();
  assert.is(mode(join(first.path, 'desk.lock')), 0o600);
});

test('a service of an earlier version, which locks only the file, is detected, and detects us', async () => {
  const state = openStateDir(fresh());
  const holder = spawn('flock', [join(state.path, 'desk.lock'), 'sh', '-c', 'echo up; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await once(holder.stdout, 'data');
    writeFileSync(join(state.path, 'desk.lock'), `${holder.pid}\n`);
    const { code, message } = refusal(() => state.lock());
    assert.is(code, 'refused');
    assert.match(message, `A desk service of an earlier version (pid ${holder.pid}) runs on`);
    // The lock is still the other service's, and nothing of ours is left.
    assert.is(lockPid(state.path), holder.pid);
    assert.is(state.lockHolders(), 0);
  } finally {
    holder.stdin.end();
    await once(holder, 'close');
  }
  const lock = state.lock();
  const asEarlier = () => spawnSync('flock', ['--nonblock', join(state.path, 'desk.lock'), 'true']).status;
  assert.is(asEarlier(), 1);
  lock.release();
  assert.is(asEarlier(), 0);
});

test('a lock that the kernel refuses is reported with the error code', () => {
  const calls: LockCalls = {
    takeLock: () => ({ errno: 30, code: 'EROFS', source: 'open' }),
    releaseLock: () => undefined,
    lockHolders: () => ({ errno: 13, code: 'EACCES', source: 'locks' }),
  };
  const state = openStateDir(fresh(), () => calls);
  assert.match(refusal(() => state.lock()).message, 'EROFS');
  assert.match(refusal(() => state.lock()).remedy, 'Mount');
  assert.is(state.lockHolders(), 0);
});

test('a password is used only when its file is private', () => {
  const state = openStateDir(fresh());
  const path = join(folder, `password-${number}`);
  assert.is(state.passwordSet(''), false);
  assert.is(state.passwordSet(path), false);
  writeFileSync(path, 'secret\n', { mode: 0o600 });
  assert.is(state.passwordSet(path), true);
  chmodSync(path, 0o640);
  assert.is(state.passwordSet(path), false);
  chmodSync(path, 0o600);
  writeFileSync(path, '');
  assert.is(state.passwordSet(path), false);
  assert.ok(existsSync(path));
});

test.run();
