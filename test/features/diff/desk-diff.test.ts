/** Looks at one machine after the other, with a real store: what is kept as a change, what is not, and what a restart keeps. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Between, DIFF, type DiffApi } from '../../../src/desk/diff.ts';
import { type Installed, PACKAGES } from '../../../src/desk/packages.ts';
import { type AccountFacts, type AccountScan, STARTUP, type StartupScan } from '../../../src/desk/startup.ts';
import type { Token } from '../../../src/desk/token.ts';
import { BASELINE } from '../../../src/features/baseline/api.ts';
import { DeskDiff } from '../../../src/features/diff/desk-diff.ts';
import { HISTORY } from '../../../src/features/history/api.ts';
import { FindingHistory } from '../../../src/features/history/finding-history.ts';
import { StoredSamples } from '../../../src/features/history/stored-samples.ts';
import type { DiffFacts, DiffGroupId } from '../../../src/records/diff.ts';
import type { DeskState } from '../../../src/records/state.ts';
import { openStore } from '../../../src/service/tables.ts';
import { GuardedStore } from '../../../src/store/guarded.ts';
import type { Store } from '../../../src/store/store.ts';
import { expect } from '../../support/expect.ts';
import { packageScan } from '../../support/packages.ts';
import { accountFacts, accountScan, startupEntry, startupScan } from '../../support/startup.ts';
import { findingFrom, noteFrom, type StateParts, stateFrom } from '../../support/state.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const test = suite('desk diff');
const root = tempFolder('desk-diff-');
const START = Date.UTC(2026, 0, 2);
const LOOK_MS = 30_000;

const installed = (...packages: readonly string[]): Installed => ({
  packages: packages.map((one) => {
    const [name = '', version = '1'] = one.split(' ');
    return { name, version, database: 'dpkg' };
  }),
  ...{ unread: [], trouble: '' },
});

/** A machine whose parts a test changes. */
class Machine {
  readonly store: Store;
  parts: StateParts = {};
  startup: StartupScan | null = startupScan({ unread: [] });
  accounts: AccountScan = accountScan({ unread: [] });
  installed: Installed = installed('nginx 1.0', 'bash 5.2');
  packages = packageScan();
  nowMs = START;
  monotonicMs = 0;
  desk: DeskDiff;
  #apis = new Map<string, unknown>();
  #state: DeskState | null = null;

  constructor(folder = mkdtempSync(join(root, 's-'))) {
    this.store = openStore(folder);
    this.desk = this.#boot();
  }

  #boot(): DeskDiff {
    const find = <Api>({ id }: Token<Api>): Api | null => (this.#apis.get(id) as Api | undefined) ?? null;
    const provide = <Api>({ id }: Token<Api>, api: Api): void => void this.#apis.set(id, api);
    const store = new GuardedStore(this.store, pino({ level: 'silent' }));
    const history = new FindingHistory(store);
    const samples = new StoredSamples(store);
    provide(HISTORY, {
      turns: (...asked: Parameters<typeof history.turns>) => history.turns(...asked),
      pauses: (...asked: Parameters<typeof samples.pauses>) => samples.pauses(...asked),
      droppedUntilSec: () => history.droppedUntilSec(),
      firstEvent: () => history.firstEvent(),
    } as never);
    provide(STARTUP, { latest: () => this.startup, accounts: async () => this.accounts } as never);
    provide(PACKAGES, { latest: () => this.packages, installed: async () => this.installed } as never);
    provide(BASELINE, { contents: () => new Map() } as never);
    const host = {
      ...{ provide, find, use: find, role: 'service', store },
      latest: () => this.#state,
      state: async () => this.#state,
    };
    return new DeskDiff(host as never, { nowMs: () => this.nowMs, monotonicMs: () => this.monotonicMs });
  }

  get api(): DiffApi {
    return this.#apis.get(DIFF.id) as DiffApi;
  }

  /** So many looks, 30 s apart. */
  async look(times = 1): Promise<this> {
    for (let at = 0; at < times; at += 1) {
      this.see();
      await this.desk.settle();
      await this.desk.refresh();
      this.nowMs += LOOK_MS;
      this.monotonicMs += LOOK_MS;
    }
    return this;
  }

  see(parts = this.parts): void {
    this.#state = stateFrom({
      ...parts,
      snapshot: { ...parts.snapshot, at: { epochMs: this.nowMs, monotonicMs: this.monotonicMs } },
    });
    this.desk.observe(this.#state);
  }

  /** The service ends, and another one starts after this time. */
  async restart(afterMs: number): Promise<void> {
    await this.desk.stop();
    this.nowMs += afterMs;
    this.monotonicMs += afterMs;
    this.desk = this.#boot();
  }

  listen(...ports: readonly number[]): void {
    this.parts = {
      ...this.parts,
      snapshot: { listeners: ports.map((port) => ({ port, address: '0.0.0.0' })) },
    };
  }

  between(sinceMs = START - 1, untilMs = this.nowMs): Promise<Between> {
    return this.api.between(sinceMs, untilMs);
  }

  async events(id: DiffGroupId, sinceMs?: number): Promise<readonly (readonly [string, string])[]> {
    const { groups } = await this.between(sinceMs);
    const { changes } = groups.find((one) => one.id === id) as (typeof groups)[number];
    return changes.map(({ event, name }) => [event, name] as const);
  }
}

const groupOf = ({ groups }: DiffFacts, id: DiffGroupId) =>
  groups.find((one) => one.id === id) as (typeof groups)[number];

test('what is there at the first look is known and has not changed, and what was before is not known', async () => {
  const machine = await new Machine().look(3);
  const found = await machine.between();
  for (const { id, changes, whole } of found.groups)
    assert.equal([changes.length, whole], [0, id === 'certificates'], id);
  const later = await machine.between(START + LOOK_MS);
  for (const id of ['startup', 'accounts', 'listeners', 'programs', 'packages'] as const)
    assert.ok(groupOf(later, id).whole, id);
});

test('a listener counts once two looks have seen it, and one that passes is counted', async () => {
  const machine = new Machine();
  machine.listen(80);
  await machine.look(2);
  machine.listen(80, 4444);
  await machine.look();
  assert.equal(await machine.events('listeners'), []);
  await machine.look();
  expect(await machine.events('listeners')).equals([['added', 'tcp 0.0.0.0:4444']]);
  machine.listen(80, 4444, 5555);
  await machine.look();
  machine.listen(80, 4444);
  await machine.look();
  // Between two looks.
  machine.see({ snapshot: { listeners: [80, 4444, 6666].map((port) => ({ port, address: '0.0.0.0' })) } });
  await machine.look();
  const { changes, shortLived } = groupOf(await machine.between(), 'listeners');
  assert.equal([changes.length, shortLived], [1, 2]);
  machine.listen(80);
  await machine.look(3);
  expect(await machine.events('listeners')).equals([['briefly', 'tcp 0.0.0.0:4444']]);
  expect(await machine.events('listeners', machine.nowMs - 3 * LOOK_MS)).equals([
    ['removed', 'tcp 0.0.0.0:4444'],
  ]);
});

test('UDP ports that the kernel gives are one, and a holder that is not known is no other program', async () => {
  const machine = new Machine();
  const udp = (port: number, executable = '/usr/bin/resolver') => {
    machine.parts = { snapshot: { listeners: [{ protocol: 'udp', address: '0.0.0.0', port, executable }] } };
  };
  udp(40_000);
  await machine.look(2);
  for (const port of [40_001, 40_002, 40_003]) {
    udp(port);
    await machine.look();
  }
  udp(53);
  await machine.look(2);
  const opened = await machine.events('listeners');
  expect(opened.toSorted()).equals([
    ['added', 'udp 0.0.0.0:53'],
    ['removed', 'udp 0.0.0.0:(any port)'],
  ]);
  udp(53, '');
  await machine.look(3);
  udp(53);
  await machine.look(3);
  assert.is((await machine.events('listeners')).length, 2);
  udp(53, '/tmp/evil');
  await machine.look(3);
  expect(await machine.events('listeners', machine.nowMs - 3 * LOOK_MS)).equals([
    ['changed', 'udp 0.0.0.0:53'],
  ]);
});

test('startup places, accounts and groups are compared after each pass; what cannot be read has not gone', async () => {
  const machine = await new Machine().look(2);
  const planted = startupEntry('crontab', { path: '/etc/cron.d/x', runs: '/x' });
  const before = machine.startup as StartupScan;
  machine.startup = { ...before, entries: [...before.entries, planted] };
  machine.accounts = accountScan({
    unread: [],
    accounts: [...accountScan().accounts, accountFacts({ name: 'eve', uid: 1002, groups: ['eve'] })],
    groups: [{ name: 'sudo', gid: 27, members: ['ada', 'eve'] }],
  });
  await machine.look();
  expect(await machine.events('startup')).equals([['added', '/etc/cron.d/x']]);
  expect(await machine.events('accounts')).equals([
    ['added', 'eve'],
    ['changed', 'group sudo'],
  ]);
  const nowMs = machine.nowMs - 1;
  // The place could not be read: nothing has been removed, and that is reported.
  machine.startup = {
    ...before,
    entries: before.entries.filter(({ place }) => place.id !== 'crontab'),
    unread: [{ place: planted.place, path: '/etc/cron.d', reason: 'EACCES' }],
  };
  machine.accounts = accountScan({
    unread: [{ path: '/etc/passwd', reason: 'EIO' }],
    accounts: [],
    groups: [],
  });
  await machine.look();
  const later = await machine.between(nowMs);
  assert.equal(groupOf(later, 'startup').changes, []);
  assert.equal(groupOf(later, 'startup').gaps, ['/etc/cron.d could not be read (EACCES)']);
  assert.equal(groupOf(later, 'accounts').changes, []);
  assert.equal(groupOf(later, 'accounts').gaps, ['/etc/passwd could not be read (EIO)']);
  assert.is(groupOf(later, 'accounts').whole, false);
  // That it cannot be compared from now on is a change, and the digest has it.
  await machine.look(2);
  expect((await machine.events('blind', nowMs)).toSorted()).equals([
    ['unseen', 'accounts'],
    ['unseen', 'groups'],
    ['unseen', 'startup places'],
  ]);
});

test('what is not known of an account has not changed, also across a restart, and the rest is compared', async () => {
  const machine = new Machine();
  const known = accountFacts({ name: 'eve', uid: 1002, keys: 2 });
  // The home of ada hangs at the first look.
  machine.accounts = accountScan({ unread: [], accounts: [accountFacts({ keys: null }), known] });
  const read = async (eve: Partial<AccountFacts>, path = '') => {
    machine.startup = startupScan({ unread: [] });
    machine.accounts = accountScan({
      unread: path === '' ? [] : [{ path, reason: 'reading it hangs' }],
      accounts: [accountFacts(), { ...known, ...eve }],
    });
    await machine.look();
  };
  await machine.look(2);
  await read({});
  expect(await machine.events('accounts')).equals([]);
  await read({ keys: null }, '/home/eve/.ssh/authorized_keys');
  await machine.restart(LOOK_MS);
  await read({ password: 'unknown', passwordSetMs: null, keys: null }, '/etc/shadow');
  await read({ rights: [] }, '/etc/sudoers');
  await read({});
  expect(await machine.events('accounts')).equals([]);
  await read({ keys: null, shell: '/bin/sh' }, '/home/eve/.ssh/authorized_keys');
  await read({ keys: 3, shell: '/bin/sh' });
  const { changes } = groupOf(await machine.between(), 'accounts');
  expect(changes.map(({ name, event, before, after, times }) => [name, event, before, after, times])).equals([
    [
      ...['eve', 'changed'],
      'uid 1002, home /home/ada, shell /bin/bash, groups ada sudo; 2 SSH keys',
      'uid 1002, home /home/ada, shell /bin/sh, groups ada sudo; 3 SSH keys',
      1,
    ],
  ]);
  await read({ shell: '/bin/sh', keys: 3, password: 'empty', rights: [] });
  const [last] = groupOf(await machine.between(machine.nowMs - LOOK_MS - 1), 'accounts').changes;
  expect([last?.before, last?.after]).equals([
    'password set (of 2026-01-02); sudo: %sudo ALL=(ALL:ALL) ALL',
    'password empty (of 2026-01-02); no rights',
  ]);
});

test('whichever part of the store cannot be read, that is reported', async () => {
  const tables = ['diff_facts', 'diff_changes', 'diff_looks', 'diff_counts', 'finding_events', 'samples'];
  for (const table of tables) {
    const machine = await new Machine().look(3);
    assert.ok((await machine.between()).readable);
    machine.store.db.run(`DROP TABLE ${table}`);
    const { readable, groups } = await machine.between();
    assert.is(readable, false, table);
    assert.ok(groups.some(({ whole, gaps }) => !whole && gaps.includes('the store could not be read')));
  }
});

test('packages that were installed, removed and upgraded', async () => {
  const machine = await new Machine().look(2);
  machine.installed = installed('nginx 1.1', 'curl 8');
  machine.packages = packageScan();
  await machine.look();
  expect((await machine.events('packages')).toSorted()).equals([
    ['added', 'curl'],
    ['changed', 'nginx'],
    ['removed', 'bash'],
  ]);
  machine.installed = {
    ...installed('nginx 1.1', 'curl 8'),
    unread: [{ database: 'rpm', reason: 'EACCES' }],
  };
  machine.packages = packageScan();
  await machine.look();
  assert.equal(groupOf(await machine.between(), 'packages').gaps, ['packages of rpm: EACCES']);
  machine.installed = { packages: [], unread: [], trouble: 'the dpkg database could not be read (EIO)' };
  machine.packages = packageScan();
  await machine.look();
  const { changes, gaps } = groupOf(await machine.between(), 'packages');
  assert.is(changes.length, 3);
  assert.equal(gaps, ['the dpkg database could not be read (EIO)']);
});

test('a program is new once it has run for five minutes, and not again after a pause', async () => {
  const machine = await new Machine().look(2);
  const bornAt = (epochMs: number): bigint =>
    BigInt(Math.round((86_400 - (machine.nowMs - epochMs) / 1000) * 100));
  const run = (exe: string, sinceMs: number) => {
    machine.parts = {
      snapshot: {
        processes: [
          { pid: 1, comm: 'init', exe: '/sbin/init', start: 1n },
          { pid: 7, comm: 'x', exe, start: bornAt(sinceMs) },
        ],
      },
    } as never;
  };
  const sinceMs = machine.nowMs;
  for (let at = 0; at < 22; at += 1) {
    run(at < 3 ? '/usr/bin/short' : '/opt/miner', sinceMs + 3 * LOOK_MS);
    await machine.look();
  }
  expect((await machine.events('programs')).filter(([, name]) => name !== '/sbin/init')).equals([
    ['added', '/opt/miner'],
  ]);
  machine.parts = {};
  await machine.look(12);
  run('/opt/miner', sinceMs);
  await machine.look(12);
  expect(await machine.events('programs', sinceMs + 24 * LOOK_MS)).equals([]);
});

test('a check that cannot judge is seen from its second look on, and seen again', async () => {
  const machine = await new Machine().look(3);
  machine.parts = { notes: [noteFrom()] };
  await machine.look();
  machine.parts = { notes: [noteFrom({ reason: '4 descriptor tables could not be read' })] };
  await machine.look();
  const sinceMs = machine.nowMs - 1;
  expect(await machine.events('blind', START + LOOK_MS)).equals([['unseen', 'check ownerless-socket']]);
  await machine.look(2);
  assert.match(groupOf(await machine.between(sinceMs), 'blind').gaps.join(), 'check ownerless-socket');
  machine.parts = {};
  await machine.look(2);
  expect(await machine.events('blind', START + LOOK_MS)).equals([['briefly', 'check ownerless-socket']]);
  expect(await machine.events('blind', sinceMs)).equals([['seen', 'check ownerless-socket']]);
});

test('another severity of an open finding is a change; its opening and end are not', async () => {
  const machine = await new Machine().look(2);
  for (const severity of ['medium', 'critical'] as const) {
    machine.parts = { findings: [findingFrom({ severity })] };
    await machine.look();
  }
  machine.parts = {};
  await machine.look(2);
  expect((await machine.events('findings')).map(([event]) => event)).equals(['severity']);
});

test('where there are more things than are compared, the group is not whole', async () => {
  const machine = await new Machine().look();
  const install = async (...names: readonly string[]) => {
    machine.installed = installed(...names);
    machine.packages = packageScan();
    await machine.look(3);
    return groupOf(await machine.between(machine.nowMs - 1), 'packages');
  };
  const many = await install(...Array.from({ length: 20_001 }, (_, at) => `p${at} 1`));
  assert.equal([many.whole, many.gaps], [false, ['only the first 20000 are compared']]);
  const few = await install('nginx 1.0');
  assert.equal([few.whole, few.gaps], [true, []]);
});

test('openings and closings come from the history of findings', async () => {
  const machine = await new Machine().look(2);
  const finding = findingFrom({});
  const history = new FindingHistory(machine.store);
  const at = new Date(machine.nowMs).toISOString();
  history.record([{ opened: [finding], closed: [], at }]);
  await machine.look();
  expect((await machine.events('findings')).map(([event]) => event)).equals(['opened']);
  history.record([{ opened: [], closed: [finding], at: new Date(machine.nowMs).toISOString() }]);
  machine.nowMs += 1_000;
  expect((await machine.events('findings')).map(([event]) => event)).equals(['passed']);
  expect((await machine.events('findings', machine.nowMs - 2_000)).map(([event]) => event)).equals([
    'resolved',
  ]);
});

test('what changed while the desk did not run is found after it, with the time between', async () => {
  const machine = new Machine();
  machine.listen(80);
  await machine.look(4);
  const stoppedMs = machine.nowMs;
  await machine.restart(9 * 3_600_000);
  machine.listen(80, 4444);
  await machine.look(3);
  const { changes } = groupOf(await machine.between(), 'listeners');
  const [opened] = changes;
  assert.equal([changes.length, opened?.event], [1, 'added']);
  // The time of the last look.
  assert.is(Date.parse(opened?.from ?? ''), stoppedMs - LOOK_MS);
  assert.ok(Date.parse(opened?.at ?? '') > stoppedMs + 9 * 3_600_000);
  assert.ok(machine.api.settled());
});

test('a restart alone changes nothing', async () => {
  const machine = new Machine();
  machine.parts = { notes: [noteFrom()], findings: [findingFrom({})] };
  await machine.look(12);
  await machine.restart(20_000);
  assert.not.ok(machine.api.settled());
  await machine.look(12);
  assert.is((await machine.between()).happened, 0);
});

test('of a flood of changes the newest are kept, and since when is reported', async () => {
  const machine = await new Machine().look(1);
  const names = (from: number) => Array.from({ length: 150 }, (_, at) => `p${from + at} 1`);
  for (let round = 1; round <= 16; round += 1) {
    machine.installed = installed(...names(round * 150));
    machine.packages = packageScan();
    await machine.look();
  }
  const packages = groupOf(await machine.between(START + 1), 'packages');
  assert.is(packages.changes.length, 200);
  assert.ok(packages.leftOut > 1_000);
  assert.is(packages.whole, false);
  assert.ok(Date.parse(packages.knownSince ?? '') > START + LOOK_MS);
});

test.run();
