/** Reading a TOML file of any file type: the reader never blocks or reads without end. */
import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readDocument } from '../../src/config/document.ts';
import { loader, moduleUrl } from '../support/entry.ts';
import { needs } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { patientMs } from '../support/time-limit.ts';

const module = moduleUrl('../../src/config/document.ts', import.meta.url);
const test = suite<{ folder: string }>('config document', { folder: '' });

test.before.each((context) => {
  context.folder = tempFolder('desk-document-');
});

/** The result for a path, from a separate process that is killed if it blocks. */
function saidOf(path: string): string {
  const script = `import { readDocument } from '${module}';
    const read = readDocument(process.argv[1]);
    console.log(read.ok ? 'read ' + read.bytes.length : read.problem.message);`;
  const { stdout, signal } = spawnSync(
    process.execPath,
    [...loader, '--input-type=module', '-e', script, path],
    { encoding: 'utf8', timeout: patientMs(20_000), killSignal: 'SIGKILL' },
  );
  return signal === null ? stdout.trim() : `ended by ${signal}`;
}

test('a file is read in full, up to its limit', ({ folder }) => {
  const path = join(folder, 'file.toml');
  for (const bytes of [0, 1, 4095, 4096, 4097, 100_000, 1 << 20]) {
    const text = Buffer.alloc(bytes, 'abcdefg');
    writeFileSync(path, text);
    const read = readDocument(path);
    assert.ok(read.ok && read.bytes.equals(text), String(bytes));
  }
  writeFileSync(path, Buffer.alloc((1 << 20) + 1, '#'));
  const read = readDocument(path);
  assert.ok(!read.ok && !read.absent);
  assert.match(read.ok ? '' : read.problem.message, /1048577 bytes; expected at most 1048576/);
});

test('a kernel file, which has no size, is read too', () => {
  const read = readDocument('/proc/self/status');
  assert.ok(read.ok && read.bytes.toString().startsWith('Name:'));
});

test('a file that is not regular, or too large, is refused at once', ({ folder }) => {
  const fifo = join(folder, 'fifo');
  assert.is(spawnSync('mkfifo', [fifo]).status, 0);
  assert.match(saidOf(fifo), /not a regular file/);
  const directory = join(folder, 'folder');
  mkdirSync(directory);
  assert.match(saidOf(directory), /not a regular file/);
  assert.match(saidOf('/dev/zero'), /not a regular file/);
  const loop = join(folder, 'loop');
  symlinkSync('loop', loop);
  assert.match(saidOf(loop), /too many symbolic links/);
  const large = join(folder, 'large');
  const file = openSync(large, 'w');
  ftruncateSync(file, 100 << 20);
  closeSync(file);
  assert.match(saidOf(large), /104857600 bytes/);
});

needs('root')(test, 'a regular file whose read blocks is refused at once', () => {
  assert.match(saidOf('/proc/kmsg'), /^cannot be read \((EAGAIN|EPERM)\)|^read /);
});

test.run();
