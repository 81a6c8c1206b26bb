/** The checks of what starts by itself. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fail, ScanCheck } from '../../src/checks/check.ts';
import { CheckRuns } from '../../src/checks/check-runs.ts';
import { packagedFile } from '../../src/checks/packaged-file.ts';
import type { PackageFacts } from '../../src/checks/packages.ts';
import type { StartupFact, StartupFacts, Voucher } from '../../src/checks/startup.ts';
import { startupEntry } from '../../src/checks/startup-entry.ts';
import { Gathering } from '../../src/checks/verdicts.ts';
import { classedOf } from '../../src/findings/finding-class.ts';
import { expect } from '../support/expect.ts';
import { looksThat, NO_STARTUP } from '../support/looks.ts';
import { alteredFile } from '../support/packages.ts';
import { snapshotFrom } from '../support/snapshot.ts';
import { startupEntry as entry } from '../support/startup.ts';
import { law } from '../support/world.ts';

const test = suite('startup checks');

const WHOLE: PackageFacts = { altered: [], unread: [], trouble: '' };

async function judged(check: unknown, facts: Partial<StartupFacts>, compared: PackageFacts | null = WHOLE) {
  const gathering = new Gathering({ confirmed: true });
  const scans = looksThat({ startup: async () => ({ ...NO_STARTUP, ...facts }), packages: () => compared });
  const context = { snapshot: snapshotFrom(), law, known: null, scans };
  const { signal } = new AbortController();
  await gathering.wait(check as ScanCheck, (report) => (check as ScanCheck).scan(context, report, signal));
  return gathering.verdicts();
}

const severities = ({ fails }: { readonly fails: readonly Fail[] }) => fails.map(({ severity }) => severity);
const vouched = (voucher: Partial<Voucher>, parts: Partial<StartupFact> = {}) =>
  entry('sudoers', { ...parts, voucher } as never);

test('what a package vouches for passes, and what it vouched for before its file was changed', async () => {
  const entries = [
    vouched({ kind: 'package' }),
    vouched({ kind: 'package' }, { linked: 'packaged' }),
    vouched({ kind: 'earlier' }),
  ];
  const { pass, fail } = await judged(startupEntry, { entries });
  expect([pass, fail]).equals([3, 0]);
});

test('what nothing vouches for has the severity of its place; what is known to be harmless is low', async () => {
  const entries = [
    vouched({ kind: 'none' }),
    vouched({ kind: 'changed', configuration: true }),
    vouched({ kind: 'none' }, { expected: true }),
    entry('sshd', { voucher: { kind: 'copy', package: 'base-files 12' } }),
    // A copy may let anyone in.
    vouched({ kind: 'copy', package: 'base-files 12' }),
    vouched({ kind: 'package' }, { linked: 'own', link: '/x' }),
    vouched({ kind: 'none' }, { linked: 'broken', link: '/x' }),
    entry('git'),
  ];
  expect(severities(await judged(startupEntry, { entries }))).equals([
    'high',
    'high',
    'low',
    'low',
    'high',
    'low',
    'low',
    'low',
  ]);
});

test('a finding says what would run, as whom, when and why it is one', async () => {
  const entries = [
    entry('crontab', { path: '/etc/cron.d/x', runs: '/tmp/x', when: '@reboot', user: 'root', key: 'k1' }),
  ];
  const { fails } = await judged(startupEntry, { entries });
  const [fail] = fails;
  assert.is(
    fail?.summary,
    '/etc/cron.d/x (system crontab): "/tmp/x" as root, @reboot; no package vouches for it',
  );
  expect(fail?.subject).equals({ kind: 'file', path: '/etc/cron.d/x', content: 'k1' });
  assert.is(fail?.evidence.techniques, 'T1053.003');
});

test('a packaged file with other content is one finding, with both digests, and its parts are none', async () => {
  const altered = { kind: 'changed', package: 'sudo', version: '1.9', expected: 'aa', found: 'bb' } as const;
  const entries = [
    vouched(altered, { runs: 'one' }),
    vouched(altered, { runs: 'two' }),
    entry('crontab', { path: '/y' }),
  ];
  const { fails } = await judged(packagedFile, { entries });
  expect(
    fails.map(({ evidence, subject }) => [
      subject,
      evidence.package,
      evidence.version,
      evidence.md5_packaged,
      evidence.md5_found,
    ]),
  ).equals([[{ kind: 'file', path: '/etc/planted' }, 'sudo', '1.9', 'aa', 'bb']]);
  assert.is(fails[0]?.severity, 'high');
  expect(severities(await judged(startupEntry, { entries }))).equals(['medium']);
  // A configuration file is made to be changed.
  assert.is(
    (await judged(packagedFile, { entries: [vouched({ ...altered, configuration: true })] })).fail,
    0,
  );
});

test('what could not be read is blind, and hides what is there', async () => {
  const unread = [
    { path: '/etc/cron.d', reason: 'EACCES' },
    { path: '/home/a/.config/*', reason: 'reading it hangs' },
  ];
  for (const check of [startupEntry, packagedFile]) {
    const verdicts = await judged(check, { unread });
    assert.is(verdicts.blind, 2);
    const hidden = (path: string) => verdicts.hidden(check.id, { kind: 'file', path });
    expect(
      ['/etc/cron.d/x', '/etc/cron.d', '/etc/cron.daily/x', '/home/a/.config/x', '/home/b/.config/x'].map(
        hidden,
      ),
    ).equals([true, true, false, true, false]);
  }
});

test('what a later scan may read is named, and hides all that may be there', async () => {
  const missed = { place: 'shell', path: '/' };
  const unread = [
    { path: '/etc/cron.d', reason: 'EACCES' },
    { path: '/etc/passwd', reason: 'reading it hangs', missed },
    { path: '/etc/passwd', reason: 'reading it hangs', missed },
  ];
  const verdicts = await judged(startupEntry, { unread });
  expect(verdicts.notes.flatMap((note) => note.missed ?? [])).equals([missed]);
  assert.ok(verdicts.hidden('startup-entry', { kind: 'file', path: '/home/a/.bashrc' }));
  const many = Array.from({ length: 200 }, (_, at) => ({
    ...{ path: `/home/${at}/.bashrc`, reason: 'reading it hangs' },
    missed: { place: 'shell', path: `/home/${at}/.bashrc` },
  }));
  const all = await judged(startupEntry, { unread: many });
  expect(all.notes.flatMap((note) => note.missed ?? [])).equals([missed]);
});

test('what an error hides is named apart, and a check that throws has read nothing', async () => {
  const refused = { place: 'shell', path: '/nfs/home/a' };
  const unread = [{ path: '/home/a', reason: 'ESTALE', refused }];
  for (const check of [startupEntry, packagedFile]) {
    const verdicts = await judged(check, { unread });
    expect(verdicts.notes.flatMap((note) => note.refused ?? [])).equals([refused]);
    assert.ok(verdicts.hidden(check.id, { kind: 'file', path: '/nfs/home/a/.bashrc' }));
    const gathering = new Gathering({
      confirmed: true,
      runs: new CheckRuns(() => 0, { error: () => undefined }),
    });
    await gathering.wait(check as ScanCheck, () => Promise.reject(new Error('a bug')));
    expect(gathering.verdicts().notes.flatMap((note) => note.missed ?? [])).equals([
      { place: '', path: '/' },
    ]);
  }
});

test('packages that have not been compared are blind', async () => {
  const { notes, fail, hidden } = await judged(packagedFile, {}, null);
  assert.is(fail, 0);
  // What starts something was judged all the same, and its findings can close.
  assert.is(hidden(packagedFile.id, { kind: 'file', path: '/etc/cron.d/x' }), false);
  assert.match(notes[0]?.reason ?? '', 'have not been compared yet');
  expect((await judged(packagedFile, {})).notes).equals([]);
  const failed = await judged(packagedFile, {}, { ...WHOLE, trouble: 'desk-peek does not answer' });
  assert.match(failed.notes[0]?.reason ?? '', 'desk-peek does not answer');
});

test('without packages the check of packaged files is blind', async () => {
  const { notes, blind } = await judged(packagedFile, { packages: 'dpkg is not installed' });
  assert.is(blind, 1);
  assert.match(notes[0]?.reason ?? '', 'dpkg is not installed');
});

test('two starts of one file are two findings, and the same start is the same one', async () => {
  const entries = [entry('crontab', { key: 'a' }), entry('crontab', { key: 'b' })];
  const { fails } = await judged(startupEntry, { entries });
  const ids = fails.map((fail) => classedOf({ ...fail, check: fail.check.id } as never));
  assert.is.not(JSON.stringify(ids[0]?.subject), JSON.stringify(ids[1]?.subject));
});

test('files of packages that start nothing are judged by the last comparison, and each file once', async () => {
  const entries = [
    vouched(
      { kind: 'changed', package: 'made', version: '1', expected: 'aa', found: 'bb' },
      { path: '/usr/lib/a' },
    ),
  ];
  const altered = [
    alteredFile({ path: '/usr/lib/a' }),
    alteredFile({ path: '/usr/share/made/module.py', program: false }),
    alteredFile({ path: '/usr/share/made/page.html', program: false }),
  ];
  const { fails } = await judged(packagedFile, { entries }, { altered, unread: [], trouble: '' });
  expect(fails.map(({ subject, severity }) => [subject.kind === 'file' && subject.path, severity])).equals([
    ['/usr/lib/a', 'high'],
    ['/usr/share/made/module.py', 'high'],
    ['/usr/share/made/page.html', 'low'],
  ]);
  const { md5_packaged, md5_found } = fails[1]?.evidence ?? {};
  expect([md5_packaged, md5_found]).equals(['a'.repeat(32), 'b'.repeat(32)]);
});

test('a digest that is not MD5 is evidence under a name of its own', async () => {
  const digests = { expected: `sha256:${'a'.repeat(64)}`, found: `sha256:${'b'.repeat(64)}` };
  const entries = [
    vouched({ kind: 'changed', package: 'made', version: '1', database: 'rpm', ...digests }, { path: '/a' }),
  ];
  const altered = ['/usr/b/1', '/usr/b/2', '/usr/b/3', '/usr/b/4'].map((path) =>
    alteredFile({ path, database: 'rpm', ...digests }),
  );
  const { fails } = await judged(packagedFile, { entries }, { altered, unread: [], trouble: '' });
  const [alone, group] = fails.map(({ evidence }) => evidence);
  expect([alone?.digest_packaged, alone?.digest_found]).equals([digests.expected, digests.found]);
  assert.is(alone?.md5_found, undefined);
  assert.is(group?.files, 4);
  assert.match(String(group?.digest_found), /^sha256:[0-9a-f]{64}$/);
});

test('a unit of a package with a line more is altered, whatever a package vouched for before', async () => {
  const of = (kind: 'changed' | 'package', key: string) =>
    vouched(
      { kind, package: 'made', version: '1', expected: 'aa', found: 'bb' },
      { path: '/usr/lib/a', key },
    );
  const entries = [of('package', 'one'), of('changed', 'two')];
  assert.is((await judged(packagedFile, { entries })).fail, 1);
  const altered = [alteredFile({ path: '/usr/lib/a' })];
  assert.is((await judged(packagedFile, { entries }, { altered, unread: [], trouble: '' })).fail, 1);
  // What the fast reading does not judge, the comparison does.
  const earlier = [vouched({ kind: 'earlier' }, { path: '/usr/lib/a' })];
  assert.is((await judged(packagedFile, { entries: earlier }, { altered, unread: [], trouble: '' })).fail, 1);
});

test('a link to an altered file is reported where the file itself is not', async () => {
  const of = (path: string, linked: StartupFact['linked']) =>
    vouched(
      { kind: 'changed', package: 'made', version: '1', expected: 'aa', found: 'bb' },
      { path, linked },
    );
  const [link, file] = [of('/etc/wants/a', 'own'), of('/usr/lib/a', '')];
  const paths = async (...entries: StartupFact[]) =>
    (await judged(packagedFile, { entries })).fails.map(
      ({ subject }) => subject.kind === 'file' && subject.path,
    );
  expect(await paths(link, file)).equals(['/usr/lib/a']);
  expect(await paths(link)).equals(['/etc/wants/a']);
});

test('many files of one package are one finding, and another content of one of them is another finding', async () => {
  const files = ['a.js', 'b.js', 'deep/c.html', 'deep/d.html'].map((name) =>
    alteredFile({ path: `/usr/lib/made/${name}`, program: false }),
  );
  const of = async (altered: typeof files) =>
    (await judged(packagedFile, {}, { altered, unread: [], trouble: '' })).fails.map((fail) => fail);
  const [one, ...others] = await of(files);
  expect([one?.severity, others]).equals(['high', []]);
  assert.is(
    one?.summary,
    '4 files in /usr/lib/made, such as /usr/lib/made/a.js, differ from package made 1.2-3; desk packages --json lists them',
  );
  const [other] = await of(files.with(3, alteredFile({ path: '/usr/lib/made/deep/d.html', found: 'cc' })));
  assert.is.not(other?.evidence.md5_found, one?.evidence.md5_found);
});

test('what could not be compared hides files', async () => {
  const { blind } = await judged(
    packagedFile,
    {},
    { altered: [], unread: [{ path: '/a', reason: 'EIO' }], trouble: '' },
  );
  assert.is(blind, 1);
});

test.run();
