/** The catalogue of places, and what is read of a file in each. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { entriesOf } from '../../../src/features/startup/entries.ts';
import { privilegedMounts } from '../../../src/features/startup/mounts.ts';
import type { Place } from '../../../src/features/startup/place.ts';
import { PLACES } from '../../../src/features/startup/places/index.ts';
import { rightsOf } from '../../../src/features/startup/rights.ts';
import type { ScannedFile } from '../../../src/features/startup/scanned-file.ts';
import { expect } from '../../support/expect.ts';
import { forAll } from '../../support/for-all.ts';
import { PLANTS } from './plants.ts';

const test = suite('places');

const placeOf = (id: string): Place => {
  const place = PLACES.find((one) => one.id === id);
  if (place === undefined) throw new Error(`no place ${id}`);
  return place;
};

const fileOf = (path: string, text: string, more: Partial<ScannedFile> = {}): ScannedFile => ({
  path,
  text,
  kind: 'regular',
  mode: 0o644,
  uid: 0,
  gid: 0,
  size: text.length,
  modifiedNs: '0',
  changedNs: '0',
  link: '',
  real: path,
  cut: false,
  sha256: '',
  md5: '',
  ...more,
});

const OWNER = {
  name: 'pack',
  version: '1.2',
  installedNs: '0',
  removed: false,
  configuration: true,
  database: 'dpkg',
  digest: 'aa',
  unsupported: false,
};
const HOME = { name: 'ada', uid: 1000, home: '/home/ada' };
const inHome = (path: string): string => path.replace(/^~/, HOME.home);
const startsOf = (place: Place, file: ScannedFile, home = false) =>
  entriesOf(place, file, home ? HOME : null, String).entries;

/** A pattern of native/files/search.h as a regular expression. */
const matches = (pattern: string, path: string): boolean =>
  new RegExp(
    `^${pattern
      .split('/')
      .map((part) =>
        part === '**'
          ? '(?:[^/]+/)*'
          : `${part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')}/`,
      )
      .join('')
      .replace(/\/$/, '')}$`,
  ).test(path);

test('each place has an id, words and techniques of its own', () => {
  assert.is(new Set(PLACES.map(({ id }) => id)).size, PLACES.length);
  for (const { id, title, files, when, benign, techniques } of PLACES) {
    assert.match(id, /^[a-z][a-z0-9-]+$/);
    assert.ok(techniques.length > 0 && files.length > 0, id);
    for (const technique of techniques) assert.match(technique, /^T1\d{3}(?:\.\d{3})?$/, id);
    assert.not.match(title, /^(?:A |An |The )|\.$/, id);
    assert.not.match(when, /\.$/, id);
    assert.match(benign, /^[A-Z].*\.$/, id);
  }
});

test('patterns are absolute or below homes, and no folder is read twice for one place', () => {
  for (const { id, files } of PLACES) {
    assert.is(new Set(files).size, files.length, id);
    for (const pattern of files) assert.match(pattern, /^(?:~\/|\/)(?!.*\/\/)(?!.*\/$)/, `${id}: ${pattern}`);
  }
});

test('each place has a plant, which its patterns name', () => {
  expect([...new Set(PLANTS.map(({ place }) => place))].sort()).equals(PLACES.map(({ id }) => id).sort());
  for (const { place, path } of PLANTS)
    assert.ok(
      placeOf(place).files.some((pattern) => matches(pattern, path)),
      `${place} does not name ${path}`,
    );
});

for (const { place, path, text, mode = 0o644, runs, user } of PLANTS)
  test(`${place}: ${path}`, () => {
    const home = path.startsWith('~/');
    const at = inHome(path);
    const starts = startsOf(placeOf(place), fileOf(at, text, { mode }), home);
    expect(starts.map((start) => start.runs)).equals(runs.map(inHome));
    for (const start of starts) assert.ok(start.when !== '' && start.user !== '', JSON.stringify(start));
    if (user !== undefined) assert.ok(starts.some((start) => start.user === user));
    if (home) assert.ok(starts.every((start) => start.user === HOME.name));
  });

test('comments start nothing', () => {
  const comments = '\n# * * * * * root /bin/true\n#ExecStart=/bin/true\n   \n';
  for (const { place, path, mode } of PLANTS) {
    // What is loaded or run as a whole has no comments.
    const { depth } = placeOf(place);
    if (depth !== undefined || mode === 0o755 || /\.(?:crt|membership)$/.test(path) || place === 'initramfs')
      continue;
    if (place === 'network-hook') continue;
    expect(startsOf(placeOf(place), fileOf(inHome(path), comments), path.startsWith('~/'))).equals([]);
  }
});

test('what editors and package managers leave starts nothing', () => {
  for (const name of [
    '.planted.swp',
    'planted~',
    '#planted#',
    'planted.dpkg-old',
    'planted.rpmsave',
    'planted.dpkg-new',
  ])
    for (const [id, folder, text] of [
      ['crontab', '/etc/cron.d', '* * * * * root /bin/true\n'],
      ['systemd-unit', '/etc/systemd/system', '[Service]\nExecStart=/bin/true\n'],
      ['pam', '/etc/pam.d', 'auth sufficient pam_permit.so\n'],
      ['udev-rule', '/etc/udev/rules.d', 'RUN+="/bin/true"\n'],
      ['init-script', '/etc/init.d', '#!/bin/sh\n'],
      ['system-profile', '/etc/profile.d', 'true\n'],
      ['autostart', '/etc/xdg/autostart', '[Desktop Entry]\nExec=/bin/true\n'],
      ['kernel-command-line', '/etc/default/grub.d', 'GRUB_CMDLINE_LINUX="init=/bin/true"\n'],
      ['kernel-command-line', '/boot/loader/entries', 'options init=/bin/true\n'],
    ] as const)
      expect(startsOf(placeOf(id), fileOf(`${folder}/${name}`, text, { mode: 0o755 }))).equals([]);
});

test('of folders with names of their own only those are read', () => {
  const text = 'GRUB_CMDLINE_LINUX="init=/tmp/evil"\n';
  const runs = (place: string, path: string, what = text) =>
    startsOf(placeOf(place), fileOf(path, what)).map((start) => start.runs);
  expect(runs('kernel-command-line', '/etc/default/grub.d/own.cfg')).equals(['init=/tmp/evil"']);
  expect(runs('kernel-command-line', '/etc/default/grub.d/own')).equals([]);
  expect(runs('kernel-command-line', '/boot/loader/entries/own.conf').length).equals(1);
  expect(runs('kernel-command-line', '/etc/default/grub').length).equals(1);
  for (const name of ['.profile', '.bashrc', '.config/autostart/x.desktop'])
    expect(runs('skeleton', `/etc/skel/${name}`, '/tmp/evil\n')).equals(['/tmp/evil']);
  for (const name of ['..profile.swp', '.profile~', '.profile.dpkg-old', '.goutputstream-AB12CD'])
    expect(runs('skeleton', `/etc/skel/${name}`, '/tmp/evil\n')).equals([]);
});

test('what setuptools writes in a home is expected, and other code is not', () => {
  const expected = (name: string, text: string, folder = '/home/ada/.local/lib/python3.11/site-packages') =>
    startsOf(placeOf('python'), fileOf(`${folder}/${name}`, text), true).map((start) => start.expected);
  const editable = 'import __editable___made_1_0_finder; __editable___made_1_0_finder.install()';
  expect(expected('__editable__.made-1.0.pth', editable)).equals([true]);
  expect(expected('__editable__.made-1.0.pth', `${editable}; import os`)).equals([false]);
  expect(expected('__editable__.made-1.0.pth', editable.replace('; _', '; x_'))).equals([false]);
  expect(expected('made.pth', editable)).equals([false]);
  expect(expected('__editable__.made-1.0.pth', editable, '/usr/lib/python3/dist-packages')).equals([false]);
  const hack =
    "import os; var = 'SETUPTOOLS_USE_DISTUTILS'; enabled = os.environ.get(var, 'local') == 'local'; enabled and __import__('_distutils_hack').add_shim(); ";
  expect(expected('distutils-precedence.pth', hack)).equals([true]);
  expect(expected('distutils-precedence.pth', hack.replace('_distutils_hack', 'evil'))).equals([false]);
  expect(expected('distutils-precedence.pth', `${hack}import evil`)).equals([false]);
});

test('a password is never shown, and another one is another entry', () => {
  const shadow = (hash: string) =>
    startsOf(placeOf('shadow'), fileOf('/etc/shadow', `ada:${hash}:1:0:9:7:::\n`))[0]?.runs ?? '';
  const [one, other] = [shadow('$y$j9T$abc$secretsecret'), shadow('$y$j9T$abc$secretsecreT')];
  assert.match(one, /^a password \(y, [0-9a-f]{12}\)$/);
  assert.is.not(one, other);
  assert.not.match(one, /secret/);
  assert.is(shadow('!$y$locked'), '');
});

test('the fields of a time are shown with one blank each, and the key is of the line as it is', () => {
  const of = (text: string) => startsOf(placeOf('crontab'), fileOf('/etc/cron.d/a', text))[0];
  const tabs = of('17 *\t* *  *\troot true\n');
  assert.is(tabs?.when, '17 * * * *');
  assert.is.not(tabs?.key, of('17 * * * * root true\n')?.key);
});

test('secrets in commands are masked', () => {
  const [entry] = startsOf(
    placeOf('crontab'),
    fileOf('/etc/cron.d/a', '* * * * * root backup --password=hunter2 /srv\n'),
  );
  assert.ok(entry !== undefined && !entry.runs.includes('hunter2'), entry?.runs);
  assert.match(entry.runs, '/srv');
});

test('a file is vouched for by its package, and only as its package has it', () => {
  const owner = OWNER;
  const vouched = (more: Partial<ScannedFile>) =>
    startsOf(placeOf('crontab'), fileOf('/etc/cron.d/a', '* * * * * root true\n', more))[0]?.voucher;
  expect(vouched({ md5: 'aa', owners: [owner] })).equals({
    kind: 'package',
    package: 'pack',
    version: '1.2',
    database: 'dpkg',
    expected: '',
    found: 'aa',
    configuration: true,
  });
  expect(vouched({ md5: 'bb', owners: [owner] })).equals({
    kind: 'changed',
    package: 'pack',
    version: '1.2',
    database: 'dpkg',
    expected: 'aa',
    found: 'bb',
    configuration: true,
  });
  // One of several packages with the same path has this content.
  assert.is(vouched({ md5: 'aa', owners: [{ ...owner, digest: 'bb' }, owner] })?.kind, 'package');
  for (const more of [
    { md5: 'aa', owners: [] },
    { md5: 'aa', owners: [{ ...owner, digest: '' }] },
    { md5: '', owners: [owner] },
    { md5: '', owners: [{ ...owner, digest: '' }] },
  ])
    assert.is(vouched(more)?.kind, 'none', JSON.stringify(more));
});

test('digests are compared by the algorithm of the package, and one that is not computed is neither', () => {
  const owner = { ...OWNER, database: 'rpm', digest: 'sha256:cc' };
  const parsed = (more: Partial<ScannedFile>) => {
    const file = fileOf('/etc/cron.d/a', '* * * * * root true\n', { md5: 'aa', owners: [owner], ...more });
    const { entries, unread } = entriesOf(placeOf('crontab'), file, null, String);
    const { kind, found, database } = entries[0]?.voucher ?? {};
    return [kind, found, database, unread];
  };
  expect(parsed({ sha256: 'cc' })).equals(['package', 'sha256:cc', 'rpm', '']);
  expect(parsed({ sha256: 'dd' })).equals(['changed', 'sha256:dd', 'rpm', '']);
  // The digits of another algorithm say nothing.
  expect(parsed({ sha256: 'dd', md5: 'cc' })[0]).equals('changed');
  const [kind, , , reason] = parsed({ sha256: 'cc', owners: [{ ...owner, digest: '', unsupported: true }] });
  expect([kind, reason]).equals(['none', 'its package has a digest of an algorithm that is not supported']);
});

test('a long file is read whole where a package vouches for it', () => {
  const unread = (md5: string) =>
    entriesOf(
      placeOf('polkit-action'),
      fileOf('/usr/share/polkit-1/actions/long.policy', 'x', {
        ...{ cut: true, sha256: 'c', md5 },
        owners: [{ ...OWNER, configuration: false }],
      }),
      null,
      String,
    ).unread;
  assert.is(unread('aa'), '');
  assert.is(unread('bb'), 'only its first 256 KiB were read');
});

test('rights of a program are vouched for as they were installed, and not those that came later', () => {
  const owner = { ...OWNER, configuration: false };
  const hour = 3_600_000_000_000;
  const kindOf = (more: Partial<ScannedFile>) =>
    startsOf(
      placeOf('privileged-program'),
      fileOf('/usr/bin/a', '', { mode: 0o4755, md5: 'aa', owners: [owner], ...more }),
    )[0]?.voucher.kind;
  assert.is(kindOf({ changedNs: '0' }), 'package');
  assert.is(kindOf({ changedNs: String(hour + 1) }), 'none');
  assert.is(kindOf({ changedNs: String(hour + 1), owners: [{ ...owner, installedNs: '1' }] }), 'package');
  assert.is(kindOf({ md5: 'bb' }), 'changed');
  assert.is(kindOf({ owners: [], copy: 'bash 5' }), 'none');
  // A mode that the package records counts, whenever the file has changed; capabilities are in no mode.
  const late = { changedNs: String(hour + 1) };
  assert.is(kindOf({ ...late, owners: [{ ...owner, mode: 0o4755 }] }), 'package');
  assert.is(kindOf({ changedNs: '0', owners: [{ ...owner, mode: 0o755 }] }), 'none');
  assert.is(kindOf({ ...late, capabilities: '01', owners: [{ ...owner, mode: 0o4755 }] }), 'none');
});

test('rights of containers of users are low, as long as all ids are theirs', () => {
  const expected = (more: Partial<ScannedFile>, path = '/home/ada/store/su') =>
    startsOf(placeOf('privileged-program'), fileOf(path, '', { sha256: 'c', md5: 'aa', ...more })).map(
      (start) => start.expected,
    );
  expect(expected({ mode: 0o4755, uid: 100_000 })).equals([true]);
  expect(expected({ mode: 0o2755, uid: 1000, gid: 100_041 })).equals([true]);
  expect(expected({ mode: 0o4755, uid: 1000, gid: 100_041 })).equals([false]);
  expect(expected({ mode: 0o2755, uid: 100_000, gid: 42 })).equals([false]);
  expect(expected({ mode: 0o6755, uid: 100_000, gid: 42 })).equals([false]);
  expect(expected({ mode: 0o6755, uid: 0, gid: 100_042 })).equals([false]);
  const raw = '0100000200200000000000000000000000000000';
  expect(expected({ mode: 0o4755, uid: 100_000, capabilities: raw })).equals([false]);
  // As yp-tools sets it, with the content of its package.
  const owners = [{ ...OWNER, name: 'libpam-modules-bin', configuration: false }];
  const check = (more: Partial<ScannedFile>, path = '/usr/sbin/unix_chkpwd') =>
    expected({ mode: 0o4755, changedNs: '9000000000000', owners, ...more }, path);
  expect(check({})).equals([true]);
  expect(check({ md5: 'bb' })).equals([false]);
  expect(check({ mode: 0o6755 })).equals([false]);
  expect(check({}, '/usr/sbin/other')).equals([false]);
});

test('rights are named: mode bits and file capabilities', () => {
  const of = (more: Partial<ScannedFile>) => rightsOf(fileOf('/a', '', more));
  assert.is(of({ mode: 0o4755 }), 'set-user-ID');
  assert.is(of({ mode: 0o6755, gid: 42 }), 'set-user-ID, set-group-ID 42');
  assert.is(of({ mode: 0o2645 }), '');
  // As setcap writes them: revision 2 with the effective bit, revision 3 with a uid, and what is cut.
  assert.is(of({ capabilities: '0100000200140000000000000000000000000000' }), 'net_bind_service, net_admin');
  assert.is(
    of({ capabilities: `00000003${'00200000'}${'00000000'.repeat(1)}${'80000000'}0000000000000000` }),
    'net_raw, bpf',
  );
  // Of a user namespace whose root is uid 1000.
  assert.is(of({ capabilities: '000000030020000000000000000000000000000e8030000'.padEnd(48, '0') }), '');
  assert.is(of({ capabilities: '0100000200' }), '');
});

test('only file systems of this machine are walked, each once', () => {
  const line = (device: string, root: string, point: string, type: string, options = 'rw') =>
    `1 2 ${device} ${root} ${point} ${options} shared:1 - ${type} source rw`;
  const text = [
    line('8:1', '/', '/', 'ext4'),
    line('0:5', '/', '/proc', 'proc'),
    line('8:2', '/', '/mnt/a\\040b\\303\\266', 'xfs'),
    line('8:1', '/home', '/bound', 'ext4'),
    line('0:9', '/', '/tmp', 'tmpfs', 'rw,nosuid,nodev'),
    line('0:40', '/', '/net', 'nfs4'),
    line('0:41', '/', '/fuse', 'fuse.sshfs'),
    line('0:30', '/@home', '/home', 'btrfs'),
    line('0:30', '/@', '/other', 'btrfs'),
    'damaged',
    '',
  ].join('\n');
  expect(privilegedMounts(text)).equals({
    walked: ['/', '/mnt/a b\u00f6', '/home', '/other'],
    others: [
      { path: '/net', type: 'nfs4' },
      { path: '/fuse', type: 'fuse.sshfs' },
    ],
  });
});

test('what scripts of packages write is known to be harmless, and what lets somebody in is not', () => {
  const expected = (place: string, path: string, text: string) =>
    startsOf(placeOf(place), fileOf(path, text)).map((start) => start.expected);
  const pam = (text: string, path = '/etc/pam.d/common-auth') => expected('pam', path, text)[0];
  for (const line of [
    'auth\t[success=1 default=ignore]\tpam_unix.so nullok',
    'account [success=1 new_authtok_reqd=done default=ignore] pam_unix.so',
    'auth requisite pam_deny.so',
    'auth required pam_permit.so',
    'session [default=1] pam_permit.so',
    'session optional pam_systemd.so',
    'password [success=1 default=ignore] pam_unix.so obscure yescrypt',
  ])
    assert.is(pam(line), true, line);
  for (const line of [
    'auth sufficient pam_permit.so',
    'auth [success=1 default=ignore] pam_permit.so',
    'auth optional pam_exec.so /tmp/x',
    'auth required pam_unix.so /tmp/x',
    'auth sufficient pam_unix.so',
    'auth required /tmp/pam_unix.so',
  ])
    assert.is(pam(line), false, line);
  assert.is(pam('auth required pam_permit.so', '/etc/pam.d/sshd'), false);
  const users =
    'root:x:0:0::/root:/bin/sh\npostgres:x:101:104::/var/lib/postgresql:/bin/bash\nada:x:1000:1000::/home/ada:/bin/sh\n';
  expect(expected('passwd', '/etc/passwd', users)).equals([false, true, false]);
  expect(
    expected(
      'environment',
      '/etc/environment',
      'PATH="/usr/local/sbin:/usr/bin:/bin:/usr/games"\nPATH=/tmp:/bin\n',
    ),
  ).equals([true, false]);
  expect(
    expected('initramfs', '/etc/initramfs-tools/conf.d/resume', 'RESUME=UUID=ab-12\nRESUME=$(id)\n'),
  ).equals([true, false]);
});

test('what a script of a package writes is expected in its own file alone, to the letter', () => {
  const expected = (place: string, path: string, text: string) =>
    startsOf(placeOf(place), fileOf(path, text)).map((start) => start.expected);
  const popularity = '/etc/cron.daily/popularity-contest';
  const line = `17 3 * * * root test -x ${popularity} && ${popularity} --crond`;
  const cron = (text: string, path = '/etc/cron.d/popularity-contest') => expected('crontab', path, text);
  expect(cron(`SHELL=/bin/sh\n${line}\n`)).equals([true, true]);
  expect(cron(`${line}; /tmp/evil\n* * * * * root /tmp/evil\n`)).equals([false, false]);
  expect(cron(line.replace('root', 'ada'))).equals([false]);
  expect(cron('SHELL=/tmp/sh\nPATH=/tmp:/bin\nBASH_ENV=/tmp/x\n')).equals([false, false, false]);
  expect(cron(line, '/etc/cron.d/other')).equals([false]);
  const apticron = 'if test -x /usr/sbin/apticron; then /usr/sbin/apticron --cron; else true; fi';
  expect(cron(`5 * * * * root ${apticron}\n`, '/etc/cron.d/apticron')).equals([true]);
  expect(cron(`5 * * * * root ${apticron}`.replace('true', '/tmp/x'), '/etc/cron.d/apticron')).equals([
    false,
  ]);
  const clamav = '/etc/systemd/system/clamav-daemon.service.d/extend.conf';
  const unit =
    '[Service]\nExecStartPre=-/bin/mkdir -p /run/clamav\nExecStartPre=/bin/chown clamav /run/clamav\n';
  expect(expected('systemd-unit', clamav, unit)).equals([true, true]);
  expect(expected('systemd-unit', clamav, '[Service]\nExecStartPre=/bin/chown clamav /etc\n')).equals([
    false,
  ]);
  expect(expected('systemd-unit', clamav.replace('extend', 'more'), unit)).equals([false, false]);
  const rotate = (reload: string) =>
    `/var/log/clamav/clamav.log {\n postrotate\n if [ -d /run/systemd/system ]; then\n systemctl -q is-active clamav-daemon && systemctl kill --signal=SIGHUP clamav-daemon || true\n else\n ${reload} > /dev/null || true\n fi\n endscript\n}\n`;
  const rotates = '/etc/logrotate.d/clamav-daemon';
  expect(expected('logrotate', rotates, rotate('invoke-rc.d clamav-daemon reload-log'))).equals([true]);
  expect(expected('logrotate', rotates, rotate('/tmp/evil'))).equals([false]);
  expect(expected('group', '/etc/group', 'adm:x:4:logcheck,ada\nsudo:x:27:logcheck\n')).equals([
    true,
    false,
    false,
  ]);
  expect(expected('binary-format', '/var/lib/binfmts/ksh', '/bin/ksh\n/tmp/ksh\n')).equals([true, false]);
});

test('profiles of pam-auth-update are read, and what it makes of them has their origin', () => {
  const { origin, parse } = placeOf('pam');
  const starts = (path: string, text: string) => {
    const file = fileOf(path, text);
    const placed = { text, path, name: path.slice(path.lastIndexOf('/') + 1), isNamed: false, file };
    return parse(placed).map((start) => [start.runs, origin?.(start, placed)]);
  };
  const profile =
    'Name: made\nDefault: yes\nPriority: 10\nAuth-Type: Primary\nAuth:\n\t[success=end default=ignore]\tpam_made.so one  two\n# none\nAuth-Initial: optional pam_made.so\nSession:\n optional\tpam_made.so\nConflicts: unix\n optional pam_none.so\n';
  const made = [
    'auth [success=end default=ignore] pam_made.so one two',
    'auth optional pam_made.so',
    'session optional pam_made.so',
  ];
  expect(starts('/usr/share/pam-configs/made', profile)).equals(made.map((one) => [one, one]));
  expect(starts('/usr/share/pam-configs/made~', profile)).equals([]);
  const line = 'auth\t[success=2 default=ignore]\tpam_made.so one two';
  const origins = (path: string, text: string) => starts(path, text).map(([, one]) => one);
  expect(origins('/etc/pam.d/common-auth', `${line}\n`)).equals([made[0]]);
  // Another program, another control, another file: another origin, or none.
  for (const other of ['auth sufficient pam_made.so one two', `${line} three`, line.replace('ignore', 'ok')])
    assert.ok(!made.includes(String(origins('/etc/pam.d/common-auth', other)[0])), other);
  for (const path of [
    '/etc/pam.d/sshd',
    '/etc/pam.d/common-session',
    '/etc/pam.d/common-else',
    '/etc/common-auth',
  ])
    expect(origins(path, line)).equals(['']);
});

test('any bytes are parsed, and no parser reports more than there is', () => {
  const words = fc.constantFrom(
    '[Service]\n',
    'ExecStart=',
    '/bin/true',
    '* * * * * ',
    'root',
    '\n',
    '\\\n',
    '"',
    '{',
    '};',
    'ssh-rsa ',
    ':',
    '%',
    '=',
    '#',
    '\0',
    'endscript\n',
    'postrotate\n',
    'APT::',
    'Pre-Invoke',
    ' ',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(words, { maxLength: 60 }).map((parts) => parts.join('')),
  );
  forAll(text, fc.constantFrom(...PLANTS), (content, { place, path, mode = 0o644 }) => {
    for (const entry of startsOf(
      placeOf(place),
      fileOf(inHome(path), content, { mode }),
      path.startsWith('~/'),
    )) {
      assert.ok(entry.runs.length <= 600);
      assert.is(typeof entry.user, 'string');
    }
  });
});

test('a large hostile text takes no more than its length', () => {
  // Half a second for all places would be a hundred times what they take.
  const texts = [
    'a'.repeat(262_144),
    'a='.repeat(131_072),
    '\\\n'.repeat(131_072),
    '"'.repeat(262_144),
    '{'.repeat(262_144),
    ' '.repeat(262_144),
    '/*'.repeat(131_072),
    'APT::'.repeat(52_000),
    '* '.repeat(131_072),
    'a:'.repeat(131_072),
    '<allow '.repeat(37_000),
    'x\n'.repeat(131_072),
  ];
  for (const { place, path, mode = 0o644 } of PLANTS)
    for (const text of texts)
      assert.ok(
        startsOf(placeOf(place), fileOf(inHome(path), text, { mode }), path.startsWith('~/')).length <= 1_001,
      );
});

test.run();
