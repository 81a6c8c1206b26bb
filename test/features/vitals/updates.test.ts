/** Pending updates, beside what apt itself says of the same files. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadNative } from '../../../src/engine/native/load.ts';
import { Gathered } from '../../../src/features/vitals/files.ts';
import { PendingUpdates } from '../../../src/features/vitals/updates.ts';
import { keepsWaiting } from '../../support/keeps-waiting.ts';
import { needs } from '../../support/require.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const native = loadNative().addon;
const test = suite('pending updates');
keepsWaiting(test);
const STATUS = 'var/lib/dpkg/status';
const LISTS = 'var/lib/apt/lists';
const SITE = 'deb.example_debian_dists';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly arch?: string;
  readonly hold?: boolean;
}
interface Suite {
  readonly name: string;
  readonly fields?: string;
  readonly packages: readonly Package[];
}

/** A new file in its place, as dpkg and apt write it. */
const put = (root: string, name: string, text: string | Buffer): void => {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}~`, text);
  renameSync(`${path}~`, path);
};
const paragraph = ({ name, version, arch = 'amd64' }: Package, more = ''): string =>
  `Package: ${name}\n${more}Architecture: ${arch}\nVersion: ${version}\nMaintainer: x <x@x.example>\nDescription: x\n\n`;
const listOf = (suite: Suite): string => `${LISTS}/${SITE}_${suite.name}_main_binary-amd64_Packages`;
const textOf = ({ packages }: Suite): string =>
  packages.map((one) => paragraph(one, `Filename: pool/${one.name}_${one.version}.deb\nSize: 1\n`)).join('');

/** What apt would know of a machine with these packages, after it has read these suites. */
function machine(installed: readonly Package[], suites: readonly Suite[]): string {
  const root = memoryFolder('desk-apt-');
  const status = [{ name: 'dpkg', version: '1.22.6' }, ...installed];
  put(
    root,
    STATUS,
    status
      .map((one) =>
        paragraph(one, `Status: ${'hold' in one && one.hold ? 'hold' : 'install'} ok installed\n`),
      )
      .join(''),
  );
  const sources: string[] = [];
  for (const suite of suites) {
    const head = `Origin: x\nLabel: x\nSuite: ${suite.name}\nCodename: ${suite.name}\n${suite.fields ?? ''}`;
    const signed = suite.name.length % 2 === 0;
    const start = signed ? '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n' : '';
    const end = signed ? '-----BEGIN PGP SIGNATURE-----\n\nAAAA\n-----END PGP SIGNATURE-----\n' : '';
    put(
      root,
      `${LISTS}/${SITE}_${suite.name}_${signed ? 'InRelease' : 'Release'}`,
      `${start}${head}Components: main\nArchitectures: amd64\n${end}`,
    );
    put(root, listOf(suite), textOf(suite));
    sources.push(`deb [trusted=yes arch=amd64] http://deb.example/debian ${suite.name} main\n`);
  }
  put(root, 'etc/apt/sources.list', sources.join(''));
  for (const folder of ['etc/apt/preferences.d', 'etc/apt/apt.conf.d', `${LISTS}/partial`, 'var/cache/apt'])
    mkdirSync(join(root, folder), { recursive: true });
  return root;
}

/** Names of packages that apt would upgrade. */
function byApt(root: string): readonly string[] {
  const options = [
    `Dir=${root}`,
    `Dir::State::status=${root}/${STATUS}`,
    'APT::Architecture=amd64',
    'APT::Architectures::=amd64',
    'Dir::Cache::pkgcache=',
    'Dir::Cache::srcpkgcache=',
  ].flatMap((option) => ['-o', option]);
  const { stdout, status, stderr } = spawnSync('apt', [...options, 'list', '--upgradable'], {
    encoding: 'utf8',
    env: { LC_ALL: 'C', PATH: process.env.PATH },
  });
  assert.is(status, 0, stderr);
  return stdout
    .split('\n')
    .flatMap((line) => /^([^/]+)\/.*\[upgradable from/.exec(line)?.[1] ?? [])
    .sort();
}

const read = (root: string) => native.aptUpdates(root);
const SUITES = ['stable', 'stable-updates', 'stable-security', 'stable-backports', 'experimental'];
const FIELDS: Readonly<Record<string, string>> = {
  'stable-backports': 'NotAutomatic: yes\nButAutomaticUpgrades: yes\n',
  experimental: 'NotAutomatic: yes\n',
};

needs('apt')(test, 'as many updates as apt says, for any versions and releases', async () => {
  const version = fc.constantFrom(
    ...[
      '1.0',
      '1.0-1',
      '1.0-1+deb12u1',
      '1.0-1~bpo12+1',
      '1:0.5-1',
      '1.10-1',
      '1.9-1',
      '2.0~rc1-1',
      '2.0-1',
      '0:1.0-1',
    ],
  );
  // apt takes the same version of another architecture for another version.
  const named = fc
    .record({ name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), version })
    .map((one) => ({ ...one, arch: one.name < 'c' ? 'all' : 'amd64' }));
  const packages = fc.uniqueArray(named, { maxLength: 6, selector: ({ name }) => name });
  const suites = fc.tuple(...SUITES.map((name) => packages.map((found) => ({ name, packages: found }))));
  await fc.assert(
    fc.asyncProperty(packages, suites, async (installed, found) => {
      const root = machine(
        installed,
        found.map((suite) => ({ ...suite, fields: FIELDS[suite.name] ?? '' })),
      );
      const { trouble, all, security } = await read(root);
      assert.is(trouble, '');
      const expected = byApt(root);
      assert.is(all, expected.length, expected.join(' '));
      // Those of which the release for security has a newer version, by dpkg.
      const isNewer = (one: string, other: string) =>
        spawnSync('dpkg', ['--compare-versions', one, 'gt', other]).status === 0;
      const secure = found[2]?.packages ?? [];
      const fixed = installed.filter((one) =>
        secure.some(({ name, version: newer }) => name === one.name && isNewer(newer, one.version)),
      );
      assert.is(security, fixed.length);
      rmSync(root, { recursive: true });
    }),
    { numRuns: 40 },
  );
});

const INSTALLED = [
  { name: 'held', version: '1.0', hold: true },
  { name: 'old', version: '1.0' },
  { name: 'risky', version: '1.0', arch: 'all' },
  { name: 'new', version: '2.0' },
];
const SECURITY = {
  name: 'stable-security',
  packages: [{ name: 'risky', version: '1.0+deb12u1', arch: 'all' }],
};
const STABLE = {
  name: 'stable',
  packages: ['held', 'old', 'new', 'other'].map((name) => ({ name, version: '2.0' })),
};

test('what is on hold does not count, and what a release for security has is known', async () => {
  const { trouble, all, security, seconds } = await read(machine(INSTALLED, [STABLE, SECURITY]));
  assert.equal([trouble, all, security], ['', 2, 1]);
  assert.ok(Math.abs(seconds - Date.now() / 1000) < 600);
});

test('why they are not known', async () => {
  const trouble = async (root: string) => (await read(root)).trouble;
  assert.is(await trouble(memoryFolder('desk-apt-')), 'no-database');
  assert.is(await trouble(machine(INSTALLED, [])), 'no-lists');
  const pinned = machine(INSTALLED, [STABLE]);
  put(pinned, 'etc/apt/preferences.d/x.bak', 'Package: *\nPin: release a=x\nPin-Priority: 900\n');
  assert.is(await trouble(pinned), '', 'apt does not read this name');
  put(pinned, 'etc/apt/preferences.d/x', 'Package: *\nPin: release a=x\nPin-Priority: 900\n');
  assert.is(await trouble(pinned), 'preferences');
  // What says nothing of a package that has a newer version changes nothing.
  const own = 'Explanation: x\nPackage: new other:any\nPin: origin deb.example\nPin-Priority: 600\n';
  put(pinned, 'etc/apt/preferences.d/x', own);
  assert.is(await trouble(pinned), '');
  for (const [from, to] of [
    ['new', 'new old'],
    ['Package: new', 'package: OLD'],
    ['new', 'new*'],
    ['new', 'src:new'],
    ['other:any', 'other\n old'],
  ] as const) {
    put(pinned, 'etc/apt/preferences.d/x', own.replace(from, to));
    assert.is(await trouble(pinned), 'preferences', to);
  }
  const chosen = machine(INSTALLED, [STABLE]);
  mkdirSync(join(chosen, 'etc/apt/preferences.d/folder'));
  put(chosen, 'etc/apt/apt.conf.d/50x.bak', 'APT::Default-Release "stable";\n');
  put(chosen, 'etc/apt/apt.conf.d/50x', '// APT::Default-Release "stable";\n');
  put(chosen, `${listOf(STABLE)}.diff_Index`, 'of updates of the list');
  assert.is(await trouble(chosen), '');
  put(chosen, 'etc/apt/apt.conf', 'apt::default-release "stable";\n');
  assert.is(await trouble(chosen), 'preferences');
  const noApt = machine(INSTALLED, [STABLE]);
  rmSync(join(noApt, LISTS), { recursive: true });
  assert.is(await trouble(noApt), 'no-database');
  for (const [ending, content] of [
    ['.xz', 'x'],
    ['.lz4', 'not of lz4'],
    ['.lz4', ''],
  ] as const) {
    const other = machine(INSTALLED, [STABLE]);
    put(other, `${listOf(STABLE)}${ending}`, content);
    assert.is(await trouble(other), 'format', ending);
  }
});

needs('lz4')(test, 'lists that apt keeps compressed are read', async () => {
  const many = manyPackages();
  // What counts is in the first, a middle and the last blocks.
  const chosen = [0, 5_000, 12_345, many.length - 1].map(
    (at) => ({ ...many[at], version: '0.0~' }) as Package,
  );
  const suite = { ...STABLE, packages: [...many, ...STABLE.packages] };
  for (const options of [['-1'], ['-9', '-BD'], ['-B4', '-BD', '-BX'], ['--content-size', '-B7']]) {
    const root = machine([...INSTALLED, ...chosen], [suite, SECURITY]);
    const plain = await read(root);
    assert.equal([plain.all, plain.security], [6, 1]);
    const { stdout, status } = spawnSync('lz4', ['-c', ...options], {
      input: textOf(suite),
      maxBuffer: 1 << 26,
    });
    assert.is(status, 0);
    rmSync(join(root, listOf(suite)));
    put(root, `${listOf(suite)}.lz4`, stdout);
    const { all, security, trouble } = await read(root);
    assert.equal([trouble, all, security], ['', plain.all, plain.security]);
    for (const size of [stdout.length - 5, 100, 7]) {
      put(root, `${listOf(suite)}.lz4`, stdout.subarray(0, size));
      assert.is((await read(root)).trouble, 'format', `${size} bytes`);
    }
  }
});

test('what fails for a while is tried again, and says why', async () => {
  const root = machine(INSTALLED, [STABLE]);
  const answers = ['EMFILE', 'EMFILE', ''];
  const updates = new PendingUpdates(
    {
      aptUpdates: async () => {
        const trouble = answers.shift() ?? 'none left';
        return { trouble, all: 1, security: 0, seconds: 5 };
      },
    },
    root,
  );
  const gathered = new Gathered(root);
  assert.is(await updates.read(gathered, ''), null);
  assert.equal(gathered.missing, [{ what: 'updates', reason: 'the files of apt: EMFILE', kind: 'unread' }]);
  assert.equal(await updates.read(gathered, ''), { all: 1, security: 0, asOfMs: 5_000 });
  const failing = new PendingUpdates({ aptUpdates: () => Promise.reject(new Error('no memory')) }, root);
  assert.is(await failing.read(gathered, ''), null);
  assert.match(gathered.missing[1]?.reason ?? '', 'no memory');
});

const manyPackages = (): readonly Package[] =>
  Array.from({ length: 20_000 }, (_, at) => ({
    name: `package-${at % 997}-${at}`,
    version: `${at}.${at % 7}`,
  }));

test('the files of this machine are read', async () => {
  const gathered = new Gathered('');
  const found = await new PendingUpdates(native, '').read(gathered, '');
  if (found === null) assert.not.match(gathered.missing[0]?.reason ?? '', /Error|undefined/);
  else assert.ok(found.asOfMs > 0 && found.asOfMs <= Date.now());
});

test('the desk reads the lists again only after a change, and says why where it cannot', async () => {
  const root = machine(INSTALLED, [STABLE, SECURITY]);
  let times = 0;
  const counted = {
    aptUpdates: (of: string) => {
      times += 1;
      return native.aptUpdates(of);
    },
  };
  const updates = new PendingUpdates(counted, root);
  const gathered = new Gathered(root);
  const asOfMs = Math.floor(statSync(join(root, LISTS)).mtimeMs / 1000) * 1000;
  assert.equal(await updates.read(gathered, ''), { all: 2, security: 1, asOfMs });
  await updates.read(gathered, '');
  assert.is(times, 1);
  put(root, STATUS, readFileSync(join(root, STATUS), 'utf8').replace('Version: 1.0\n', 'Version: 2.0\n'));
  await updates.read(gathered, '');
  assert.is(times, 2);
  assert.equal(gathered.missing, []);
  assert.is(await updates.read(gathered, 'in a container'), null);
  put(root, 'etc/apt/preferences.d/x', '');
  await updates.read(gathered, '');
  // Edited in place.
  writeFileSync(join(root, 'etc/apt/preferences.d/x'), 'Package: *\nPin: release a=x\nPin-Priority: 900\n');
  assert.is(await updates.read(gathered, ''), null);
  assert.equal(
    gathered.missing.map(({ kind }) => kind),
    ['absent', 'unread'],
  );
  assert.match(gathered.missing[1]?.reason ?? '', 'apt list --upgradable');
  put(root, 'var/lib/update-notifier/updates-available', '12 updates can be applied immediately.\n');
  assert.is((await updates.read(gathered, ''))?.all, 12);
});

test.run();
