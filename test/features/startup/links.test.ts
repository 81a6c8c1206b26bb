/** Between findings and what starts by itself. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StartupFact } from '../../../src/checks/startup.ts';
import type { StartupScan } from '../../../src/desk/startup.ts';
import { linksOf } from '../../../src/features/startup/links.ts';
import type { Finding, ProcessAbout } from '../../../src/findings/finding.ts';
import { expect } from '../../support/expect.ts';
import { startupEntry as entry, startupScan } from '../../support/startup.ts';
import { type ProcessRow, tableFrom } from '../../support/table.ts';

const test = suite('links of startup entries');

const subject: Finding['subject'] = {
  ...{ kind: 'process', pid: 9, start: '1', comm: 'x', executable: '/opt/x', identity: '/opt/x', uid: 0 },
};
const aboutFrom = (parts: Partial<ProcessAbout> = {}): ProcessAbout => ({
  pid: 9,
  name: 'x',
  executable: '/opt/x',
  program: 'x',
  uid: 0,
  user: 'root',
  parent: { pid: 1, name: 'systemd' },
  ancestors: [{ pid: 1, name: 'systemd' }],
  unit: '',
  started: '',
  directory: '/',
  command: '/opt/x',
  ...parts,
});
const scanOf = (...entries: StartupFact[]): StartupScan => startupScan({ entries, unread: [] });
const links = (about: Partial<ProcessAbout> | null, scan: StartupScan | null, other: Partial<Finding> = {}) =>
  linksOf(
    { subject, evidence: {}, ...other, about: about === null ? null : aboutFrom(about) },
    scan,
    tableFrom([{ pid: 1 }]),
  );
const starts = (about: Partial<ProcessAbout>, ...entries: StartupFact[]): readonly string[] =>
  links(about, scanOf(...entries)).starts.map(({ path }) => path);

test('a program is found by the paths that entries name', () => {
  const job = (runs: string, path = '/etc/cron.d/job') => entry('crontab', { path, runs });
  for (const runs of ['/opt/x', '-/opt/x --all', 'cd / && /opt/x', 'sh -c "/opt/x"', 'A=/opt/x'])
    assert.equal(starts({}, job(runs)), ['/etc/cron.d/job'], runs);
  for (const runs of ['/opt/xy', '/srv/opt/x', '/opt/x/y', 'x'])
    assert.equal(starts({}, job(runs)), [], runs);
  assert.equal(starts({ executable: '/opt/x (deleted)' }, job('/opt/x')), ['/etc/cron.d/job']);
  // /bin is /usr/bin.
  assert.equal(starts({ executable: '/usr/bin/nc' }, job('/bin/nc -l')), ['/etc/cron.d/job']);
  assert.equal(starts({ executable: '/home/ada/.x' }, job('$HOME/.x')), ['/etc/cron.d/job']);
  const file = entry('cron-folder', { path: '/etc/cron.daily/x', runs: '/etc/cron.daily/x' });
  assert.equal(starts({ executable: '/etc/cron.daily/x' }, file), ['/etc/cron.daily/x']);
});

test('an interpreter is found by its script, never by itself', () => {
  const job = entry('crontab', { path: '/etc/cron.d/job', runs: '/usr/bin/python3 /opt/x.py' });
  const python = (script: string) => ({
    ...{ executable: '/usr/bin/python3.11', directory: '/opt' },
    ...{ program: `python3 ${script}`, command: `python3 ${script}` },
  });
  assert.equal(starts(python('/opt/x.py'), job), ['/etc/cron.d/job']);
  assert.equal(starts(python('./x.py'), job), ['/etc/cron.d/job']);
  assert.equal(starts(python('/opt/y.py'), job), []);
  const shell = entry('crontab', { path: '/etc/cron.d/job', runs: '/bin/bash -i' });
  assert.equal(starts({ executable: '/usr/bin/bash', program: 'bash', command: 'bash -i' }, shell), []);
  // Without its arguments nothing is known of it.
  const unknown = links({ ...python(''), command: null }, scanOf(job));
  assert.is(unknown.returns, 'unknown');
});

test('a unit that executes the program is found with what starts it, and not what runs below it', () => {
  const unit = entry('systemd-unit', {
    path: '/etc/systemd/system/x.service',
    runs: '/opt/x',
    name: 'ExecStart',
  });
  const wants = entry('systemd-unit', {
    path: '/etc/systemd/system/multi-user.target.wants/x.service',
    runs: 'x.service',
  });
  const timer = entry('systemd-unit', {
    path: '/etc/systemd/system/x.timer',
    runs: 'x.timer',
    name: 'OnCalendar',
  });
  const other = entry('systemd-unit', {
    path: '/etc/systemd/system/y.service',
    runs: '/opt/y',
    name: 'ExecStart',
  });
  const all = [unit, wants, timer, other];
  assert.equal(
    [...starts({ unit: 'x.service' }, ...all)].sort(),
    [wants, unit, timer].map(({ path }) => path).sort(),
  );
  // A program that came through the service, and has been left by its parent.
  const intruder = links({ executable: '/tmp/z', unit: 'x.service' }, scanOf(...all));
  assert.equal([intruder.returns, intruder.starts], ['unknown', []]);
  assert.match(intruder.reason, 'x.service');
  assert.equal(starts({ unit: 'user@1000.service/x.service' }, ...all), [unit.path]);
  const template = entry('systemd-unit', {
    path: '/lib/systemd/system/getty@.service',
    runs: '-/sbin/agetty --noclear',
    name: 'ExecStart',
  });
  const getty = { executable: '/usr/sbin/agetty', unit: 'getty@tty1.service' };
  assert.equal(starts(getty, template), [template.path]);
});

test('an interpreter is not found by what its script was given', () => {
  const job = entry('crontab', { path: '/etc/cron.d/job', runs: '/usr/bin/rotate /var/log/x' });
  const python = { executable: '/usr/bin/python3.11', program: 'python3 /opt/app.py' };
  assert.equal(starts({ ...python, command: 'python3 /opt/app.py /var/log/x' }, job), []);
  const shell = { executable: '/usr/bin/dash', program: 'sh -c …', command: "sh -c '/usr/bin/rotate now'" };
  assert.equal(starts(shell, job), [job.path]);
});

test('what only names a program does not start it', () => {
  const right = entry('sudoers', { path: '/etc/sudoers', runs: 'ada ALL=(ALL) /opt/x' });
  assert.equal(starts({}, right), []);
});

test('unknown never reads as not found', () => {
  assert.is(links({}, scanOf()).returns, 'not_found');
  assert.is(links({}, scanOf(entry('crontab', { runs: '/opt/x' }))).returns, 'yes');
  assert.is(links({}, null).returns, 'unknown');
  assert.is(links(null, scanOf()).returns, 'unknown');
  assert.is(links({ executable: '' }, scanOf()).returns, 'unknown');
  assert.is(links({ unit: 'docker-0a1b.scope' }, scanOf()).returns, 'unknown');
  const contained = { subject: { ...subject, identity: '/opt/x@container' } as Finding['subject'] };
  assert.is(links({}, scanOf(), contained).returns, 'unknown');
  const inNamespace = (nsMnt: number, unit = '', nsPid = 7, scan = scanOf()) =>
    linksOf(
      { subject, evidence: {}, about: aboutFrom({ unit }) },
      scan,
      tableFrom([
        { pid: 9, start: 1n, nsMnt, nsPid },
        { pid: process.pid, nsMnt: 5, nsPid: 7 },
      ]),
    ).returns;
  expect([inNamespace(5), inNamespace(6), inNamespace(5, 'docker-0a1b.scope'), inNamespace(5, '', 8)]).equals(
    ['not_found', 'unknown', 'unknown', 'unknown'],
  );
  // A service with a namespace of its own still sees the files of the machine; a container below one does not.
  const job = scanOf(entry('crontab', { runs: '/opt/x' }));
  expect([inNamespace(6, 'x.service', 7, job), inNamespace(6, 'web.service', 8, job)]).equals([
    'yes',
    'unknown',
  ]);
  const [place] = startupScan().entries.map((one) => one.place);
  const unread = { path: '/etc/cron.d', reason: 'EACCES' };
  const hidden = { ...scanOf(), unread: [{ ...unread, place: place as never }] };
  const rights = { ...scanOf(), unread: [{ ...unread, place: entry('sudoers').place }] };
  assert.is(links({}, rights).returns, 'not_found');
  const { returns, reason } = links({}, hidden);
  assert.is(returns, 'unknown');
  assert.match(reason, /^1 of the places/);
  assert.is(links(null, null, { subject: { kind: 'host', name: 'kernel' } }).returns, 'none');
});

test('what nothing vouches for comes first', () => {
  const packaged = entry('systemd-unit', { path: '/p', runs: '/opt/x', voucher: { kind: 'package' } });
  const own = entry('crontab', { path: '/own', runs: '/opt/x' });
  assert.equal(starts({}, packaged, own), ['/own', '/p']);
});

test('a startup entry names the processes that run what it starts', () => {
  const rows: ProcessRow[] = [
    { pid: 1, comm: 'systemd', exe: '/usr/lib/systemd/systemd' },
    { pid: 20, comm: 'x', exe: '/opt/x' },
    { pid: 21, comm: 'x', exe: '/opt/x', state: '' },
    { pid: 22, comm: 'y', exe: '/opt/y', cgroup: '/system.slice/x.service' },
    { pid: 23, comm: 'job.sh', exe: '/usr/bin/dash' },
    { pid: 24, comm: 'bash', exe: '/usr/bin/bash' },
  ];
  const table = tableFrom(rows);
  const running = (fact: StartupFact) =>
    linksOf(
      { subject: { kind: 'file', path: fact.path }, evidence: { entry: fact.key }, about: null },
      scanOf(fact),
      table,
    ).running.map(({ pid }) => pid);
  assert.equal(running(entry('crontab', { path: '/etc/cron.d/a', runs: '/opt/x --all' })), [20]);
  assert.equal(running(entry('crontab', { path: '/etc/cron.d/a', runs: '/bin/bash /opt/job.sh' })), [23]);
  const unit = { path: '/etc/systemd/system/x.service', runs: 'sh', name: 'ExecStart' };
  assert.equal(running(entry('systemd-unit', unit)), [22]);
  const file = { subject: { kind: 'file', path: '/opt/x' }, evidence: {}, about: null } as const;
  assert.equal(linksOf(file, scanOf(), table).running, [{ pid: 20, name: 'x' }]);
});

test.run();
