/** The state of the machine as the feature reads it, beside df, free and /proc, and with faults that are made. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Gathering } from '../../../src/checks/verdicts.ts';
import { vitalSign } from '../../../src/checks/vital-sign.ts';
import { lastingConcerns, type VitalFacts } from '../../../src/checks/vitals.ts';
import { loadNative } from '../../../src/engine/native/load.ts';
import { isRefusal } from '../../../src/engine/native/types.ts';
import { VITAL_METRICS } from '../../../src/features/vitals/api.ts';
import { DeskVitals } from '../../../src/features/vitals/desk-vitals.ts';
import { Disks, diskMounts, drivesIn } from '../../../src/features/vitals/disks.ts';
import { Gathered } from '../../../src/features/vitals/files.ts';
import { VitalsReader } from '../../../src/features/vitals/reader.ts';
import { rebootOf } from '../../../src/features/vitals/reboot.ts';
import { SlowProcesses } from '../../../src/features/vitals/slow.ts';
import { FailedUnits } from '../../../src/features/vitals/units.ts';
import type { Law, VitalLimits } from '../../../src/policy/law.ts';
import { vitalsRowOf } from '../../../src/records/vitals.ts';
import { looksThat } from '../../support/looks.ts';
import { needs } from '../../support/require.ts';
import { snapshotFrom } from '../../support/snapshot.ts';
import { memoryFolder, tempFolder } from '../../support/temp-folder.ts';
import { diskFacts, LAW, vitalFacts } from '../../support/vitals.ts';

const native = loadNative().addon;
const limits = (parts: Partial<VitalLimits>): Law => ({ ...LAW, vitals: { ...LAW.vitals, ...parts } });

async function judged(readings: readonly [VitalFacts, VitalFacts] | null, law = LAW) {
  const gathering = new Gathering({ confirmed: true });
  const context = {
    snapshot: snapshotFrom(),
    law,
    known: null,
    scans: looksThat({ vitals: async () => readings }),
  };
  await gathering.wait(vitalSign, async (report) => {
    assert.ok('scan' in vitalSign);
    await vitalSign.scan(context, report, new AbortController().signal);
  });
  const { fails, notes, pass, hidden } = gathering.verdicts();
  return {
    hidden,
    found: fails.map(({ evidence }) => `${evidence.sign} ${evidence.about}`.trim()),
    fails,
    notes,
    pass,
  };
}

const told = async (facts: Partial<VitalFacts>, law = LAW) =>
  (await judged([vitalFacts(facts), vitalFacts(facts)], law)).found;

/** A folder that has the files of a machine. */
function machine(files: Readonly<Record<string, string>>): string {
  const root = memoryFolder('desk-vitals-');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

test('values of this machine are those of its own tools', async () => {
  const reader = new VitalsReader({ native });
  await reader.read();
  const facts = await reader.read();
  const meminfo = readFileSync('/proc/meminfo', 'latin1');
  assert.is(facts.memory?.bytes, 1024 * Number(/MemTotal: +(\d+)/.exec(meminfo)?.[1]));
  const free = spawnSync('free', ['-b'], { encoding: 'utf8' });
  if (free.status === 0) assert.is(facts.memory?.bytes, Number(/^Mem: +(\d+)/m.exec(free.stdout)?.[1]));
  for (const { path, device, bytes, inodes, availablePercent } of facts.disks) {
    const { stdout, status } = spawnSync('df', ['-B1', '--output=source,size,itotal,pcent', path], {
      encoding: 'utf8',
      env: { LC_ALL: 'C' },
    });
    assert.is(status, 0);
    const [source, size, itotal, used] = (stdout.trim().split('\n')[1] ?? '').trim().split(/\s+/);
    assert.equal([device, String(bytes), inodes === null ? '0' : String(inodes)], [source, size, itotal]);
    // df rounds up, and others write meanwhile.
    if (used !== '-')
      assert.ok(Math.abs(100 - (availablePercent ?? 0) - Number.parseInt(used ?? '', 10)) < 3, path);
  }
  assert.ok(facts.disks.some(({ path }) => path === '/'));
  const uptime = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]);
  assert.ok(facts.uptimeSec !== null && facts.uptimeSec <= uptime && facts.uptimeSec > uptime - 600);
  const loopback = facts.interfaces?.find(({ name }) => name === 'lo');
  if (loopback !== undefined) assert.type(loopback.receivedPerSec, 'number');
  const { read: _, ...row } = vitalsRowOf(facts);
  const unknown = Object.entries({
    load: facts.load,
    memory: facts.memory,
    clock: facts.clock,
    reboot: facts.reboot,
    updates: facts.updates,
    failed_units: facts.failedUnits,
    temperature: facts.temperatureCelsius,
  })
    .filter(([, value]) => value === null)
    .map(([name]) => name);
  for (const name of unknown)
    assert.ok(
      facts.missing.some(({ what, reason }) => what === name && reason !== ''),
      `${name} has no reason`,
    );
  assert.ok(row.cpus !== null);
});

test('what cannot be read is null with a reason, and never good', async () => {
  const root = machine({ '/proc/loadavg': 'nonsense', '/proc/vmstat': 'oom_kill 3\n' });
  const facts = await new VitalsReader({ native, root }).read();
  assert.equal(
    [facts.load, facts.memory, facts.cpu, facts.interfaces, facts.pressure.io],
    [null, null, null, null, null],
  );
  const kinds = new Map(facts.missing.map(({ what, kind }) => [what, kind]));
  assert.equal(
    [kinds.get('load'), kinds.get('io_pressure'), kinds.get('memory'), kinds.get('failed_units')],
    ['unread', 'absent', 'absent', 'absent'],
  );
  assert.equal(facts.oomKills, { all: 3, lastHour: 0 });
  for (const { reason } of facts.missing) assert.ok(reason !== '');
});

test('unread values make the check blind where the law judges them, absent ones do not', async () => {
  const unread = vitalFacts({
    memory: null,
    missing: [{ what: 'memory', reason: 'EACCES', kind: 'unread' }],
  });
  const { notes, fails } = await judged([unread, unread]);
  assert.is(notes.length, 1);
  assert.match(notes[0]?.reason ?? '', 'memory (EACCES)');
  assert.is(fails.length, 0);
  const clock = vitalFacts({ clock: null, missing: [{ what: 'clock', reason: 'EPERM', kind: 'unread' }] });
  assert.is((await judged([clock, clock])).notes.length, 0, 'the default law does not judge the clock');
  assert.is((await judged([clock, clock], limits({ clockUnsynchronisedMin: 30 }))).notes.length, 1);
  const absent = vitalFacts({
    pressure: { cpu: null, memory: null, io: null },
    missing: [{ what: 'memory_pressure', reason: 'no PSI', kind: 'absent' }],
  });
  assert.is((await judged([absent, absent])).notes.length, 0);
  assert.is((await judged(null)).notes.length, 1, 'a build without the feature');
});

test('a value that either of both readings lacks hides its sign', async () => {
  const full = vitalFacts({ disks: [diskFacts({ availablePercent: 1, availableBytes: 1e6 })] });
  const late = vitalFacts({ missing: [{ what: 'disks', reason: 'late', kind: 'unread' }] });
  for (const readings of [
    [late, full],
    [full, late],
  ] as const) {
    const { notes, found, hidden } = await judged(readings);
    assert.equal([notes.length, found], [1, []]);
    assert.ok(hidden(vitalSign.id, { kind: 'host', name: 'disk-space /' }));
    assert.not(hidden(vitalSign.id, { kind: 'host', name: 'memory' }));
  }
});

test('a healthy machine has no concern, and each limit has its own', async () => {
  assert.equal(await told({}), []);
  assert.is((await judged([vitalFacts(), vitalFacts()])).pass, 1);
  const small = diskFacts({ availablePercent: 4.9, availableBytes: 1e9 });
  assert.equal(await told({ disks: [small] }), ['disk-space /']);
  assert.equal(await told({ disks: [{ ...small, availableBytes: 1e12 }] }), [], 'a terabyte is left');
  assert.equal(await told({ disks: [{ ...small, readOnly: true }] }), [], 'nothing is written to it');
  assert.equal(await told({ disks: [small] }, limits({ diskFreePercent: 0 })), []);
  assert.equal(await told({ disks: [diskFacts({ freeInodesPercent: 1 })] }), ['inodes /']);
  assert.equal(await told({ disks: [diskFacts({ readOnly: true, turnedReadOnly: true })] }), ['read-only /']);
  const drive = {
    name: 'sda',
    model: '',
    state: 'offline',
    errors: 7,
    missing: null,
    fileSystemErrors: null,
  };
  assert.equal(await told({ drives: [drive] }), ['drive sda']);
  assert.equal(await told({ drives: [{ ...drive, state: 'running' }] }), []);
  assert.equal(await told({ drives: [{ ...drive, state: null, missing: 1 }] }), ['drive sda']);
  assert.equal(await told({ memory: { bytes: 100, availableBytes: 2, swapBytes: 0, swapFreeBytes: 0 } }), [
    'memory',
  ]);
  const high = { percent10: 90, percent300: 90 };
  assert.equal(await told({ pressure: { cpu: high, memory: high, io: high } }), ['memory-pressure']);
  const all = limits({ cpuPressurePercent: 80, ioPressurePercent: 80 });
  assert.equal(await told({ pressure: { cpu: high, memory: high, io: high } }, all), [
    'cpu-pressure',
    'memory-pressure',
    'io-pressure',
  ]);
  assert.equal(await told({ temperatureCelsius: 101 }), ['temperature']);
  const free = { synchronised: false, errorMs: 16_000 };
  assert.equal(await told({ clock: free }), []);
  assert.equal(await told({ clock: free, uptimeSec: 3600 }, limits({ clockUnsynchronisedMin: 30 })), [
    'clock',
  ]);
  assert.equal(await told({ clock: free, uptimeSec: 60 }, limits({ clockUnsynchronisedMin: 30 })), []);
  assert.equal(await told({ failedUnits: [{ name: 'x.service', description: 'X' }] }), [
    'failed-unit x.service',
  ]);
  assert.equal(await told({ oomKills: { all: 9, lastHour: 1 } }), ['oom-kill']);
  assert.equal(await told({ oomKills: { all: 9, lastHour: 0 } }), []);
});

test('a concern is a finding once two readings have it, and always low', async () => {
  const [well, hot] = [vitalFacts(), vitalFacts({ temperatureCelsius: 120 })];
  assert.equal(lastingConcerns([well, hot], LAW), []);
  assert.equal(lastingConcerns([hot, well], LAW), []);
  const { fails } = await judged([hot, hot]);
  assert.equal(
    fails.map(({ severity, subject }) => [severity, subject]),
    [['low', { kind: 'host', name: 'temperature' }]],
  );
});

needs('root')(
  test,
  'a file system that is nearly full is found by vital-sign, and no longer once there is space',
  async () => {
    const folder = tempFolder('desk-full-');
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,nr_inodes=1000', 'desk-full', folder]);
    if (mount.status !== 0) throw new Error(`mount: ${mount.stderr}`);
    try {
      writeFileSync(join(folder, 'big'), Buffer.alloc(4_000_000));
      const reader = new VitalsReader({ native });
      const both = async () => [await reader.read(), await reader.read()] as const;
      const { fails } = await judged(await both());
      const found = fails.find(
        ({ subject }) => subject.kind === 'host' && subject.name === `disk-space ${folder}`,
      );
      assert.ok(found !== undefined, fails.map(({ summary }) => summary).join('\n'));
      assert.is(found.severity, 'low');
      const { bavail, bsize } = statfsSync(folder);
      assert.is(found.evidence.available_bytes, bavail * bsize);
      rmSync(join(folder, 'big'));
      assert.not.ok((await judged(await both())).found.includes(`disk-space ${folder}`));
    } finally {
      spawnSync('umount', [folder]);
    }
  },
);

test('a file system that does not answer is waited for once, and asked again when it has answered', async () => {
  const mounts = diskMounts('1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 8:2 / /dead rw - ext4 /dev/sdb1 rw\n');
  let asked = 0;
  let answers: (() => void) | null = null;
  const space = { bytes: 100, freeBytes: 50, availableBytes: 50, inodes: 0, freeInodes: 0 };
  const fileSystem = (path: string) => {
    if (path === '/') return Promise.resolve(space);
    asked += 1;
    return new Promise<typeof space>((resolve) => {
      answers = () => resolve(space);
    });
  };
  const disks = new Disks({ fileSystem }, 20);
  const read = async () => (await disks.read(mounts)).map(({ path, bytes, reason }) => [path, bytes, reason]);
  const hung = [
    ['/', 100, ''],
    ['/dead', null, 'it does not answer'],
  ];
  assert.equal(await read(), hung);
  assert.equal(await read(), hung);
  assert.is(asked, 1, 'one thread waits, however often it is asked');
  (answers as (() => void) | null)?.();
  await new Promise((resolve) => setImmediate(resolve));
  const again = read();
  await new Promise((resolve) => setImmediate(resolve));
  (answers as (() => void) | null)?.();
  assert.equal(await again, [
    ['/', 100, ''],
    ['/dead', 100, ''],
  ]);
});

test('a file system that turned read-only is distinguished from a mount that is read-only on purpose', async () => {
  const mounts = diskMounts(
    [
      '1 0 8:1 / / rw - ext4 /dev/sda1 ro,errors=remount-ro',
      '2 1 8:2 / /a ro - ext4 /dev/sdb1 ro',
      '3 1 8:3 / /b ro - ext4 /dev/sdc1 rw',
    ].join('\n'),
  );
  const fileSystem = async () => ({ bytes: 10, freeBytes: 5, availableBytes: 5, inodes: 4, freeInodes: 2 });
  const disks = await new Disks({ fileSystem }).read(mounts);
  assert.equal(
    disks.map(({ readOnly, turnedReadOnly }) => [readOnly, turnedReadOnly]),
    [
      [true, true],
      [true, false],
      [false, false],
    ],
  );
});

test('drives are as their drivers and ext4 know them', () => {
  const root = machine({
    '/sys/block/sda/device/state': 'offline\n',
    '/sys/block/sda/device/model': 'DISK 1   \n',
    '/sys/block/sda/device/ioerr_cnt': '0x1f\n',
    '/sys/block/sda/sda1/partition': '1\n',
    '/sys/fs/ext4/sda1/errors_count': '2\n',
    '/sys/block/md0/md/degraded': '1\n',
    '/sys/block/loop0/size': '0\n',
  });
  assert.equal(drivesIn(`${root}/sys`), [
    { name: 'md0', model: '', state: null, errors: null, missing: 1, fileSystemErrors: null },
    { name: 'sda', model: 'DISK 1', state: 'offline', errors: 31, missing: null, fileSystemErrors: 2 },
  ]);
});

test('failed units are those that systemctl names; without systemd, or while it fails, they are not known', async () => {
  const root = machine({ '/run/systemd/system/x': '' });
  const program = join(tempFolder('desk-systemctl-'), 'systemctl');
  const answer = (body: string) => {
    writeFileSync(program, `#!/bin/sh\n${body}\n`);
    chmodSync(program, 0o755);
  };
  const read = async (of = root, patienceMs = 60_000) => {
    const gathered = new Gathered(of);
    const units = await new FailedUnits({ program, patienceMs }).read(gathered);
    return units ?? gathered.missing[0];
  };
  answer(`echo '[{"unit":"x.service","load":"loaded","active":"failed","sub":"failed","description":"X"}]'`);
  assert.equal(await read(), [{ name: 'x.service', description: 'X' }]);
  answer('exit 1');
  assert.equal(await read(), { what: 'failed_units', reason: 'systemctl failed: 1', kind: 'unread' });
  answer('exec sleep 60');
  assert.equal(await read(root, 100), {
    what: 'failed_units',
    reason: 'systemctl did not answer in time',
    kind: 'unread',
  });
  assert.is(((await read(machine({ '/x': '' }))) as { kind: string }).kind, 'absent');
});

test('systemctl is asked once in a while, and again on request', async () => {
  const root = machine({ '/run/systemd/system/x': '' });
  const folder = tempFolder('desk-systemctl-');
  const program = join(folder, 'systemctl');
  writeFileSync(program, `#!/bin/sh\necho x >> ${folder}/asked\necho '[]'\n`);
  chmodSync(program, 0o755);
  const units = new FailedUnits({ program });
  for (const again of [false, false, true, false]) await units.read(new Gathered(root), again);
  assert.is(readFileSync(join(folder, 'asked'), 'utf8'), 'x\nx\n');
});

test('a reboot is needed when a package asks, when the kernel is gone, or when another one starts next', () => {
  const of = (files: Readonly<Record<string, string>>, link = '', container = '') => {
    const root = machine({ '/x': '', ...files });
    if (link !== '') symlinkSync(link, join(root, 'vmlinuz'));
    return rebootOf(new Gathered(root), '6.1.0-1', container);
  };
  const modules = { '/lib/modules/6.1.0-1/x': '' };
  assert.is(of({}), null, 'no kernel is installed');
  assert.equal(of(modules), { required: false, reason: '' });
  assert.equal(of({ '/run/reboot-required': '', '/run/reboot-required.pkgs': 'libc6\nlibc6\n' }), {
    required: true,
    reason: 'asked for by libc6',
  });
  assert.is(of({ '/lib/modules/6.1.0-2/x': '' })?.required, true);
  assert.is(of(modules, 'boot/vmlinuz-6.1.0-1')?.required, false);
  assert.is(of(modules, 'boot/vmlinuz-6.1.0-2')?.required, true);
  assert.is(of(modules, 'boot/vmlinuz-6.1.0-2', 'in a container'), null);
});

test('kills of the last hour are those that readings have seen', async () => {
  const root = machine({ '/proc/vmstat': 'oom_kill 3\n' });
  const reader = new VitalsReader({ native, root });
  assert.equal((await reader.read()).oomKills, { all: 3, lastHour: 0 });
  writeFileSync(join(root, 'proc/vmstat'), 'oom_kill 5\n');
  assert.equal((await reader.read()).oomKills, { all: 5, lastHour: 2 });
  assert.equal((await reader.read()).oomKills, { all: 5, lastHour: 2 });
});

test('the clock is as the kernel says', () => {
  const state = native.clockState();
  assert.ok(!isRefusal(state));
  assert.type(state.synchronised, 'boolean');
  assert.ok(state.maxErrorUs >= 0);
});

test('the service runs the check when what lasts has changed, and not otherwise', async () => {
  const readings = [
    vitalFacts(),
    vitalFacts(),
    vitalFacts({ temperatureCelsius: 120 }),
    vitalFacts({ temperatureCelsius: 120 }),
    vitalFacts({ temperatureCelsius: 121 }),
    vitalFacts(),
  ];
  const scans: string[] = [];
  const host = {
    native,
    role: 'service',
    provide: () => undefined,
    rescan: async (checks: readonly string[]) => void scans.push(...checks),
    use: () => ({ current: () => LAW }),
  } as never;
  const desk = new DeskVitals(host, { reader: { read: async () => readings.shift() ?? vitalFacts() } });
  const ran: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    await desk.refresh();
    ran.push(scans.length);
  }
  // The second reading is the first pair; the fourth has lasted; the sixth is well again.
  assert.equal(ran, [0, 1, 1, 2, 2, 3]);
  assert.is(desk.facts().vitals?.facts.temperatureCelsius, 48.5);
});

test('processes are sorted by what they use, and this one has computed', async () => {
  const until = performance.now() + 400;
  const measured = new SlowProcesses().read('cpu', 300, 500);
  const spin = (): void => {
    const stop = performance.now() + 20;
    while (performance.now() < stop);
    if (performance.now() < until) setImmediate(spin);
  };
  spin();
  const { processes, all } = await measured;
  assert.ok(all > 1);
  const own = processes.find(({ pid }) => pid === process.pid);
  assert.ok(own !== undefined && own.cpuPercent > 0, 'this process has computed');
  assert.is(own.uid, process.getuid?.());
  assert.ok(own.readPerSec !== null && own.writtenPerSec !== null, 'its own use of disks can be read');
  const sorted = [...processes].sort((a, b) => b.cpuPercent - a.cpuPercent);
  assert.equal(
    processes.map(({ cpuPercent }) => cpuPercent),
    sorted.map(({ cpuPercent }) => cpuPercent),
  );
  const { processes: byMemory } = await new SlowProcesses().read('memory', 100, 3);
  assert.ok(
    byMemory.length <= 3 && (byMemory[0]?.residentBytes ?? 0) >= (byMemory.at(-1)?.residentBytes ?? 0),
  );
});

test('the use of one process is measured by its pid and start, and is nothing for another start', async () => {
  const slow = new SlowProcesses();
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] as string;
  const own = await slow.used(process.pid, start, 20);
  assert.ok(own !== null && own.residentBytes > 1_000_000 && own.readPerSec !== null);
  assert.is(await slow.used(process.pid, `${start}0`, 20), null);
});

test('metrics have base units, and leave out what is not known', () => {
  const values = (facts: VitalFacts) =>
    new Map(
      VITAL_METRICS.flatMap(({ name, values }) =>
        values(facts).map(([label, value]) => [`${name} ${label}`.trim(), value]),
      ),
    );
  const known = values(vitalFacts());
  assert.is(known.get('desk_vitals_cpu_busy_ratio'), 0.125);
  assert.is(known.get('desk_vitals_disk_available_bytes /'), 60 * 1024 ** 3);
  assert.is(known.get('desk_vitals_clock_synchronised'), 1);
  const unknown = values(
    vitalFacts({ cpu: null, clock: null, disks: [], pressure: { cpu: null, memory: null, io: null } }),
  );
  for (const name of [
    'desk_vitals_cpu_busy_ratio',
    'desk_vitals_clock_synchronised',
    'desk_vitals_disk_bytes /',
    'desk_vitals_pressure_ratio io',
  ])
    assert.not.ok(unknown.has(name), name);
});

test.run();
