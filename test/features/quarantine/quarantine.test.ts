/** The quarantine over a real folder: what is moved, what is not and why, and that everything can be restored. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeskError } from '../../../src/base/desk-error.ts';
import { loadNative } from '../../../src/engine/native/load.ts';
import { Quarantine } from '../../../src/features/quarantine/quarantine.ts';
import { keepsWaiting } from '../../support/keeps-waiting.ts';
import { needs } from '../../support/require.ts';

const NAME = 'control.token.4194000.tmp';
const FINDING = '00112233aabbccdd';

interface Context {
  folder: string;
  state: string;
  now: string;
  quarantine: Quarantine;
}

const test = suite<Context>('quarantine', {} as Context);
const { addon } = loadNative();

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'desk-quarantine-'));
  context.state = join(context.folder, 'state');
  mkdirSync(context.state, { mode: 0o700 });
  context.now = '2026-01-02T03:04:05.000+00:00';
  context.quarantine = new Quarantine({ folder: context.state, native: addon, now: () => context.now });
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }));
keepsWaiting(test);

const put = ({ state }: Context, name = NAME, text = 'secret\n'): string => {
  const path = join(state, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
};

/** Why a file was left where it is. */
async function left({ quarantine }: Context, name = NAME): Promise<string> {
  const entry = await quarantine.setAside(name, 'its run is gone', FINDING);
  if (!('left' in entry)) throw new Error(`${name} was set aside`);
  return entry.left;
}

async function set({ quarantine }: Context, name = NAME): Promise<string> {
  const entry = await quarantine.setAside(name, 'its run is gone', FINDING);
  if ('left' in entry) throw new Error(entry.left);
  return entry.id;
}

const refusal = (work: () => unknown): DeskError => {
  try {
    work();
  } catch (error) {
    if (error instanceof DeskError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

test('a file is moved with a manifest, listed, and restored unchanged', async (context) => {
  const path = put(context);
  const inode = lstatSync(path).ino;
  const id = await set(context);
  assert.not.ok(existsSync(path));
  const folder = join(context.state, 'quarantine');
  assert.is(lstatSync(folder).mode & 0o777, 0o700);
  assert.equal(readdirSync(folder).sort(), [id, `${id}.json`]);
  assert.is(lstatSync(join(folder, `${id}.json`)).mode & 0o777, 0o600);
  const written = JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8'));
  assert.is(typeof written.modified, 'string');
  const { version, modified: _, ...manifest } = written;
  const entry = { id, name: NAME, at: context.now, why: 'its run is gone', finding: FINDING, bytes: 7 };
  assert.equal([version, manifest], [1, entry]);
  assert.equal(context.quarantine.list(), [{ ...entry, state: 'whole' }]);

  assert.equal(context.quarantine.restore(id), { ...entry, state: 'whole' });
  assert.equal([readFileSync(path, 'utf8'), lstatSync(path).ino], ['secret\n', inode]);
  assert.equal([readdirSync(folder), context.quarantine.list()], [[], []]);
});

test('nothing is restored over an existing file, and an unknown entry is an error', async (context) => {
  put(context);
  const id = await set(context);
  put(context, NAME, 'newer\n');
  const taken = refusal(() => context.quarantine.restore(id));
  assert.match(taken.message, /something is in its place already/);
  assert.match(taken.remedy, /another name/);
  assert.is(readFileSync(join(context.state, NAME), 'utf8'), 'newer\n');
  assert.is(context.quarantine.list().length, 1);
  for (const work of [
    () => context.quarantine.restore(FINDING),
    () => context.quarantine.purge({ id: FINDING }),
  ])
    assert.is(refusal(work).code, 'not-found');
});

test('purge deletes one entry, or those that are old enough', async (context) => {
  put(context);
  const old = await set(context);
  context.now = '2026-02-02T03:04:05.000+00:00';
  put(context);
  const young = await set(context);
  const ids = () => context.quarantine.list().map(({ id }) => id);
  assert.equal(ids(), [young, old]);
  const day = 86_400;
  assert.equal(context.quarantine.purge({ olderThanSec: 32 * day }), []);
  assert.equal(
    context.quarantine.purge({ olderThanSec: 30 * day }).map(({ id }) => id),
    [old],
  );
  assert.equal(ids(), [young]);
  context.quarantine.purge({ id: young });
  assert.equal([ids(), readdirSync(join(context.state, 'quarantine'))], [[], []]);
});

/** Runs with a small separate file system as the state folder. */
async function onTmpfs({ state }: Context, work: () => Promise<void>): Promise<void> {
  const run = (command: string, ...args: string[]) =>
    assert.is(spawnSync(command, [...args, state]).status, 0, [command, ...args].join(' '));
  run('mount', '-t', 'tmpfs', '-o', 'size=64k,mode=700', 'tmpfs');
  try {
    await work();
  } finally {
    run('umount', '-l');
  }
}

needs('root', 'namespaces')(
  test,
  'on a full disk nothing is set aside and everything can be restored',
  async (context) => {
    await onTmpfs(context, async () => {
      put(context);
      const id = await set(context);
      const other = put(context, 'other.tmp');
      const fill = openSync(join(context.state, 'fill'), 'w');
      assert.throws(() => {
        // Far more than the small disk holds, but harmless if this is another disk.
        for (let page = 0; page < 64; page++) writeSync(fill, Buffer.alloc(4096));
      }, /ENOSPC/);
      closeSync(fill);
      assert.match(await left(context, 'other.tmp'), /manifest .*ENOSPC/);
      assert.ok(existsSync(other));
      assert.equal(readdirSync(join(context.state, 'quarantine')).sort(), [id, `${id}.json`]);
      context.quarantine.restore(id);
      assert.is(readFileSync(join(context.state, NAME), 'utf8'), 'secret\n');
    });
  },
);

needs('root', 'namespaces')(
  test,
  'on a read-only disk nothing is changed, and the remedy is reported',
  async (context) => {
    await onTmpfs(context, async () => {
      put(context);
      const id = await set(context);
      put(context, 'other.tmp');
      assert.is(spawnSync('mount', ['-o', 'remount,ro', context.state]).status, 0);
      assert.match(await left(context, 'other.tmp'), /EROFS/);
      for (const [work, what] of [
        [() => context.quarantine.restore(id), /moved \(EROFS\)/],
        [() => context.quarantine.purge({ id }), /deleted \(EROFS\)/],
      ] as const) {
        const { message, remedy } = refusal(work);
        assert.match(message, what);
        assert.match(remedy, /writable/);
      }
      assert.equal(
        context.quarantine.list().map(({ state }) => state),
        ['whole'],
      );
    });
    // The underlying state folder is empty.
    assert.equal(context.quarantine.list(), []);
    rmSync(context.state, { recursive: true });
    assert.match(refusal(() => context.quarantine.list()).remedy, /See that the folder is there/);
  },
);

test('only a regular file of ours with a single name is moved', async (context) => {
  const outside = join(context.folder, 'outside');
  writeFileSync(outside, 'must not be touched\n');
  symlinkSync(outside, join(context.state, 'link'));
  linkSync(outside, join(context.state, 'hard'));
  mkdirSync(join(context.state, 'folder'));
  assert.match(await left(context, 'link'), /not a regular file/);
  assert.match(await left(context, 'hard'), /second name/);
  assert.match(await left(context, 'folder'), /not a regular file/);
  assert.match(await left(context, 'nothing'), /gone/);
  for (const name of ['../outside', 'folder/x', '..', '.', 'quarantine'])
    assert.match(await left(context, name), /not that of a file|gone/, name);
  assert.equal([readFileSync(outside, 'utf8'), lstatSync(outside).nlink], ['must not be touched\n', 2]);
  assert.equal(context.quarantine.list(), []);
});

test('a FIFO is not moved and does not block', async (context) => {
  const made = spawn('mkfifo', [join(context.state, 'fifo')]);
  await once(made, 'exit');
  assert.match(await left(context, 'fifo'), /not a regular file/);
});

test('a file that any running process has open is not moved', async (context) => {
  const path = put(context);
  const file = openSync(path, 'r');
  assert.match(await left(context), /a process has it open/);
  const other = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', file] });
  await once(other, 'spawn');
  closeSync(file);
  try {
    assert.match(await left(context), /a process has it open/);
  } finally {
    other.kill('SIGKILL');
    await once(other, 'exit');
  }
  assert.ok(await set(context));
});

needs('root')(test, 'a file of another user is not moved', async (context) => {
  chownSync(put(context), 65534, 65534);
  assert.match(await left(context), /belongs to another user/);
});

test('a state folder writable by others or a quarantine that is a link is refused', async (context) => {
  put(context);
  chmodSync(context.state, 0o770);
  assert.match(await left(context), /only we may write to/);
  chmodSync(context.state, 0o700);
  const outside = join(context.folder, 'outside');
  mkdirSync(outside, { mode: 0o700 });
  symlinkSync(outside, join(context.state, 'quarantine'));
  assert.match(await left(context), /its folder quarantine/);
  assert.equal(readdirSync(outside), []);
  assert.is(refusal(() => context.quarantine.list()).code, 'refused');
  rmSync(join(context.state, 'quarantine'));
  mkdirSync(join(context.state, 'quarantine'), { mode: 0o755 });
  assert.match(await left(context), /open to others/);
  assert.ok(existsSync(join(context.state, NAME)));
});

test('a state folder that is a symbolic link is refused', async (context) => {
  renameSync(context.state, join(context.folder, 'real'));
  symlinkSync(join(context.folder, 'real'), context.state);
  put(context);
  assert.match(await left(context), /state folder/);
});

test('interrupted entries and damaged manifests are reported and can be purged', async (context) => {
  put(context);
  const id = await set(context);
  const folder = join(context.state, 'quarantine');
  renameSync(join(folder, id), join(context.state, NAME));
  assert.equal(
    context.quarantine.list().map(({ id: one, name, state }) => [one, name, state]),
    [[id, NAME, 'interrupted']],
  );
  assert.match(refusal(() => context.quarantine.restore(id)).message, /interrupted/);
  const damaged = 'ffffffffffffffff';
  writeFileSync(join(folder, `${damaged}.json`), '{"version":1,', { mode: 0o600 });
  writeFileSync(join(folder, damaged), 'x', { mode: 0o600 });
  const notes = ['notes.json', 'x', '../x.json'.replaceAll('/', '-')];
  for (const name of notes) writeFileSync(join(folder, name), '{}', { mode: 0o600 });
  assert.is(context.quarantine.list().find(({ id: one }) => one === damaged)?.state, 'damaged');
  assert.match(refusal(() => context.quarantine.restore(damaged)).message, /manifest/);
  assert.is(context.quarantine.purge({ olderThanSec: 0 }).length, 2);
  assert.equal(readdirSync(folder).sort(), [...notes].sort());
});

test('invalid arguments throw, refusals are returned', async ({ state }) => {
  assert.throws(() => addon.quarantineMove(state, '', FINDING, new Uint8Array()), /name must be/);
  assert.throws(() => addon.quarantineMove(state, 'a\0b', FINDING, new Uint8Array()), /name must be/);
  const stopped = await addon.quarantineMove(state, NAME, '../../etc/passwd', new Uint8Array());
  assert.equal([stopped?.source, stopped?.code], ['name', 'EINVAL']);
  const missing = addon.quarantineList(join(state, 'nowhere'));
  assert.is('source' in missing && missing.source, 'state folder');
});

test.run();
