/** Network namespaces and their listeners: on fixture roots, and on the real machine. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressText } from '../../src/base/addresses.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { isRefusal } from '../../src/engine/native/types.ts';
import { startActorsAlone } from '../real/scene.ts';
import { compiled } from '../support/compile.ts';
import { programWords } from '../support/entry.ts';
import { needs, ordinaryUser, projectRoot } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';
import { sweepOnce } from './foreign-sweep.ts';

const { addon: native } = loadNative();
const test = suite('foreign listeners');
const report = programWords('foreign-report.ts', import.meta.url);
let folder = '';

test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'desk-foreign-'));
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** A root with the namespace of each process, including `self`. */
function rootOf(name: string, namespaces: Readonly<Record<string, string>>): string {
  const top = join(folder, name);
  mkdirSync(top);
  for (const [pid, link] of Object.entries(namespaces)) {
    mkdirSync(join(top, pid, 'ns'), { recursive: true });
    if (link !== '') symlinkSync(link, join(top, pid, 'ns/net'));
  }
  return top;
}

function withRoot<T>(path: string, act: (root: number) => T): T {
  const root = native.openRoot(path);
  if (isRefusal(root)) throw new Error(root.code);
  try {
    return act(root);
  } finally {
    native.closeRoot(root);
  }
}

const codeOf = (value: unknown): unknown => (isRefusal(value) ? value.code : value);

test('processes are grouped by other namespaces; an ended one is not counted, and a malformed link counts as unread', () => {
  const path = rootOf('some', {
    self: 'net:[100]',
    ...{ '1': 'net:[100]', '20': 'net:[300]', '9': 'net:[200]', '30': 'net:[200]', '31': '' },
    ...{ '40': 'mnt:[200]', '41': 'net:[]', '42': 'net:[99999999999]' },
  });
  assert.equal(withRoot(path, native.networkNamespaces), {
    own: 100,
    others: [
      { inode: 200, pids: [9, 30] },
      { inode: 300, pids: [20] },
    ],
    unread: [40, 41, 42],
  });
});

test('if our own namespace cannot be read, there is no answer', () => {
  const path = rootOf('selfless', { '1': 'net:[100]' });
  assert.is(codeOf(withRoot(path, native.networkNamespaces)), 'ENOENT');
});

test('a file that is not a namespace is never entered', () => {
  const path = rootOf('false', {
    self: 'net:[100]',
    '5': join(folder, 'file'),
    '6': '/dev/null',
    '7': 'net:[300]',
  });
  writeFileSync(join(folder, 'file'), '');
  const enter = (pid: number) =>
    codeOf(withRoot(path, (root) => native.listenersOf(root, Int32Array.of(pid), 300)));
  assert.equal([5, 6, 7, 8].map(enter), ['EBADMSG', 'EBADMSG', 'ESRCH', 'ESRCH']);
  // Our own namespace is one, but not the one that was requested.
  assert.is(
    codeOf(withRoot('/proc', (root) => native.listenersOf(root, Int32Array.of(process.pid), 300))),
    'ESRCH',
  );
  assert.throws(
    () => withRoot('/proc', (root) => native.listenersOf(root, Int32Array.of(1), 0)),
    /namespace/,
  );
});

const inode = (path: string): number => Number(/\d+/.exec(readlinkSync(path))?.[0]);

/** Network namespaces of our own threads. */
const ourNetworks = (): readonly string[] => [
  ...new Set(readdirSync('/proc/self/task').map((tid) => readlinkSync(`/proc/self/task/${tid}/ns/net`))),
];

needs(
  'compiler',
  'root',
  'namespaces',
  'ip',
)(test, 'TCP and UDP of another namespace with who holds them, and no thread of ours is moved', async () => {
  await using made = await startActorsAlone(['listen=0.0.0.0:7101', 'listen=127.0.0.1:7102', 'plain']);
  const namespace = inode(`/proc/${made.pid(0)}/ns/net`);
  const before = ourNetworks();
  const { listeners, closed, unread } = await sweepOnce();
  assert.equal(ourNetworks(), before);
  const there = listeners.filter((one) => one.namespace === namespace);
  assert.equal(
    there.map(({ protocol, address, port, scope, service, holders, creatorUid }) => [
      ...[protocol, address, port, scope, service, creatorUid],
      holders.map(({ pid, executable }) => `${pid} ${executable}`).join(),
    ]),
    [
      ['tcp', '0.0.0.0', 7101, 'public', true, 0, `${made.pid(0)} ${compiled('actor.cc')}`],
      ['tcp', '127.0.0.1', 7102, 'loopback', true, 0, `${made.pid(1)} ${compiled('actor.cc')}`],
    ].sort(
      (a, b) => there.findIndex(({ port }) => port === a[2]) - there.findIndex(({ port }) => port === b[2]),
    ),
  );
  // Init of some machines hides its namespace even from root.
  assert.equal([closed.has(namespace), unread.filter((pid) => made.pids.flat().includes(pid))], [false, []]);
  // A pid that has moved to another namespace is skipped.
  const root = native.openRoot('/proc') as number;
  const through = native.listenersOf(root, Int32Array.of(process.pid, made.pid(2)), namespace);
  native.closeRoot(root);
  assert.ok(!isRefusal(through));
  assert.equal([through.pid, through.listeners.length, through.refusal], [made.pid(2), 2, null]);
  assert.equal(addressText(through.listeners[0]?.address ?? new Uint8Array(0)).length > 0, true);
});

needs('root', 'namespaces', 'ip')(
  test,
  'UDP counts as a service below the ephemeral ports of its own namespace, not below ours',
  async () => {
    const program = `const d = require('dgram');
      let bound = 0;
      for (const port of [20001, 20101])
        d.createSocket('udp4').bind(port, '0.0.0.0', () => ++bound === 2 && console.log('up'));`;
    const child = spawn('unshare', [
      '--net',
      'sh',
      '-c',
      'ip link set lo up; echo 20100 20200 > /proc/sys/net/ipv4/ip_local_port_range; exec "$@"',
      ...['sh', process.execPath, '-e', program],
    ]);
    try {
      await once(child.stdout, 'data');
      const namespace = inode(`/proc/${child.pid}/ns/net`);
      const { listeners } = await sweepOnce();
      const there = listeners.filter((one) => one.namespace === namespace);
      assert.equal(
        there
          .map(({ protocol, port, service, holders }) => [protocol, port, service, holders[0]?.pid])
          .sort((a, b) => Number(a[1]) - Number(b[1])),
        [
          ['udp', 20001, true, child.pid],
          ['udp', 20101, false, child.pid],
        ],
      );
    } finally {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  },
);

needs('user namespaces', 'tree readable by others')(
  test,
  'for an ordinary user the namespaces of others are unread, and their own may not be entered',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [...report], {
      ...(process.geteuid?.() === 0 && ordinaryUser),
      cwd: projectRoot,
      env: { ...process.env, HOME: '/nonexistent' },
      timeout: patientMs(60_000),
    });
    const { seen, refusal, unread } = JSON.parse(stdout);
    assert.equal([seen, refusal], [0, 'EPERM']);
    assert.ok(unread > 0);
  },
);

test.run();
