/** What cook-off does for each kind of finding, and that it does nothing else. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SignalAnswer } from '../../../src/engine/native/act-types.ts';
import type { Refusal } from '../../../src/engine/native/types.ts';
import type { Machine } from '../../../src/features/remedies/machine.ts';
import { MOST_FILES_A_RUN, Remedies, type RemediesParts } from '../../../src/features/remedies/remedies.ts';
import type { Finding, ProcessAbout } from '../../../src/findings/finding.ts';
import type { Law } from '../../../src/policy/law.ts';
import type { Shutdown } from '../../../src/records/shutdowns.ts';
import { SMALL_MACHINE } from '../../support/snapshot.ts';
import { findingFrom, stateFrom } from '../../support/state.ts';

const test = suite('remedies');
const INODE = 77;
const banned = findingFrom({
  id: 'banned',
  check: 'banned-listener',
  severity: 'critical',
  subject: { kind: 'listener', protocol: 'tcp', address: '127.0.0.1', port: 8766, inode: INODE },
});
const stale = (name: string): Finding =>
  findingFrom({
    id: `stale ${name}`,
    check: 'stale-runtime-file',
    severity: 'low',
    avenue: 'scar',
    subject: { kind: 'file', path: `/state/${name}` },
  });
const traced = findingFrom({ id: 'traced' });

interface Scene {
  readonly policy?: 'auto' | 'ask' | 'never';
  readonly findings?: readonly Finding[];
  /** The outcome of each signal; default `sent`. */
  readonly answers?: readonly SignalAnswer['outcome'][];
  readonly describe?: () => Promise<ProcessAbout | null>;
  /** The process found instead of the planned one. */
  readonly held?: { readonly start?: bigint; readonly uid?: number; readonly executable?: string };
  /** What a search finds; default pid 1000. */
  readonly holders?: readonly number[];
  /** The process that made the socket, and whether it still holds it. */
  readonly maker?: { readonly pid: number; readonly holds: boolean };
  /** The number of signals after which the port closes; default 1. */
  readonly closesAfter?: number;
  /** For how many pauses a process that was passed the socket still has it after its maker has ended; default 0. */
  readonly passedFor?: number;
  /** Suppressions of the law from the first signal on. */
  readonly acceptedAfterSignal?: Law['suppressions'];
}

/** A minimal fake kernel around pid 1000 that records every action. */
function scene({ policy = 'auto', answers = [], held = {}, closesAfter = 1, ...rest }: Scene = {}) {
  const { acceptedAfterSignal = [] } = rest;
  const signalled = () => done.signals.length > 0;
  const findings = rest.findings ?? [banned];
  const done = {
    signals: [] as string[],
    aside: [] as string[],
    events: [] as string[],
    down: [] as Shutdown[],
    released: 0,
    residueChanges: 0,
  };
  let holding = 0;
  let pauses = 0;
  const runs = () => done.signals.length < closesAfter;
  const up = () => runs() || pauses < (rest.passedFor ?? 0);
  const native = {
    socketListens: up,
    holdProcess: (pid: number) => {
      holding++;
      return {
        handle: pid,
        pid,
        ppid: 1,
        start: held.start ?? BigInt(pid),
        uid: held.uid ?? 1000,
        euid: 1000,
        executable: Buffer.from(held.executable ?? '/tmp/evil'),
        kernelThread: false,
        ourPidNamespace: true,
        kin: 'none',
      };
    },
    releaseProcess: () => {
      done.released++;
    },
    hasExited: () => !runs(),
    holderStanding: () => 'creator-uid',
    socketMaker: () =>
      rest.maker === undefined ? null : { pid: rest.maker.pid, uid: 1000, start: BigInt(rest.maker.pid) },
    holdsSocket: (pid: number) => pid === rest.maker?.pid && rest.maker.holds,
    signalHolder: (pid: number, signal: number): SignalAnswer => {
      const outcome = answers[done.signals.length] ?? 'sent';
      const refusal: Refusal = { errno: 1, code: 'EPERM', source: 'test' };
      if (outcome === 'sent') done.signals.push(`${signal} ${pid}`);
      return { outcome, refusal: outcome === 'refused' ? refusal : null };
    },
  };
  let clock = 0;
  const machine = {
    native: native as unknown as Machine['native'],
    self: 900,
    holders: async () => ({ pids: rest.holders ?? [1000], unread: 0 }),
    sockets: () => (up() ? [{ family: 4, inode: INODE, uid: 1000 }] : []),
    pause: async () => {
      if (!runs()) pauses++;
    },
    clockMs: () => {
      clock += rest.passedFor === undefined ? 500 : 10;
      return clock;
    },
  } as unknown as Machine;
  const remedies = new Remedies({
    config: { banned: { also: [], shut_down: policy } },
    role: 'local',
    state: { firstStart: () => 0 },
    machine,
    law: () => ({ bannedPorts: new Set([8766]), suppressions: signalled() ? acceptedAfterSignal : [] }),
    sweep: async () =>
      stateFrom({
        findings: up() ? findings : findings.filter(({ id }) => id !== 'banned'),
        snapshot: {
          processes: [...SMALL_MACHINE, { pid: 1000, exe: '/tmp/evil' }],
          listeners: [{ port: 8766, inode: INODE, holders: [{ pid: 1000, start: '1000', fd: 3 }] }],
        },
      }),
    quarantine: {
      folder: '/state/quarantine',
      setAside: (name: string) => {
        if (name === 'busy') return { left: 'a process has it open' };
        done.aside.push(name);
        return { id: 'e'.repeat(16) };
      },
    } as unknown as RemediesParts['quarantine'],
    shutdowns: {
      list: () => [],
      record: (shutdown) => done.down.push(shutdown) > 0,
    },
    recordEvent: (finding, _at, event) => done.events.push(`${finding}: ${event}`),
    describe: rest.describe ?? (async () => about),
    log: { warn: () => undefined },
    residueChanged: () => {
      done.residueChanges++;
    },
  });
  return { remedies, done, held: () => holding };
}

const about: ProcessAbout = {
  pid: 1000,
  name: 'evil',
  executable: '/tmp/evil',
  program: 'evil',
  uid: 1000,
  user: 'ann',
  parent: { pid: 800, name: 'bash' },
  ancestors: [],
  unit: '',
  started: '2026-01-02T03:04:00.000+00:00',
  directory: '/tmp',
  command: '/tmp/evil --port 8766',
};

test('a shutdown is recorded with the process and what ended it', async () => {
  const common = {
    finding: 'banned',
    protocol: 'tcp',
    port: 8766,
    executable: '/tmp/evil',
    uid: 1000,
    times: 1,
  };
  for (const [closesAfter, ended] of [
    [1, 'SIGTERM'],
    [2, 'SIGKILL'],
  ] as const) {
    const { remedies, done } = scene({ closesAfter });
    await remedies.shutDown(banned, 'policy');
    assert.is(done.down.length, 1);
    const { address: _address, at: _at, ...down } = done.down[0] as Shutdown;
    assert.equal(down, { ...common, ended, by: 'policy', about });
  }
  // It ended before any action.
  const before = scene({ closesAfter: 0 });
  assert.is((await before.remedies.shutDown(banned, 'command')).result, 'gone');
  assert.equal(
    before.done.down.map(({ ended, by, about }) => [ended, by, about?.user]),
    [['itself', 'command', 'ann']],
  );
  // The holder is not the inspected process.
  const other = scene({ held: { executable: '/tmp/other' }, closesAfter: 9 });
  await other.remedies.shutDown(banned, 'policy');
  assert.equal(other.done.down, []);
});

test('a listener that is accepted after SIGTERM is not killed', async () => {
  const suppression = {
    checks: ['banned-listener'],
    port: 8766,
    why: 'ours',
    expiresMs: null,
    name: '',
  } as const;
  const { remedies, done } = scene({
    closesAfter: 9,
    acceptedAfterSignal: [{ ...suppression, source: 'accepted' }],
  });
  const { result, text } = await remedies.shutDown(banned, 'command');
  assert.equal(done.signals, ['15 1000']);
  assert.is(result, 'refused');
  assert.match(text, /^the law allows it \(ours\), after SIGTERM to pid 1000$/);
});

test('cook handles scars, soft handles stale files, resolute handles stale files and banned listeners', () => {
  const { remedies } = scene();
  const state = stateFrom({ findings: [banned, traced, stale('a.tmp')] });
  const ids = (kind: 'cook' | 'soft' | 'resolute') =>
    remedies
      .cookOff(kind)
      .subjects(state)
      .map(({ id }) => id);
  assert.equal(ids('cook'), ['banned', 'traced']);
  assert.equal(ids('soft'), ['stale a.tmp']);
  assert.equal(ids('resolute'), ['banned', 'stale a.tmp']);
});

test('a run handles at most a hundred files', () => {
  const { remedies } = scene();
  const files = Array.from({ length: MOST_FILES_A_RUN + 30 }, (_, at) => stale(`${at}.tmp`));
  const state = stateFrom({ findings: [...files, banned] });
  assert.is(remedies.cookOff('soft').subjects(state).length, 100);
  assert.is(remedies.cookOff('resolute').subjects(state).length, 101);
});

test('findings about anything but listeners and desk files are left to the user', async () => {
  const { remedies, done } = scene();
  for (const kind of ['cook', 'soft', 'resolute'] as const) {
    const { result, remedy } = await remedies.cookOff(kind).apply(traced, 'cook');
    assert.equal([result, remedy], ['left to you', traced.remedy]);
  }
  assert.equal([done.signals, done.aside, done.events], [[], [], []]);
});

test('check reports what would be done and does nothing', async () => {
  const { remedies, done } = scene({ findings: [banned, stale('a.tmp')] });
  const { apply } = remedies.cookOff('resolute');
  assert.match((await apply(banned, 'check')).result, /^would send SIGTERM to pid 1000 \(\/tmp\/evil\)/);
  assert.match((await apply(stale('a.tmp'), 'check')).result, /^would be moved into \/state\/quarantine$/);
  assert.equal([done.signals, done.aside, done.events], [[], [], []]);
});

test('cook shuts a listener down and records it in the history', async () => {
  const { remedies, done, held } = scene();
  const { result } = await remedies.cookOff('cook').apply(banned, 'cook');
  assert.is(result, 'it is down after SIGTERM to pid 1000');
  assert.equal(done.signals, ['15 1000']);
  assert.equal(done.events, [`banned: shutdown by command: ${result}`]);
  assert.is(done.released, held(), 'every held process is released');
});

test('the policy never does nothing, the policy ask acts on command', async () => {
  const never = scene({ policy: 'never' });
  assert.match((await never.remedies.cookOff('cook').apply(banned, 'cook')).result, /never/);
  assert.equal(never.done.signals, []);
  const ask = scene({ policy: 'ask' });
  await ask.remedies.cookOff('cook').apply(banned, 'cook');
  assert.equal(ask.done.signals, ['15 1000']);
});

test('a process that was passed the socket has a moment to see that its maker has ended', async () => {
  const soon = scene({ passedFor: 5 });
  const closed = await soon.remedies.shutDown(banned, 'command');
  assert.equal([closed.result, closed.text], ['closed', 'it is down after SIGTERM to pid 1000']);
  assert.equal(soon.done.signals, ['15 1000']);
  const late = scene({ passedFor: 100_000 });
  assert.is((await late.remedies.shutDown(banned, 'command')).result, 'failed');
  assert.not(late.done.signals.some((signal) => !signal.endsWith(' 1000')));
});

test('a process that ignores SIGTERM is killed, and only after SIGTERM', async () => {
  const { remedies, done } = scene({ closesAfter: 2 });
  const { result } = await remedies.cookOff('cook').apply(banned, 'cook');
  assert.is(result, 'it is down after SIGTERM to pid 1000, SIGKILL to pid 1000');
  assert.equal(done.signals, ['15 1000', '9 1000']);
  const notHolding = scene({ answers: ['not-holding', 'not-holding', 'not-holding', 'not-holding'] });
  assert.match(
    (await notHolding.remedies.shutDown(banned, 'command')).text,
    /still up, no process was signalled/,
  );
  assert.equal(notHolding.done.signals, []);
});

test('a socket that is closed before a search ends is attributed to its maker, if that holds it', async () => {
  for (const [holds, signals] of [
    [true, ['15 1000']],
    [false, []],
  ] as const) {
    const { remedies, done } = scene({ holders: [], maker: { pid: 1000, holds } });
    const { result } = await remedies.shutDown(banned, 'policy');
    assert.equal([result, done.signals], [holds ? 'closed' : 'refused', signals]);
  }
});

test('a process that changed before the signal is not signalled', async () => {
  for (const held of [{ start: 5n }, { uid: 7 }, { executable: '/usr/bin/nc' }]) {
    const { remedies, done } = scene({ held });
    const { result, text } = await remedies.shutDown(banned, 'command');
    assert.equal([result, done.signals], ['failed', []]);
    assert.match(text, /pid 1000 is another process by now/);
  }
  for (const outcome of ['changed', 'not-maker', 'forbidden', 'refused'] as const) {
    const { remedies, done } = scene({ answers: [outcome, outcome, outcome, outcome] });
    assert.is((await remedies.shutDown(banned, 'command')).result, 'failed', outcome);
    assert.equal(done.signals, []);
  }
});

test('a refusal is recorded with its advice, by policy once per reason, by command each time', async () => {
  const { remedies, done } = scene({ holders: [1] });
  for (const by of ['policy', 'policy', 'command', 'policy'] as const) {
    const { result } = await remedies.shutDown(banned, by);
    assert.is(result, 'refused');
  }
  const line = 'refused: pid 1 holds it, and is never signalled, find its unit with systemctl list-sockets';
  assert.is(done.events.length, 2);
  assert.ok(done.events[0]?.startsWith(`banned: shutdown by policy: ${line}`), done.events[0]);
  assert.ok(done.events[1]?.startsWith(`banned: shutdown by command: ${line}`));
  assert.is(remedies.refusal('banned')?.result, 'refused');
  remedies.keepOnly(new Set());
  assert.is(remedies.refusal('banned'), undefined);
});

test('a late or failed description does not prevent the shutdown of a banned listener', async () => {
  for (const describe of [
    () => new Promise<never>(() => undefined),
    () => Promise.reject(new Error('no helper')),
  ]) {
    const { remedies, done } = scene({ describe });
    assert.is((await remedies.shutDown(banned, 'policy')).result, 'closed');
    assert.equal(done.signals, ['15 1000']);
    const [down] = done.down as { about: unknown; executable: string }[];
    assert.equal([down?.about, down?.executable], [null, '/tmp/evil']);
  }
});

test('a request during an attempt gets the outcome of that attempt', async () => {
  const { remedies, done } = scene();
  const [one, two] = await Promise.all([
    remedies.shutDown(banned, 'policy'),
    remedies.shutDown(banned, 'command'),
  ]);
  assert.is(one, two);
  assert.equal(done.signals, ['15 1000']);
});

test('a stale file is set aside, or the reason why not is reported', async () => {
  const { remedies, done } = scene({ findings: [] });
  const { apply } = remedies.cookOff('soft');
  assert.is((await apply(stale('a.tmp'), 'cook')).result, `set aside as ${'e'.repeat(16)}`);
  assert.is((await apply(stale('busy'), 'cook')).result, 'left where it is: a process has it open');
  assert.equal([done.aside, done.residueChanges], [['a.tmp'], 1]);
  assert.is(done.events.length, 2);
});

test('a listener that is no longer a finding is left alone', async () => {
  const { remedies, done } = scene({ findings: [] });
  assert.is((await remedies.shutDown(banned, 'command')).result, 'gone');
  assert.equal(done.signals, []);
});

test('check predicts which findings cook leaves', async () => {
  const leftBy = async (made: Scene) => {
    const [before, after] = [scene(made), scene(made)];
    const checked = await before.remedies.cookOff('cook').apply(banned, 'check');
    assert.equal(before.done.signals, []);
    return [checked.left, (await after.remedies.cookOff('cook').apply(banned, 'cook')).left];
  };
  assert.equal(await leftBy({}), [false, false]);
  assert.equal(await leftBy({ policy: 'never' }), [true, true]);
  assert.equal(await leftBy({ holders: [1] }), [true, true]);
  assert.equal(await leftBy({ findings: [] }), [true, true]);
  const { remedies } = scene();
  for (const mode of ['check', 'cook'] as const) {
    assert.ok((await remedies.cookOff('cook').apply(traced, mode)).left);
    assert.not((await remedies.cookOff('soft').apply(stale('a.tmp'), mode)).left);
  }
  assert.ok((await remedies.cookOff('soft').apply(stale('busy'), 'cook')).left);
});

test.run();
