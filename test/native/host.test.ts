/** Facts of the host in fixture folders, and on the real machine where two readings can be compared. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HostResult } from '../../src/engine/native/host-types.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { isRefusal } from '../../src/engine/native/types.ts';
import { keepsWaiting } from '../support/keeps-waiting.ts';
import { startSleeper } from '../support/sleeper.ts';

const { addon: native } = loadNative();
const test = suite('host');
let folder = '';
let made = 0;

test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'desk-host-'));
});
test.after(() => rmSync(folder, { recursive: true, force: true }));
keepsWaiting(test);

type Files = Readonly<Record<string, string>>;

/** A fixture machine: files by path, links by `path -> target` and folders by `path/`. */
function machine(files: Files): string {
  const top = join(folder, String(made++));
  mkdirSync(join(top, 'proc'), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const [path = '', target] = name.split(' -> ');
    const file = join(top, path);
    mkdirSync(dirname(file), { recursive: true });
    if (target !== undefined) symlinkSync(target, file);
    else if (path.endsWith('/')) mkdirSync(file, { recursive: true });
    else writeFileSync(file, content);
  }
  return top;
}

async function withRoot<T>(path: string, read: (root: number) => T | Promise<T>): Promise<T> {
  const root = native.openRoot(path);
  if (isRefusal(root)) throw new Error(root.code);
  try {
    return await read(root);
  } finally {
    native.closeRoot(root);
  }
}

function hostOf(files: Files): Promise<HostResult> {
  const top = machine(files);
  return withRoot(join(top, 'proc'), (root) => native.host(root, join(top, 'sys'), top));
}

/** The code of a refusal, or the value. */
const codeOf = (value: unknown): unknown => (isRefusal(value) ? value.code : value);

test('an empty machine has no libraries, no packet sockets and no sessions', async () => {
  const { preload, packets, promiscuous, covers, sessionUids } = await hostOf({});
  assert.equal(preload, { bytes: 0, libraries: [] });
  assert.equal(packets, { sockets: [], holders: [], complete: true });
  assert.is(codeOf(promiscuous), 'ENOENT');
  assert.is(codeOf(covers), 'ENOENT');
  assert.equal(sessionUids, []);
});

test('ld.so.preload is parsed as the dynamic linker parses it', async () => {
  const libraries = async (text: string) => {
    const { preload } = await hostOf({ 'etc/ld.so.preload': text });
    return isRefusal(preload) ? preload.code : [preload.bytes, ...preload.libraries];
  };
  assert.equal(await libraries(''), [0]);
  assert.equal(await libraries('\n# nothing\n'), [11]);
  assert.equal(await libraries('/lib/a.so\n'), [10, '/lib/a.so']);
  assert.equal(await libraries(' /a.so:/b.so\t/c.so # /d.so\n/e.so'), [
    32,
    '/a.so',
    '/b.so',
    '/c.so',
    '/e.so',
  ]);
  assert.equal(await libraries('#/a.so\r\n/b\xff.so'), [15, '/b\u00ff.so']);
  const top = machine({ 'etc/ld.so.preload/': '' });
  const { preload } = await withRoot(join(top, 'proc'), (root) => native.host(root, top, top));
  assert.is(codeOf(preload), 'EISDIR');
});

test('an endless preload file is cut, and a fifo in its place does not block', async () => {
  const { preload } = await hostOf({ 'etc/ld.so.preload': '/a.so '.repeat(20_000) });
  assert.is(!isRefusal(preload) && preload.bytes, 65_536);
  const top = machine({ 'etc/': '' });
  execFileSync('mkfifo', [join(top, 'etc/ld.so.preload')]);
  const fifo = await withRoot(join(top, 'proc'), (root) => native.host(root, top, top));
  assert.equal(fifo.preload, { bytes: 0, libraries: [] });
});

const PACKET_HEAD = 'sk       RefCnt Type Proto  Iface R Rmem   User   Inode\n';

test('packet sockets have protocol, interface and creator; malformed lines are a refusal', async () => {
  const table = `${PACKET_HEAD}0000000000000000 3      3    0003   2     1 0      0      17523 \n00000000a1b2c3d4 3      2    88cc   0     1 1280   998    4294967295 \n`;
  const { packets } = await hostOf({ 'proc/net/packet': table });
  assert.equal(!isRefusal(packets) && packets.sockets, [
    { inode: 17523, uid: 0, protocol: 3, type: 3, interface: 2 },
    { inode: 4294967295, uid: 998, protocol: 0x88cc, type: 2, interface: 0 },
  ]);
  for (const bad of [
    '',
    'nonsense',
    `${PACKET_HEAD}x\n`,
    `${PACKET_HEAD}0 3 3 zz 2 1 0 0 5\n`,
    `${PACKET_HEAD}0 3 3 0003 2 1 0 0\n`,
  ])
    assert.is(codeOf((await hostOf({ 'proc/net/packet': bad })).packets), 'EBADMSG', bad);
});

test('promiscuous interfaces are found by flag, each with its kind', async () => {
  const net = (name: string, flags: string, more: Files = {}): Files => ({
    [`sys/class/net/${name}/flags`]: `${flags}\n`,
    [`sys/class/net/${name}/ifindex`]: '5\n',
    [`sys/class/net/${name}/iflink`]: '5\n',
    ...Object.fromEntries(
      Object.entries(more).map(([path, text]) => [`sys/class/net/${name}/${path}`, text]),
    ),
  });
  const { promiscuous } = await hostOf({
    ...net('lo', '0x9'),
    ...net('eth0', '0x1103'),
    ...net('eth1', '0x1003'),
    ...net('br0', '0x1103', { 'bridge/': '' }),
    ...net('veth1', '0x1103', { iflink: '9\n', 'brport/': '' }),
    ...net('veth2', '0x1103', { iflink: '9\n' }),
    ...net('bond-port', '0x1903', { 'master -> ../bond0': '' }),
    ...net('wlan0', '0x1103', { uevent: 'DEVTYPE=wlan\nINTERFACE=wlan0\n' }),
    'sys/class/net/bonding_masters': 'bond0\n',
  });
  assert.equal(!isRefusal(promiscuous) && promiscuous.map(({ name, kind }) => `${name} ${kind}`), [
    'bond-port port',
    'br0 bridge',
    'eth0 plain',
    'veth1 port',
    'veth2 link',
    'wlan0 wlan',
  ]);
  for (const flags of ['1103', '0xzz', '', '0x'])
    assert.is(codeOf((await hostOf(net('eth0', flags))).promiscuous), 'EBADMSG', flags);
});

test('sessions of logged-in users are listed', async () => {
  assert.equal(
    (await hostOf({ 'run/user/1000/': '', 'run/user/0/': '', 'run/user/gdm/': '' })).sessionUids,
    [0, 1000],
  );
  assert.is(codeOf((await hostOf({ 'run/user': 'a file' })).sessionUids), 'ENOTDIR');
});

test('on this machine the table of mounts is read, and nothing is mounted over a process', async () => {
  const { covers } = await withRoot('/proc', (root) => native.host(root, '/sys', '/'));
  assert.equal(covers, []);
});

test('the taint flags of the kernel are read', async () => {
  const taint = (text: string) =>
    withRoot(join(machine({ 'proc/sys/kernel/tainted': text }), 'proc'), (root) =>
      codeOf(native.kernelTaint(root)),
    );
  assert.is(await taint('0\n'), 0n);
  assert.is(await taint('12289\n'), 12289n);
  assert.is(await taint('18446744073709551615\n'), 18446744073709551615n);
  for (const bad of ['', '-1\n', 'x', '18446744073709551616\n']) assert.is(await taint(bad), 'EBADMSG', bad);
  const real = await withRoot('/proc', (root) => native.kernelTaint(root));
  assert.is(real, BigInt(readFileSync('/proc/sys/kernel/tainted', 'latin1')));
});

async function modulesOf(files: Files) {
  const top = machine(files);
  const views = await withRoot(join(top, 'proc'), (root) => native.moduleViews(root, join(top, 'sys')));
  return isRefusal(views) ? views.code : [views.onlyListed, views.onlyInSys, views.both];
}

test('the two lists of modules are compared: loaded ones have an initstate, built-in and loading ones are skipped', async () => {
  const listed = [
    'snd 126976 2 snd_pcm,snd_timer, Live 0x0000000000000000',
    'rootkit 16384 0 - Live 0xffffffffc0000000 (OE)',
    'coming 16384 1 - Loading 0x0000000000000000',
    '',
  ].join('\n');
  const loaded = (name: string, state = 'live') => ({ [`sys/module/${name}/initstate`]: `${state}\n` });
  assert.equal(
    await modulesOf({
      'proc/modules': listed,
      ...loaded('snd'),
      ...loaded('hidden'),
      ...loaded('going', 'going'),
      'sys/module/kernel/parameters/x': '1',
      'sys/module/file': '',
    }),
    [['rootkit'], ['hidden'], 1],
  );
  assert.equal(await modulesOf({}), [[], [], 0]);
  assert.equal(await modulesOf({ 'proc/modules': '' }), [[], [], 0]);
  assert.is(await modulesOf({ 'proc/modules': listed }), 'ENOENT');
  assert.is(await modulesOf(loaded('hidden')), 'ENOENT');
  for (const bad of ['snd\n', 'snd x 0 - Live 0x0\n', '\n'])
    assert.is(await modulesOf({ 'proc/modules': bad }), 'EBADMSG', bad);
});

const DEVICES = 'Character devices:\n  1 mem\n  5 /dev/tty\n\nBlock devices:\n  8 sd\n250 virtblk\n';

async function devicesOf(files: Files) {
  const top = machine(files);
  const read = await withRoot(join(top, 'proc'), (root) => native.strangeNodes(root, join(top, 'dev')));
  if (isRefusal(read)) throw new Error(read.code);
  return { ...read, paths: read.strange.map(({ path, kind }) => `${path} ${kind}`).sort() };
}

test('files below /dev that are not devices are found at any depth, except links and memory folders', async () => {
  const read = await devicesOf({
    'proc/devices': DEVICES,
    'dev/.udev/db/x': 'abc',
    'dev/config': '',
    'dev/shm/a': '1',
    'dev/mqueue/b': '1',
    'dev/pts/c': '1',
    'dev/net/shm/d': '1',
    'dev/stdin -> /proc/self/fd/0': '',
    'dev/out -> ../etc': '',
  });
  assert.equal(read.paths, ['.udev/db/x regular file', 'config regular file', 'net/shm/d regular file']);
  assert.equal([read.majors, read.unseen, read.cut], [null, [], false]);
  assert.is(read.strange.find(({ path }) => path === '.udev/db/x')?.bytes, 3);
});

test('a deep folder is reported as unseen, a long list is cut, and without a driver table devices are not judged', async () => {
  const deep = await devicesOf({ 'proc/devices': DEVICES, 'dev/1/2/3/4/5/6/7/8/9/x': '' });
  assert.equal([deep.paths, deep.unseen], [[], ['1/2/3/4/5/6/7/8']]);
  const crowd = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`dev/${at}`, '']));
  const many = await devicesOf({ 'proc/devices': DEVICES, ...crowd });
  assert.equal([many.strange.length, many.strangeCount, many.entries], [64, 100, 100]);
  assert.is(codeOf((await devicesOf({ 'dev/': '' })).majors), 'ENOENT');
  assert.is(codeOf((await devicesOf({ 'dev/': '', 'proc/devices': 'Block devices:\n' })).majors), 'EBADMSG');
});

test('every device of this machine is known', async () => {
  const read = await withRoot('/proc', (root) => native.strangeNodes(root, '/dev'));
  if (isRefusal(read)) throw new Error(read.code);
  assert.ok(read.entries > 5);
  assert.equal(
    read.strange.filter(({ kind }) => kind === 'unknown device'),
    [],
  );
});

test('an executable is reported as deleted, linked elsewhere, or a name that ends in (deleted)', async () => {
  const at = (name: string) => join(folder, name);
  const program = '/bin/sleep';
  for (const name of ['gone', 'linked', 'own (deleted)', 'kept']) copyFileSync(program, at(name));
  await using gone = await startSleeper(at('gone'));
  await using linked = await startSleeper(at('linked'));
  await using own = await startSleeper(at('own (deleted)'));
  await using kept = await startSleeper(at('kept'));
  unlinkSync(at('gone'));
  renameSync(at('linked'), at('linked before'));
  execFileSync('ln', [at('linked before'), at('another name')]);
  // The kernel follows a rename; it reports "deleted" only when another link remains.
  execFileSync('ln', [at('another name'), at('third')]);
  unlinkSync(at('linked before'));
  const pids = Int32Array.of(gone.pid, linked.pid, own.pid, kept.pid, 4_194_000);
  const fates = await withRoot('/proc', (root) => native.executableFates(root, pids));
  assert.equal(fates.map(codeOf), ['unlinked', 'linked', 'own name', 'linked', 'ENOENT']);
});

test('invalid arguments throw', async () => {
  await withRoot('/proc', (root) => {
    assert.throws(() => native.host(root, '/sys', 'a\0b'), /NUL/);
    assert.throws(() => native.host(-1, '/sys', ''), /root/);
    assert.throws(() => native.executableFates(root, new Uint8Array(1) as never), /Int32Array|pids/);
    assert.throws(() => native.strangeNodes(root, 5 as never), /dev/);
  });
});

test.run();
