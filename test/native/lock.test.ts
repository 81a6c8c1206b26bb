import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadNative } from '../../src/native/load.ts';
import type { Refusal } from '../../src/native/types.ts';
import { projectRoot } from '../support/require.ts';

const { addon: native, build } = loadNative();
const test = suite('lock');
let folder = '';

test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'desk-lock-'));
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

const code = (answer: number | Refusal) => (typeof answer === 'number' ? answer : answer.code);

function locked(path: string): number {
  const handle = native.lockFile(path);
  if (typeof handle !== 'number') throw new Error(`not locked: ${handle.code}`);
  return handle;
}

test('one holds it, a second is told, and after release it is free', () => {
  const path = join(folder, 'one.lock');
  const handle = locked(path);
  assert.is(statSync(path).mode & 0o777, 0o600);
  assert.is(native.lockHolders(path), 1);
  const second = native.lockFile(path);
  assert.is(code(second), 'EWOULDBLOCK');
  assert.is((second as Refusal).source, path);
  native.unlockFile(handle);
  assert.is(native.lockHolders(path), 0);
  native.unlockFile(locked(path));
});

test('a lock taken here is released from a worker thread: it belongs to the process', async () => {
  const path = join(folder, 'shared.lock');
  const handle = locked(path);
  const file = join(projectRoot, 'build/Release', build);
  const worker = new Worker(`require(${JSON.stringify(file)}).unlockFile(${handle})`, { eval: true });
  await once(worker, 'exit');
  assert.is(native.lockHolders(path), 0);
});

test('another process that dies lets go of it', async () => {
  const path = join(folder, 'child.lock');
  const file = join(projectRoot, 'build/Release', build);
  const script = `const n = require(${JSON.stringify(file)}); console.log(typeof n.lockFile(process.argv[1])); process.stdin.resume()`;
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const [line] = await once(child.stdout, 'data');
    assert.is(String(line).trim(), 'number');
    assert.is(native.lockHolders(path), 1);
    assert.is(code(native.lockFile(path)), 'EWOULDBLOCK');
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  assert.is(native.lockHolders(path), 0);
  native.unlockFile(locked(path));
});

test('a replaced lock file is another file', () => {
  const path = join(folder, 'replaced.lock');
  const first = locked(path);
  renameSync(path, `${path}.old`);
  const second = locked(path);
  assert.is(native.lockHolders(path), 1);
  assert.is(native.lockHolders(`${path}.old`), 1);
  native.unlockFile(first);
  assert.is(native.lockHolders(path), 1);
  native.unlockFile(second);
});

test('refusals are values: no folder, a folder, a symbolic link, no file', () => {
  assert.is(code(native.lockFile(join(folder, 'missing', 'x.lock'))), 'ENOENT');
  assert.is(code(native.lockFile(folder)), 'EISDIR');
  writeFileSync(join(folder, 'target'), '');
  symlinkSync(join(folder, 'target'), join(folder, 'link.lock'));
  assert.is(code(native.lockFile(join(folder, 'link.lock'))), 'ELOOP');
  assert.is(code(native.lockHolders(join(folder, 'nothing'))), 'ENOENT');
});

test('bad arguments throw', () => {
  assert.throws(() => native.lockFile(7 as never), /path/);
  assert.throws(() => native.lockFile('a\0b'), /NUL/);
  assert.throws(() => native.unlockFile(999_999), /not held/);
  assert.throws(() => native.unlockFile(-1), /lock/);
});

test.run();
