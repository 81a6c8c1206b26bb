import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadNative } from '../../src/engine/native/load.ts';
import type { Refusal } from '../../src/engine/native/types.ts';
import { projectRoot } from '../support/require.ts';

const { addon: native, build } = loadNative();
const test = suite('lock');
let folder = '';

test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'desk-lock-'));
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

const code = (answer: number | Refusal) => (typeof answer === 'number' ? answer : answer.code);

function made(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

function locked(path: string): number {
  const handle = native.takeLock(path);
  if (typeof handle !== 'number') throw new Error(`not locked: ${handle.code}`);
  return handle;
}

test('one holder has the lock, a second is refused, and after release the lock is free', () => {
  const path = made('one');
  const handle = locked(path);
  assert.is(native.lockHolders(path), 1);
  const second = native.takeLock(path);
  assert.is(code(second), 'EWOULDBLOCK');
  assert.is((second as Refusal).source, path);
  native.releaseLock(handle);
  assert.is(native.lockHolders(path), 0);
  native.releaseLock(locked(path));
});

test('a lock can be released from a worker thread, because it belongs to the process', async () => {
  const path = made('shared');
  const handle = locked(path);
  const file = join(projectRoot, 'build/Release', build);
  const worker = new Worker(`require(${JSON.stringify(file)}).releaseLock(${handle})`, { eval: true });
  await once(worker, 'exit');
  assert.is(native.lockHolders(path), 0);
});

test('a process that ends releases its lock', async () => {
  const path = made('child');
  const file = join(projectRoot, 'build/Release', build);
  const script = `const n = require(${JSON.stringify(file)}); console.log(typeof n.takeLock(process.argv[1])); process.stdin.resume()`;
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const [line] = await once(child.stdout, 'data');
    assert.is(String(line).trim(), 'number');
    assert.is(native.lockHolders(path), 1);
    assert.is(code(native.takeLock(path)), 'EWOULDBLOCK');
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  assert.is(native.lockHolders(path), 0);
  native.releaseLock(locked(path));
});

test('a new folder at the path of a locked one has a separate lock', () => {
  const path = made('replaced');
  const first = locked(path);
  renameSync(path, `${path}.old`);
  mkdirSync(path);
  const second = locked(path);
  assert.is(native.lockHolders(path), 1);
  assert.is(native.lockHolders(`${path}.old`), 1);
  native.releaseLock(first);
  assert.is(native.lockHolders(path), 1);
  native.releaseLock(second);
});

test('the lock cannot be taken over by deleting files in the folder', () => {
  const path = made('emptied');
  writeFileSync(join(path, 'file'), '');
  const handle = locked(path);
  rmSync(join(path, 'file'));
  assert.is(code(native.takeLock(path)), 'EWOULDBLOCK');
  native.releaseLock(handle);
});

test('a file can be locked like a folder, but not through a link', () => {
  const path = join(folder, 'lock-file');
  writeFileSync(path, '');
  const handle = locked(path);
  assert.is(code(native.takeLock(path)), 'EWOULDBLOCK');
  native.releaseLock(handle);
  symlinkSync(path, `${path}-link`);
  assert.is(code(native.takeLock(`${path}-link`)), 'ELOOP');
  native.releaseLock(locked(path));
});

test('a missing folder is a refusal, not an exception', () => {
  assert.is(code(native.takeLock(join(folder, 'missing'))), 'ENOENT');
  assert.is(code(native.lockHolders(join(folder, 'nothing'))), 'ENOENT');
});

test('invalid arguments throw', () => {
  assert.throws(() => native.takeLock(7 as never), /path/);
  assert.throws(() => native.takeLock('a\0b'), /NUL/);
  assert.throws(() => native.releaseLock(999_999), /does not exist/);
  assert.throws(() => native.releaseLock(-1), /lock/);
});

test.run();
