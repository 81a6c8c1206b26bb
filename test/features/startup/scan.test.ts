/** A pass over places, with the real helper, in folders made for it. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { containerFiles } from '../../../src/desk/container-files.ts';
import type { StartupScan } from '../../../src/desk/startup.ts';
import { homesOf, namesOf, parseAccounts } from '../../../src/features/startup/accounts.ts';
import { lines } from '../../../src/features/startup/parsers.ts';
import type { Place } from '../../../src/features/startup/place.ts';
import { FileReader } from '../../../src/features/startup/reader.ts';
import { StartupScanner, scanStartup } from '../../../src/features/startup/scan.ts';
import { containerView } from '../../../src/privileges/container.ts';
import { expect } from '../../support/expect.ts';
import { testsNeeding } from '../../support/require.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const test = suite('startup scan');

const placeIn = (folder: string, files: readonly string[], more: Partial<Place> = {}): Place => ({
  id: 'made',
  title: 'file of a test',
  files: files.map((file) => (file.startsWith('~/') ? file : join(folder, file))),
  parse: lines(),
  when: 'now',
  user: 'owner',
  severity: 'low',
  benign: 'It was made here.',
  techniques: ['T1053'],
  ...more,
});

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const reasons = ({ unread }: StartupScan, folder: string) =>
  unread.map(({ path, reason }) => `${path.replace(`${folder}/`, '')}: ${reason}`);
const runs = ({ entries }: StartupScan) => entries.map((entry) => entry.runs);

test('files are read, each once, with what they start and when they changed', async () => {
  const folder = tempFolder('desk-startup-');
  const before = Date.now();
  write(join(folder, 'etc/b'), 'second\n# none\n');
  write(join(folder, 'etc/a'), 'first\nalso\n');
  symlinkSync('etc', join(folder, 'alias'));
  symlinkSync('a', join(folder, 'etc/link'));
  const scan = await scanStartup({ places: [placeIn(folder, ['etc/*', 'alias/*'])] });
  expect(runs(scan)).equals(['first', 'also', 'second', 'first', 'also']);
  expect(scan.unread).equals([]);
  // A link is an entry of its own, as in a folder of links; by the second name of the folder it is the same file again.
  assert.is(scan.files, 3);
  for (const { changedMs, voucher, sha256 } of scan.entries) {
    assert.ok(changedMs >= before - 1_000 && changedMs <= Date.now());
    assert.is(voucher.kind, 'none');
    assert.match(sha256, /^[0-9a-f]{64}$/);
  }
});

test('what cannot be read is named with the reason, and nothing hangs on it', async () => {
  const folder = tempFolder('desk-startup-');
  write(join(folder, 'good'), 'fine\n');
  write(join(folder, 'large'), 'line\n'.repeat(1_000_000));
  write(join(folder, 'many'), 'x\n'.repeat(2_000));
  write(join(folder, 'sparse'), 'first\n');
  truncateSync(join(folder, 'sparse'), 4 * 2 ** 30);
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  symlinkSync('loop', join(folder, 'loop'));
  symlinkSync('missing', join(folder, 'dangling'));
  symlinkSync('/dev/null', join(folder, 'masked'));
  symlinkSync('/dev/zero', join(folder, 'endless'));
  writeFileSync(join(folder, 'bytes'), Buffer.from([0xff, 0xfe, 0x0a, 0x00, 0x0a]));
  const scan = await scanStartup({ places: [placeIn(folder, ['*'])] });
  expect(reasons(scan, folder)).equals([
    'endless: it is a character device',
    'large: only its first 256 KiB were read',
    'loop: ELOOP',
    'many: it starts more than 1000 programs',
    'pipe: it is a fifo',
    'sparse: EFBIG',
  ]);
  assert.ok(runs(scan).includes('fine'));
  // Of what was not read whole, the part that was is known.
  assert.ok(runs(scan).includes('first'));
});

test('links are followed to what may come to start something, not to devices, which change all the time', async () => {
  const folder = tempFolder('desk-startup-');
  write(join(folder, 'away/file'), 'fine\n');
  mkdirSync(join(folder, 'etc'));
  symlinkSync('/dev/null', join(folder, 'etc/masked'));
  symlinkSync('../away/file', join(folder, 'etc/file'));
  symlinkSync('../away/late', join(folder, 'etc/late'));
  const scanner = new StartupScanner({ places: [placeIn(folder, ['etc/*'])] });
  try {
    await scanner.all();
    expect(scanner.targets).equals([join(folder, 'away/file'), join(folder, 'away/late')]);
  } finally {
    await scanner.close();
  }
});

test('a folder with too many files is named', async () => {
  const folder = tempFolder('desk-startup-');
  for (let at = 0; at < 4_100; at++) writeFileSync(join(folder, String(at)), '');
  const scan = await scanStartup({ places: [placeIn(folder, ['*'])] });
  expect(reasons(scan, folder)).equals(['*: it has more than is read']);
});

test('a helper that hangs, or is another program, costs its answer alone', async () => {
  const folder = tempFolder('desk-startup-');
  const program = (name: string, body: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\n${body}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const places = [placeIn('', ['/one', '/two'])];
  const scanWith = (body: string, where: readonly Place[] = places) =>
    scanStartup({ places: where, program: program('helper', body), deadlineMs: 200, mostMs: 300 });
  const reasonsWith = async (body: string): Promise<readonly string[]> =>
    (await scanWith(body)).unread.map(({ path, reason }) => `${path}: ${reason}`);
  const empty = '{"files":[],"unread":[],"cut":false,"databases":[],"busy":false}';
  const hangsAt = (path: string) => {
    const hex = Buffer.from(path).toString('hex');
    return `while read -r line; do case $line in *${hex}) sleep 60;; *) echo '${empty}';; esac; done`;
  };
  expect(await reasonsWith(hangsAt('/two'))).equals(['/two: reading it hangs']);
  for (const body of ['while read -r line; do echo "{}"; done', 'echo nonsense', 'exit 3'])
    for (const reason of await reasonsWith(body))
      assert.match(reason, /^\/(?:one|two): desk-peek does not answer: ./);
  const missing = await scanStartup({ places, program: join(folder, 'none') });
  assert.match(missing.unread[0]?.reason ?? '', 'ENOENT');
  // What a later pass may read; without the list of accounts that is every home.
  const missedWith = async (hangs: string, ...files: readonly string[]) =>
    (await scanWith(hangsAt(hangs), [placeIn('', files)])).unread.map((one) => one.missed?.path);
  expect(await missedWith('/two/*', '/one', '/two/*')).equals(['/two']);
  // As the paths of findings, without folder links.
  expect(await missedWith('/lib/nss_*', '/lib/nss_*')).equals([realpathSync('/lib')]);
  expect(await missedWith('/lib/nss', '/lib/nss')).equals([join(realpathSync('/lib'), 'nss')]);
  expect(await missedWith('/etc/passwd', '/one', '~/.profile')).equals(['/']);
  // The answer of this helper has no such file.
  expect(await missedWith('/two', '/one', '~/.profile')).equals([undefined]);
  const { unread } = await scanWith(hangsAt('/two'), [placeIn('', ['/one', '~/.profile'])]);
  expect(unread.map(({ refused }) => refused)).equals([{ place: 'made', path: '/' }]);
  // A home that is gone, on a file system that has failed, and a file of it that cannot be read.
  const [failed] = [{ path: '/lib/ada', error: 'ESTALE' }];
  const file = { path: '/usr/lib/ada/b', kind: 'regular', mode: 0, uid: 0, gid: 0, size: 0 };
  const more = { modifiedNs: '0', changedNs: '0', link: '', real: '', cut: false, sha256: '', md5: '' };
  const answer = (files: object[]) =>
    JSON.stringify({ ...{ files, unread: [failed], cut: false }, databases: [], busy: false });
  const refusedWith = async (files: object[]) => {
    const scan = await scanWith(`while read -r line; do echo '${answer(files)}'; done`, [
      placeIn('', ['/one']),
    ]);
    return scan.unread.map(({ refused }) => refused?.path);
  };
  const away = join(realpathSync('/lib'), 'ada');
  expect(await refusedWith([])).equals([away]);
  expect(await refusedWith([{ ...file, ...more, error: 'EIO' }])).equals([away, '/usr/lib/ada/b']);
  // What is too long to be read whole is an entry.
  expect(await refusedWith([{ ...file, ...more, error: 'EFBIG' }])).equals([away, undefined]);
});

test('accounts are read, and homes that are none are left out', () => {
  const text = `root:x:0:0:root:/root:/bin/bash
# comment
homeless:x:65534:65534::/nonexistent:/usr/sbin/nologin
bin:x:2:2:bin:/bin:/usr/sbin/nologin
ada:x:1000:1000::/home/ada/:/bin/sh
twin:x:1001:1001::/home/ada:/bin/sh
star:x:1002:1002::/home/*:/bin/sh
relative:x:1003:1003::home:/bin/sh
damaged:x
none:x:1x:0::/home/n:/bin/sh
`;
  const accounts = parseAccounts(text);
  expect(accounts.map(({ name }) => name)).equals([
    'root',
    'homeless',
    'bin',
    'ada',
    'twin',
    'star',
    'relative',
  ]);
  const nameOf = namesOf([...accounts, { name: 'second', uid: 0, home: '/' }]);
  expect([0, 1000, 77].map(nameOf)).equals(['root', 'ada', '77']);
  expect(homesOf(accounts)).equals([
    { name: 'root', uid: 0, home: '/root' },
    { name: 'ada', uid: 1000, home: '/home/ada' },
  ]);
});

test('the packages of this machine vouch for their files', async () => {
  const reader = new FileReader();
  try {
    const scan = await reader.read({ depth: 'digest', viewer: 0, pattern: '/usr/bin/env' });
    assert.ok(typeof scan !== 'string', String(scan));
    const [file] = scan.files;
    // Debian: dpkg is there. Elsewhere nothing vouches, and the scan says so.
    if (scan.databases.some(({ name, state }) => name === 'dpkg' && state === 'read'))
      assert.ok(file?.owners?.some(({ name, digest }) => name === 'coreutils' && digest === file.md5));
    else
      assert.is(
        file?.owners?.some(({ database }) => database === 'dpkg'),
        false,
      );
  } finally {
    await reader.close();
  }
});

const container = containerFiles(containerView());

testsNeeding(test, 'dpkg')(
  'the package of a file is named by its path; without one, and where it cannot be looked up, that is said',
  async () => {
    const folder = tempFolder('desk-owner-');
    write(join(folder, 'own'), 'x');
    const scanner = new StartupScanner({ places: [] });
    try {
      const owner = await scanner.ownerOf('/usr/bin/dpkg');
      // In a container the packages are not those of the machine, and are not read.
      if (container !== '') assert.is(owner, container);
      else {
        assert.ok(owner !== null && typeof owner === 'object', String(owner));
        expect([owner.name, owner.database]).equals(['dpkg', 'dpkg']);
        assert.is(await scanner.ownerOf(join(folder, 'own')), null);
        assert.type(await scanner.ownerOf(join(folder, 'none')), 'string');
      }
      for (const path of ['', 'relative', '/usr/bin/*', '/tmp/\ufffd'])
        assert.is(await scanner.ownerOf(path), 'its path cannot be looked up', path);
    } finally {
      await scanner.close();
    }
  },
);

test.run();
