/** The sweeps for hidden processes and ports, on prepared answers: what is found, what cannot be judged, what is skipped. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inShards } from '../../src/engine/hidden.ts';
import { PID_LIMIT, sweepHiddenPids } from '../../src/engine/hidden-pids.ts';
import { sweepHiddenPorts, unexplained } from '../../src/engine/hidden-ports.ts';
import {
  EVIDENCE,
  type PidSight,
  type PortSight,
  type PortVerdict,
} from '../../src/engine/native/hidden-types.ts';
import type { NativeAddon, Refusal } from '../../src/engine/native/types.ts';
import type { TaskPool } from '../../src/engine/pool.ts';
import { type ArgsOf, perform, type Task } from '../../src/engine/tasks.ts';

const test = suite('hidden');
const refusal = (code: string, source = 'test'): Refusal => ({ errno: 1, code, source });
const clear: PidSight = {
  root: null,
  getsid: null,
  pidfdOpen: null,
  openat2: null,
  hides: 'nothing',
  pidMax: 1000,
};

/** Runs tasks in this thread. */
const poolOver = (native: NativeAddon, workers = 2): TaskPool => ({
  workers,
  run: async <T extends Task>(task: T, ...args: ArgsOf<T>) => perform(native, task, args),
  close: async () => {},
});

interface Scene {
  readonly sight?: Partial<PidSight>;
  readonly listed?: readonly number[];
  /** The pids that the probes know; listed pids are not probed. */
  readonly alive?: readonly number[];
  readonly covered?: readonly number[];
  /** Evidence by round and pid. */
  readonly rounds?: readonly Readonly<Record<number, number>>[];
  readonly confirm?: Refusal;
}

/** A small fake kernel that records what it was asked. */
function kernel({ sight = {}, listed = [1, 2], alive = [], covered = [], rounds = [], confirm }: Scene) {
  const asked = { ranges: [] as [number, number][], rounds: [] as number[][], elsewhere: [] as number[][] };
  const native = {
    hiddenPidSight: () => ({ ...clear, ...sight }),
    listPids: (_: number, into: Int32Array) => {
      into.set(listed.slice(0, into.length));
      return listed.length;
    },
    coveredPids: (_: number, pids: Int32Array) =>
      Int32Array.from(covered.filter((pid) => pids.includes(pid))),
    probePids: (known: Int32Array, from: number, to: number) => {
      asked.ranges.push([from, to]);
      const suspects = alive.filter((pid) => pid >= from && pid < to && !known.includes(pid));
      return { suspects: Int32Array.from(suspects), tried: to - from, sessions: 0, leaders: 0 };
    },
    confirmPids: (_: number, suspects: Int32Array, elsewhere: Int32Array) => {
      if (confirm) return confirm;
      const round = rounds[asked.rounds.length] ?? {};
      asked.rounds.push([...suspects]);
      asked.elsewhere.push([...elsewhere]);
      return Uint8Array.from(suspects, (pid) => round[pid] ?? 0);
    },
    describePid: () => refusal('EACCES'),
  } as unknown as NativeAddon;
  return { native, asked, deps: { native, pool: poolOver(native), root: 1 } };
}

const { session, pidfd, iterator, unlisted, mounted, noFolder, ours } = EVIDENCE;

test('a process is found when both confirmation rounds agree, with the evidence of both', async () => {
  const { deps, asked } = kernel({
    alive: [10, 11, 12],
    covered: [2],
    rounds: [
      { 2: pidfd | mounted, 10: session | pidfd | unlisted, 11: pidfd | unlisted, 12: session | unlisted },
      { 2: pidfd | mounted, 10: pidfd | unlisted | noFolder, 11: 0, 12: pidfd | unlisted },
    ],
  });
  const report = await sweepHiddenPids(deps);
  assert.equal(
    report.found.map(({ pid, form, seenBy, folder, comm }) => ({ pid, form, seenBy, folder, comm })),
    [
      { pid: 2, form: 'covered', seenBy: ['pidfd_open'], folder: 'covered', comm: null },
      { pid: 10, form: 'unlisted', seenBy: ['pidfd_open'], folder: 'opens', comm: null },
    ],
  );
  assert.equal(asked.rounds, [
    [2, 10, 11, 12],
    [2, 10, 11, 12],
  ]);
  assert.is(report.counts.suspects, 4);
});

test('without suspects there is no confirmation', async () => {
  const { deps, asked } = kernel({ alive: [1, 2] });
  const report = await sweepHiddenPids(deps);
  assert.equal([report.judged, report.found, report.blind, asked.rounds], [true, [], [], []]);
});

test('a process that a mount option may hide is counted but not found, unless we may inspect it', async () => {
  const bits = { 10: pidfd | unlisted, 11: pidfd | unlisted | ours, 2: pidfd | mounted };
  for (const hides of ['invisible', 'ptraceable', refusal('ENOENT')] as const) {
    const { deps } = kernel({ sight: { hides }, alive: [10, 11], covered: [2], rounds: [bits, bits] });
    const report = await sweepHiddenPids(deps);
    assert.equal(
      report.found.map(({ pid }) => pid),
      [2, 11],
    );
    assert.is(report.counts.hiddenByOption, 1);
    assert.match(report.blind.join('\n'), 'hidepid');
  }
  const { deps } = kernel({ sight: { hides: 'contents' }, alive: [10], rounds: [bits, bits] });
  assert.equal((await sweepHiddenPids(deps)).found.length, 1);
});

test('what cannot be compared is not judged, and the reason is reported', async () => {
  const blind = [
    { root: refusal('EXDEV') },
    { root: refusal('EMEDIUMTYPE') },
    { pidfdOpen: refusal('EPERM', 'pidfd_open') },
  ];
  for (const sight of blind) {
    const { deps, asked } = kernel({ sight, alive: [10], rounds: [{ 10: 0xff }, { 10: 0xff }] });
    const report = await sweepHiddenPids(deps);
    assert.equal([report.judged, report.found, asked.ranges], [false, [], []]);
    assert.ok(report.blind.length > 0);
  }
  const elsewhere = kernel({ sight: { root: refusal('EXDEV'), openat2: refusal('ENOENT', 'openat2') } });
  const { blind: reasons } = await sweepHiddenPids(elsewhere.deps);
  assert.equal(reasons, ['the proc root shows another pid namespace: mount a proc of this one']);
  const partly = kernel({ alive: [10], confirm: refusal('EMFILE') });
  const report = await sweepHiddenPids(partly.deps);
  assert.equal([report.judged, report.found], [false, []]);
  assert.match(report.blind.join(), 'EMFILE');
  const oneProbe = kernel({ sight: { getsid: refusal('EPERM', 'getsid') } });
  const half = await sweepHiddenPids(oneProbe.deps);
  assert.ok(half.judged);
  assert.match(half.blind.join(), 'getsid');
  assert.equal(
    half.probes.map(({ works }) => works),
    [false, true],
  );
});

test('another source adds suspects and is asked again in each round', async () => {
  let asked = 0;
  const elsewhere = async () => {
    asked += 1;
    return Int32Array.of(1, 2, 77);
  };
  const bits = { 77: iterator | unlisted | noFolder };
  const { deps, asked: confirmed } = kernel({ rounds: [bits, bits] });
  const report = await sweepHiddenPids(deps, { elsewhere });
  assert.equal(report.found[0]?.seenBy, ['iterator']);
  assert.is(asked, 3);
  assert.equal(confirmed.elsewhere, [
    [1, 2, 77],
    [1, 2, 77],
  ]);
  const failing = await sweepHiddenPids(kernel({}).deps, { elsewhere: async () => refusal('EPERM') });
  assert.equal(failing.probes.at(-1), { id: 'iterator', works: false, reason: 'EPERM' });
});

test('each pid is probed once, up to the highest living pid or the limit of the kernel, below pid_max', async () => {
  const ends = async (scene: Scene, all = false) => {
    const { deps, asked } = kernel(scene);
    const report = await sweepHiddenPids(deps, { all });
    const ranges = asked.ranges.sort(([one], [other]) => one - other);
    assert.is(ranges[0]?.[0], 1);
    for (const [index, [, to]] of ranges.entries())
      assert.is(ranges[index + 1]?.[0] ?? report.counts.end, to);
    return report.counts.end;
  };
  assert.is(await ends({}), 1000);
  assert.is(await ends({ sight: { pidMax: 32_768 } }), 32_768);
  assert.is(await ends({ listed: [1, 5000] }), 5001);
  assert.is(await ends({ sight: { pidMax: refusal('ENOENT') } }), PID_LIMIT);
  assert.is(await ends({}, true), PID_LIMIT);
});

test('many suspects are confirmed in batches that fit the available descriptors', async () => {
  const many = Array.from({ length: 300 }, (_, index) => 100 + index);
  const bits = Object.fromEntries(many.map((pid) => [pid, pidfd | unlisted]));
  const { deps, asked } = kernel({ alive: many, rounds: [bits, bits, bits, bits, bits, bits] });
  const report = await sweepHiddenPids(deps);
  assert.is(report.found.length, 300);
  assert.ok(asked.rounds.every(({ length }) => length <= 128));
});

test('when there are more processes than fit the first list, they are listed again', async () => {
  const listed = Array.from({ length: 3000 }, (_, index) => index + 1);
  const report = await sweepHiddenPids(kernel({ listed }).deps);
  assert.is(report.counts.listed, 3000);
});

interface PortScene {
  readonly sight?: Partial<PortSight>;
  readonly taken?: readonly number[];
  readonly tables?: readonly (readonly number[])[];
  readonly verdicts?: readonly (PortVerdict | Refusal)[];
  readonly refused?: readonly number[];
  readonly refusedBy?: string;
  readonly table?: Refusal;
}

const set = (into: Uint8Array, port: number) => {
  into[port >> 3] = (into[port >> 3] as number) | (1 << (port & 7));
};

function portKernel({
  sight = {},
  taken = [],
  tables = [[], []],
  verdicts = [],
  refused = [],
  refusedBy = 'EACCES',
  table: refusedTable,
}: PortScene) {
  let dumps = 0;
  let confirmed = 0;
  const native = {
    hiddenPortSight: () => ({ v4: null, v6: null, bound: null, ...sight }),
    portTable: (protocol: number, _family: number, into: Uint8Array) => {
      if (refusedTable) return refusedTable;
      // Four dumps make one scan.
      const scan = tables[Math.floor(dumps++ / 4)] ?? [];
      if (protocol === 6) for (const port of scan) set(into, port);
      return null;
    },
    probePorts: (protocol: number, from: number, to: number, into: Uint8Array) => {
      const inside = (port: number) => protocol === 6 && port >= from && port < to;
      const held = taken.filter(inside);
      const closed = refused.filter(inside);
      for (const port of held) set(into, port);
      return {
        tried: to - from,
        taken: held.length,
        refused: closed.length,
        lowestRefused: closed[0] ?? 0,
        highestRefused: closed.at(-1) ?? 0,
        refusedBy: closed.length === 0 ? null : refusal(refusedBy),
        refusal: null,
      };
    },
    confirmPort: () => verdicts[confirmed++] ?? verdicts.at(-1),
  } as unknown as NativeAddon;
  return { native, pool: poolOver(native, 1), confirmed: () => confirmed };
}

const hiddenAt = (v4: PortVerdict['v4'], v6: PortVerdict['v6']): PortVerdict => ({ kind: 'hidden', v4, v6 });
const shown: PortVerdict = { kind: 'listed', v4: 'nothing', v6: 'nothing' };

test('a taken port is explained by either dump of the table; other ports are confirmed twice', async () => {
  const scene = portKernel({
    taken: [80, 443, 9999],
    tables: [[80], [443]],
    verdicts: [hiddenAt('wildcard', 'wildcard')],
  });
  const report = await sweepHiddenPorts(scene);
  assert.equal(report.found, [
    { protocol: 'tcp', port: 9999, addresses: ['0.0.0.0', '::'], scope: 'public' },
  ]);
  assert.is(scene.confirmed(), 2);
  assert.is(report.counts.tried, 2 * 65_535);
  const passing = portKernel({ taken: [9999], verdicts: [hiddenAt('loopback', 'nothing'), shown] });
  assert.equal((await sweepHiddenPorts(passing)).found, []);
});

test('the address a port is bound to decides its scope', async () => {
  const scopes = await Promise.all(
    [
      hiddenAt('loopback', 'nothing'),
      hiddenAt('nothing', 'loopback'),
      hiddenAt('other', 'nothing'),
      hiddenAt('loopback', 'other'),
    ].map(async (verdict) => {
      const { found } = await sweepHiddenPorts(portKernel({ taken: [7], verdicts: [verdict] }));
      return found[0]?.scope;
    }),
  );
  assert.equal(scopes, ['loopback', 'loopback', 'public', 'public']);
});

test('ports that cannot be checked are blind, never free', async () => {
  const verdicts = [hiddenAt('wildcard', 'nothing')];
  const closed = await sweepHiddenPorts(portKernel({ refused: [1, 2, 1023] }));
  assert.ok(closed.judged);
  assert.is(closed.counts.refused, 3);
  assert.match(closed.blind.join(), /3 ports from 1 to 1023 may not be bound .*CAP_NET_BIND_SERVICE/);
  const ended = await sweepHiddenPorts(portKernel({ refused: [1, 2], refusedBy: 'ENOTCONN' }));
  assert.match(ended.blind.join(), /2 ports from 1 to 2 were not bound, since desk-start has ended: restart/);
  const unread = await sweepHiddenPorts(portKernel({ taken: [7], table: refusal('ENOENT'), verdicts }));
  assert.equal([unread.judged, unread.found], [false, []]);
  const lost = await sweepHiddenPorts(portKernel({ taken: [7], verdicts: [refusal('EMFILE')] }));
  assert.equal([lost.judged, lost.found], [false, []]);
  const old = await sweepHiddenPorts(
    portKernel({ taken: [7], sight: { bound: refusal('ENOENT') }, verdicts }),
  );
  assert.equal([old.found.length, old.unsure.length, old.blind.length], [0, 1, 1]);
});

test('the unexplained ports match a simple reference implementation', () => {
  const ports = fc.uniqueArray(fc.nat(65_535), { maxLength: 60 });
  const bitsOf = (list: readonly number[]) => {
    const made = new Uint8Array(8192);
    for (const port of list) set(made, port);
    return made;
  };
  fc.assert(
    fc.property(ports, fc.array(ports, { maxLength: 3 }), (taken, tables) => {
      const expected = taken
        .filter((port) => port > 0 && !tables.some((table) => table.includes(port)))
        .sort((one, other) => one - other);
      assert.equal(unexplained(bitsOf(taken), tables.map(bitsOf)), expected);
    }),
  );
});

const never = (): void => assert.unreachable();

test('lanes: no more tasks at a time than workers, each batch once, and nothing starts after a failure', async () => {
  const pool = poolOver({} as NativeAddon, 3);
  let running = 0;
  let most = 0;
  const done: number[] = [];
  const piece = async (index: number) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    done.push(index);
    if (index === 12) throw new Error('twelve');
  };
  await inShards({ pool, signal: undefined }, [10, 1], piece);
  assert.equal([most, done.sort((one, other) => one - other)], [3, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
  await inShards({ pool, signal: undefined }, [100, 1], piece).then(never, (error: Error) =>
    assert.is(error.message, 'twelve'),
  );
  assert.is(running, 0);
  assert.ok(done.length < 10 + 20);
  const stop = new AbortController();
  stop.abort(new Error('no'));
  await inShards({ pool, signal: stop.signal }, [5, 1], async () => never()).then(never, (error: Error) =>
    assert.is(error.message, 'no'),
  );
});

test.run();
