/** Which processes a shutdown would signal, as a pure function: never a protected one, on any machine. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketMaker, Standing } from '../../../src/engine/native/act-types.ts';
import { FACT, PF_KTHREAD } from '../../../src/engine/native/types.ts';
import type { Listener } from '../../../src/engine/snapshot.ts';
import { adviceFor } from '../../../src/features/remedies/advice.ts';
import { planShutdown } from '../../../src/features/remedies/plan.ts';
import type { Law, Suppression } from '../../../src/policy/law.ts';
import { SMALL_MACHINE, snapshotFrom } from '../../support/snapshot.ts';
import type { ProcessRow } from '../../support/table.ts';

const SELF = 900;
const law: Pick<Law, 'bannedPorts' | 'suppressions'> = { bannedPorts: new Set([8766]), suppressions: [] };
const ALL_FACTS = Object.values(FACT).reduce((mask, bit) => mask | bit, 0);

interface Scene {
  readonly processes?: readonly ProcessRow[];
  readonly holders: readonly number[];
  readonly listener?: Partial<Listener>;
  readonly unread?: number;
  /** Default: `creator-uid` for a holder with the creator's uid, as when the creation was not observed. */
  readonly standings?: Readonly<Record<number, Standing>>;
  readonly maker?: SocketMaker;
  readonly suppressions?: Law['suppressions'];
}

const UNKNOWN = { standingOf: (): Standing => 'creator-uid', maker: null };

function plan({ processes = [], holders, listener = {}, unread = 0, suppressions = [], ...known }: Scene) {
  const held = holders.map((pid) => ({ pid, start: String(pid), fd: 3 }));
  const snapshot = snapshotFrom({
    processes: [...SMALL_MACHINE, ...processes],
    listeners: [{ port: 8766, holders: held, ...listener }],
  });
  const [found] = snapshot.listeners as [Listener];
  const { standings, maker = null } = known;
  const uidOf = (pid: number) => snapshot.processes.columns.uid[snapshot.processes.rowOf(pid)];
  const standingOf = (pid: number): Standing =>
    standings?.[pid] ?? (uidOf(pid) === found.creatorUid ? 'creator-uid' : 'other');
  const parts = { snapshot, listener: found, law: { ...law, suppressions }, self: SELF };
  return planShutdown({ ...parts, holders, unread, standingOf, maker });
}

const reason = (scene: Scene): string => {
  const made = plan(scene);
  return made.kind === 'refuse' ? made.reason : made.targets.map(({ pid }) => pid).join(' ');
};

const evil = (pid: number, more: Partial<ProcessRow> = {}): ProcessRow => ({
  pid,
  exe: '/tmp/evil',
  comm: 'evil',
  ...more,
});

test('a single holder is signalled, and a process tree from the deepest child up', () => {
  assert.is(reason({ processes: [evil(1000)], holders: [1000] }), '1000');
  const tree = [
    evil(1000),
    evil(1001, { ppid: 1000 }),
    evil(1002, { ppid: 1001 }),
    evil(1003, { ppid: 1000 }),
  ];
  assert.is(reason({ processes: tree, holders: [1000, 1001, 1002, 1003] }), '1002 1001 1003 1000');
  // A parent between them that does not hold the socket still connects them.
  assert.is(reason({ processes: tree, holders: [1000, 1002] }), '1002 1000');
});

test('an exempt listener is not shut down until the exemption ends', () => {
  const suppression = (more: Partial<Suppression>): Suppression => ({
    checks: ['banned-listener'],
    why: 'under investigation',
    expiresMs: null,
    source: 'accepted',
    name: '',
    ...more,
  });
  const { epochMs } = snapshotFrom().at;
  const table: readonly (readonly [string, Partial<Suppression>])[] = [
    ['allowed', { port: 8766 }],
    // The executable of any holder that the descriptor search found.
    ['allowed', { executable: ['/tmp/evil'] }],
    ['allowed', { port: 8766, expiresMs: epochMs + 1 }],
    ['1000', { port: 8766, expiresMs: epochMs }],
    ['1000', { port: 8765 }],
    ['1000', { executable: ['/usr/bin/good'] }],
    ['1000', { port: 8766, checks: [] }],
  ];
  for (const [expected, more] of table) {
    const scene = { processes: [evil(1000)], holders: [1000], suppressions: [suppression(more)] };
    assert.is(reason(scene), expected, JSON.stringify(more));
  }
});

test('each refusal has its reason', () => {
  const table: readonly (readonly [string, Scene])[] = [
    ['not-banned', { processes: [evil(1000)], holders: [1000], listener: { port: 8765 } }],
    ['no-holder', { holders: [] }],
    ['init', { holders: [1] }],
    ['init', { holders: [2] }],
    ['init', { processes: [evil(1000)], holders: [1, 1000] }],
    ['kernel-thread', { holders: [3] }],
    ['ourselves', { holders: [SELF] }],
    ['helper', { processes: [evil(1000, { ppid: SELF })], holders: [1000] }],
    ['helper', { processes: [evil(1000, { ppid: 999 }), evil(999, { ppid: SELF })], holders: [1000] }],
    ['unreadable', { holders: [4000] }],
    ['unreadable', { processes: [evil(1000, { exe: '' })], holders: [1000] }],
    ['unreadable', { processes: [evil(1000, { seen: ALL_FACTS & ~FACT.status })], holders: [1000] }],
    ['other-pid-namespace', { processes: [evil(1000, { nsPid: 77 })], holders: [1000] }],
    ['mixed', { processes: [evil(1000), { pid: 1001, exe: '/usr/bin/nc' }], holders: [1000, 1001] }],
    ['no-tree', { processes: [evil(1000), evil(1001)], holders: [1000, 1001] }],
    ['not-maker', { processes: [evil(1000, { uid: 7 })], holders: [1000], listener: { creatorUid: 0 } }],
    ['not-maker', { processes: [evil(1000)], holders: [1000], standings: { 1000: 'other' } }],
  ];
  for (const [wanted, scene] of table) assert.is(reason(scene), wanted, JSON.stringify(scene.holders));
});

test('if an ancestor of the desk is a holder, the whole shutdown is refused', () => {
  const processes = SMALL_MACHINE.filter(({ pid }) => pid !== SELF).concat([
    { pid: 850, ppid: 800, exe: '/usr/bin/sudo' },
    { pid: SELF, ppid: 850, comm: 'node', exe: '/usr/bin/node' },
    evil(1000),
  ]);
  for (const holders of [[800], [850], [800, 1000]]) {
    const snapshot = snapshotFrom({
      processes,
      listeners: [{ port: 8766, holders: holders.map((pid) => ({ pid, start: String(pid), fd: 3 })) }],
    });
    const [listener] = snapshot.listeners as [Listener];
    const made = planShutdown({ snapshot, listener, law, self: SELF, ...UNKNOWN });
    assert.is(made.kind === 'refuse' && made.reason, 'ancestor');
  }
});

test('holders not responsible for the socket are not signalled and do not protect those that are', () => {
  const innocent = { pid: 1001, uid: 104, exe: '/usr/bin/dbus-daemon' };
  const foreign = evil(1002, { nsPid: 77 });
  const unreadable = evil(1003, { exe: '' });
  const processes = [evil(1000), innocent, foreign, unreadable];
  assert.is(reason({ processes, holders: [1000, 1001, 1002, 1003] }), '1000');
  assert.is(reason({ processes, holders: [1001, 1002, 1003] }), 'not-maker');
  assert.is(reason({ processes, holders: [1002, 1003] }), 'other-pid-namespace');
  // A holder that keeps the machine running or restarts the others still blocks the shutdown.
  assert.is(reason({ processes, holders: [1, 1000, 1001] }), 'init');
});

test('if the creator is known, each target has its own evidence', () => {
  const processes = [evil(1000), evil(1001, { ppid: 1000 }), { pid: 1002, ppid: 1000, exe: '/usr/bin/nc' }];
  const maker = { pid: 1000, uid: 1000, start: 1000n };
  const standings = { 1000: 'maker', 1001: 'shares-maker', 1002: 'other' } as const;
  assert.is(reason({ processes, holders: [1000, 1001, 1002], standings, maker }), '1001 1000');
  assert.is(reason({ processes, holders: [1002], standings, maker }), 'not-maker');
  // A creator that now runs another program does not protect processes that share its earlier program.
  const became = [{ pid: 1000, exe: '/usr/bin/sleep' }, evil(1001, { ppid: 1000 })];
  assert.is(reason({ processes: became, holders: [1000, 1001], standings, maker }), '1001 1000');
});

test('if the creator is known, a holder with its own evidence need not be a child of another holder', () => {
  const maker = { pid: 1000, uid: 1000, start: 1000n };
  // Forked twice: the orphan's parent is pid 1. Plus a chain of two.
  const processes = [evil(1000), evil(1001), evil(1002, { ppid: 1001 }), { pid: 1003, exe: '/usr/bin/nc' }];
  const standings = { 1000: 'maker', 1001: 'shares-maker', 1002: 'shares-maker', 1003: 'other' } as const;
  assert.is(reason({ processes, holders: [1000, 1001], standings, maker }), '1000 1001');
  assert.is(reason({ processes, holders: [1000, 1001, 1002, 1003], standings, maker }), '1002 1000 1001');
  // The creator has ended.
  assert.is(reason({ processes, holders: [1001, 1002], standings, maker }), '1002 1001');
  // Creator unknown: the uid alone does not show which of the user's processes are involved.
  assert.is(reason({ processes, holders: [1000, 1001] }), 'no-tree');
  // A holder that keeps the machine running or restarts the others still blocks the shutdown.
  assert.is(reason({ processes, holders: [1, 1000, 1001], standings, maker }), 'init');
});

test('a refusal names the creator, the holder and a command that affects no process', () => {
  const scene = { processes: [evil(1000, { uid: 7 })], holders: [1000], listener: { creatorUid: 1000 } };
  const known = { ...scene, maker: { pid: 1234, uid: 1000, start: 1n } };
  for (const [made, about] of [
    ['uid 1000', scene],
    ['pid 1234 of uid 1000', known],
  ] as const) {
    const refused = plan(about);
    assert.is(refused.kind, 'refuse');
    if (refused.kind !== 'refuse') continue;
    assert.is(
      refused.text,
      `${made} made it and /tmp/evil (pid 1000, uid 7) holds it: there is no evidence that this process made it`,
    );
    assert.match(refused.advice, "ss --kill --tcp --listening 'src 127.0.0.1 and sport = :8766'");
  }
  const six = plan({ ...scene, listener: { ...scene.listener, family: 6, address: '::' } });
  assert.match(six.kind === 'refuse' ? six.advice : '', "'src [::] and sport = :8766'");
  const udp = plan({ ...scene, listener: { ...scene.listener, protocol: 'udp' } });
  assert.match(
    udp.kind === 'refuse' ? udp.advice : '',
    /^look at it with ps .* -p 1000 and end it yourself$/,
  );
});

test('unreadable processes never make a holder responsible for the socket', () => {
  const own = { processes: [evil(1000, { uid: 1000 })], holders: [1000], unread: 5 };
  assert.is(reason(own), '1000');
  for (const unread of [0, 5])
    assert.is(reason({ ...own, unread, listener: { creatorUid: 33 } }), 'not-maker');
  const none = plan({ holders: [], unread: 5 });
  assert.match(none.kind === 'refuse' ? none.text : '', /, and 5 could not be read$/);
});

test('on any machine, no protected process is signalled, and every refusal says what to do', () => {
  const row = fc.record({
    ppid: fc.constantFrom(0, 1, 2, SELF, 1000, 1001, 1002, 1003, 800),
    uid: fc.constantFrom(0, 7, 1000),
    exe: fc.constantFrom('/tmp/evil', '/tmp/evil', '/usr/bin/nc', ''),
    flags: fc.constantFrom(0, 0, 0, PF_KTHREAD),
    nsPid: fc.constantFrom(undefined, undefined, 77, 0),
    seen: fc.constantFrom(ALL_FACTS, ALL_FACTS, ALL_FACTS & ~FACT.stat, ALL_FACTS & ~FACT.nsPid),
    cgroup: fc.constantFrom(
      '/',
      '/system.slice/evil.service',
      '/docker/0123456789abcdef',
      '/;rm -rf x.service',
    ),
  });
  const holders = fc.uniqueArray(fc.constantFrom(1, 2, 3, 500, 800, SELF, 1000, 1001, 1002, 1003, 4000), {
    maxLength: 5,
  });
  const any = fc.tuple(row, row, row, row, holders, fc.nat({ max: 2 }), fc.constantFrom(0, 7, 1000));
  let signalled = 0;
  fc.assert(
    fc.property(any, ([a, b, c, d, holding, unread, creatorUid]) => {
      const rows = [a, b, c, d].map(({ nsPid, ...parts }, at) => ({
        pid: 1000 + at,
        ...parts,
        ...(nsPid === undefined ? {} : { nsPid }),
      }));
      const made = plan({ processes: rows, holders: holding, unread, listener: { creatorUid } });
      if (made.kind === 'refuse') {
        assert.ok(made.text.length > 5 && made.advice.length > 5);
        assert.not.match(made.text + made.advice, /[;\n]/);
        return;
      }
      signalled++;
      const pids = made.targets.map(({ pid }) => pid);
      assert.ok(pids.every((pid) => (holding as readonly number[]).includes(pid)));
      const parent = (pid: number): number =>
        rows.find((one) => one.pid === pid)?.ppid ?? (pid === 1 ? 0 : 1);
      const above = (pid: number): number[] => {
        const chain: number[] = [];
        for (let at = parent(pid); at > 0 && !chain.includes(at); at = parent(at)) chain.push(at);
        return chain;
      };
      for (const target of made.targets) {
        const about = rows.find(({ pid }) => pid === target.pid);
        assert.ok(target.pid > 2 && target.pid !== SELF && !above(SELF).includes(target.pid));
        assert.not.ok(above(target.pid).includes(SELF), 'a process of the desk');
        if (about === undefined) continue;
        assert.is(about.flags & PF_KTHREAD, 0);
        assert.ok(about.exe !== '' && about.nsPid === undefined && about.seen === ALL_FACTS);
      }
      assert.is(new Set(made.targets.map(({ executable, uid }) => `${executable} ${uid}`)).size, 1);
      assert.is(
        pids.filter((pid) => !above(pid).some((one) => one !== pid && pids.includes(one))).length,
        1,
        'one tree',
      );
      pids.forEach((pid, at) => {
        assert.not.ok(
          above(pid).some((one) => pids.slice(0, at).includes(one)),
          'children first',
        );
      });
      for (const { uid } of made.targets) assert.is(uid, creatorUid, 'the uid of the creator');
    }),
    { numRuns: 2_000 },
  );
  assert.ok(signalled > 20, `${signalled} plans signal a process`);
});

test('the advice names the socket unit of a service manager, the container, or else the processes', () => {
  const advice = (holders: readonly number[], cgroup: string, exe = '/tmp/evil'): string => {
    const snapshot = snapshotFrom({
      processes: [...SMALL_MACHINE, evil(1000, { cgroup, exe })],
      listeners: [{ port: 8766 }],
    });
    return adviceFor(snapshot, snapshot.listeners[0] as Listener, holders);
  };
  assert.is(
    advice([1, 1000], '/system.slice/data@3-127.0.0.1.service'),
    'stop it with systemctl stop data.socket data@3-127.0.0.1.service',
  );
  const user = '/user.slice/user-1000.slice/user@1000.service/app.slice/data.service';
  assert.is(
    advice([800, 1000], user, '/usr/lib/systemd/systemd'),
    'stop it with systemctl --user stop data.socket data.service',
  );
  assert.match(advice([1], '/'), /^find its unit with systemctl list-sockets --all \| grep 8766/);
  // Stopping the unit that a shell was started from would stop more than the listener.
  assert.match(advice([1000], '/system.slice/ssh.service'), /^look at it with ps .* -p 1000 and end it/);
  assert.match(advice([1000], '/system.slice/docker-0123456789abcdef.scope'), /docker stop 0123456789ab /);
  assert.match(advice([1, 1000], '/system.slice/a;reboot.service'), /UNIT\.socket/);
  assert.match(advice([], '/'), /ss -lnp/);
});

test.run();
