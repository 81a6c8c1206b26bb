/** Parsers of what the kernel and package tools say, also of arbitrary text. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { diskMounts } from '../../../src/features/vitals/disks.ts';
import * as parsers from '../../../src/features/vitals/parsers.ts';

const counter = fc.nat({ max: 2 ** 31 - 1 });
const PARSERS = [
  parsers.loadIn,
  parsers.uptimeIn,
  parsers.cpuTicksIn,
  parsers.memoryIn,
  (text: string) => parsers.pressureIn(text, 'full'),
  parsers.oomKillsIn,
  parsers.interfacesIn,
  parsers.updatesIn,
  parsers.failedUnitsIn,
  parsers.processStatIn,
  parsers.processIoIn,
  parsers.releaseIn,
];

/** No NaN and no infinity, at any depth. */
function wellFormed(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0;
  return typeof value !== 'object' || value === null || Object.values(value).every(wellFormed);
}

const REAL = [
  ...['loadavg', 'uptime', 'stat', 'meminfo', 'vmstat', 'self/net/dev', 'self/stat'].map((name) =>
    readFileSync(`/proc/${name}`, 'latin1'),
  ),
  'some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=1.00 avg60=0.00 avg300=2.50 total=7\n',
  '[{"unit":"a.service","load":"loaded","description":"A"}]',
];

test('no text makes a parser throw, or gives NaN or infinity', () => {
  const damaged = fc
    .tuple(fc.constantFrom(...REAL), fc.nat({ max: 400 }), fc.string({ maxLength: 12 }))
    .map(([text, at, part]) => text.slice(0, at) + part + text.slice(at + part.length));
  fc.assert(
    fc.property(fc.oneof(fc.string(), damaged), (text) => {
      for (const parse of PARSERS) assert.ok(wellFormed(parse(text)), parse.name);
      diskMounts(text);
    }),
    { numRuns: 500 },
  );
});

test('what was written is read: load, memory, pressure, kills', () => {
  fc.assert(
    fc.property(counter, counter, counter, (a, b, c) => {
      assert.equal(parsers.loadIn(`${a}.25 ${b}.00 ${c}.75 1/200 77\n`), [a + 0.25, b, c + 0.75]);
      assert.is(parsers.uptimeIn(`${a}.50 ${b}.00\n`), a + 0.5);
      assert.is(parsers.oomKillsIn(`nr_x 1\noom_kill ${a}\noom_kill_x 2\n`), a);
      const text = `MemTotal: ${a} kB\nMemFree: 1 kB\nMemAvailable: ${b} kB\nSwapTotal: ${c} kB\nSwapFree: 0 kB\n`;
      assert.equal(parsers.memoryIn(text), {
        ...{ bytes: a * 1024, availableBytes: b * 1024 },
        ...{ swapBytes: c * 1024, swapFreeBytes: 0 },
      });
      assert.equal(
        parsers.pressureIn(`some avg10=1.00 avg60=0.00 avg300=${a % 100}.50 total=${b}\n`, 'some'),
        {
          percent10: 1,
          percent300: (a % 100) + 0.5,
        },
      );
    }),
  );
  assert.is(parsers.memoryIn('MemTotal: 5 kB\n'), null, 'kernels before 3.14 have no MemAvailable');
  assert.is(parsers.pressureIn('some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n', 'full'), null);
});

test('shares of processors are between 0 and 100, and of the time between two readings', () => {
  const ticks = fc.array(counter, { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(ticks, ticks, (one, more) => {
      const line = (values: readonly number[]) => `cpu  ${values.join(' ')} 0 0\ncpu0 1\ncpu1 1\n`;
      const before = parsers.cpuTicksIn(line(one));
      const now = parsers.cpuTicksIn(line(one.map((value, at) => value + (more[at] ?? 0))));
      assert.ok(before !== null && now !== null);
      assert.is(now.cpus, 2);
      const share = parsers.cpuBetween(before, now);
      if (share === null) return assert.is(Math.max(...more), 0);
      const [, , , idle = 0, wait = 0, , , steal = 0] = more;
      const all = more.reduce((sum, value) => sum + value, 0);
      assert.ok(Math.abs(share.busy - (100 * (all - idle - wait)) / all) < 1e-6);
      assert.ok(Math.abs(share.steal - (100 * steal) / all) < 1e-6);
    }),
  );
  assert.is(
    parsers.cpuBetween(
      { all: 9, idle: 1, ioWait: 1, steal: 0, cpus: 1 },
      { all: 9, idle: 1, ioWait: 1, steal: 0, cpus: 1 },
    ),
    null,
  );
});

test('interfaces are read with their counters, also one whose name has a colon', () => {
  const head = 'Inter-|   Receive\n face |bytes packets errs drop fifo frame compressed multicast|bytes\n';
  assert.equal(
    parsers.interfacesIn(
      `${head}  eth0:  10 1 2 3 0 0 0 0  20 1 4 5 0 0 0 0\neth0:1: 1 0 0 0 0 0 0 0 2 0 0 0 0 0 0 0\n`,
    ),
    [
      { name: 'eth0', receivedBytes: 10, sentBytes: 20, errors: 6, dropped: 8 },
      { name: 'eth0:1', receivedBytes: 1, sentBytes: 2, errors: 0, dropped: 0 },
    ],
  );
  assert.is(parsers.interfacesIn('no such file'), null);
  assert.is(parsers.rateBetween(5, 4, 1), null, 'a counter that went backwards has no rate');
  assert.is(parsers.rateBetween(5, 25, 2), 10);
});

test('a process with any name is read, by the last parenthesis', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 15 }), counter, counter, counter, (comm, user, system, pages) => {
      const fields = [
        'R',
        1,
        1,
        1,
        0,
        -1,
        0,
        0,
        0,
        0,
        0,
        user,
        system,
        0,
        0,
        20,
        0,
        1,
        0,
        4242,
        1000,
        pages,
        0,
      ];
      assert.equal(parsers.processStatIn(`77 (${comm}) ${fields.join(' ')}\n`), {
        ...{ pid: 77, comm, state: 'R', ticks: user + system, start: '4242', residentPages: pages },
      });
    }),
  );
});

test('updates, failed units and kernels are read as their programs write them', () => {
  assert.equal(
    parsers.updatesIn(
      '\n12 updates can be applied immediately.\n3 of these updates are standard security updates.\n',
    ),
    { all: 12, security: 3 },
  );
  assert.equal(parsers.updatesIn('1 update can be applied immediately.\n'), { all: 1, security: null });
  assert.is(parsers.updatesIn('12 Aktualisierungen können sofort angewendet werden.\n'), null);
  assert.equal(parsers.failedUnitsIn('[]'), []);
  assert.equal(parsers.failedUnitsIn('[{"unit":"x.service","description":"X"}]'), [
    { name: 'x.service', description: 'X' },
  ]);
  assert.is(parsers.failedUnitsIn('UNIT LOAD\n'), null);
  assert.is(parsers.failedUnitsIn('[{"unit":7}]'), null);
  assert.is(parsers.releaseIn('boot/vmlinuz-6.12.5-amd64'), '6.12.5-amd64');
  assert.is(parsers.releaseIn('boot/vmlinuz'), null);
});

test('each file system is asked once, those of other machines never', () => {
  const { asked, notAsked } = diskMounts(
    [
      '1 0 8:1 / / rw,relatime - ext4 /dev/sda1 rw',
      '2 1 8:1 /srv /srv/with\\040blank ro - ext4 /dev/sda1 rw',
      '3 1 0:5 / /proc rw - proc proc rw',
      '4 1 0:50 / /mnt/far rw - nfs4 server:/x rw',
      '5 1 0:51 / /home/a/cloud rw - fuse.sshfs a@b: rw',
      '6 1 0:52 / /run rw - tmpfs tmpfs rw,size=10k',
      '7 1 0:53 / /var/lib/docker/overlay2/x/merged rw - overlay overlay rw',
      '8 1 8:2 / /boot/efi rw - vfat /dev/sda2 ro',
      '9 1 7:1 / /snap/core ro - squashfs /dev/loop1 ro',
      '10 1 0:54 / /covered rw - tmpfs tmpfs rw',
      '11 1 0:55 / /covered rw - nfs server:/y rw',
    ].join('\n'),
  );
  assert.equal(
    asked.map(({ point }) => point),
    ['/', '/boot/efi', '/run'],
  );
  assert.equal(notAsked, [
    { path: '/mnt/far', type: 'nfs4' },
    { path: '/home/a/cloud', type: 'fuse.sshfs' },
    { path: '/covered', type: 'nfs' },
  ]);
});

test.run();
