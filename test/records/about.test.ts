/** How the process of a finding, and a listener that was shut down, are shown. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ProcessAbout } from '../../src/findings/finding.ts';
import { startText, titleOf } from '../../src/records/about.ts';
import { deskStatus } from '../../src/records/desk-status.ts';
import { detection } from '../../src/records/detection.ts';
import { type Shutdown, shutdownOf } from '../../src/records/shutdowns.ts';
import { findingFrom, stateFrom } from '../support/state.ts';

const about: ProcessAbout = {
  pid: 4242,
  name: 'bash',
  executable: '/usr/bin/bash',
  program: 'bash',
  uid: 33,
  user: 'www-data',
  parent: { pid: 911, name: 'php-fpm' },
  ancestors: [],
  unit: '',
  started: '2026-01-02T10:42:07.000+01:00',
  directory: '/var/www',
  command: 'bash -i',
};
const server: ProcessAbout = {
  ...about,
  name: 'python3',
  executable: '/usr/bin/python3.11',
  program: 'python3 -m http.server',
};

test('a summary names program and user where these are known', () => {
  const said = (summary: string, who: ProcessAbout | null = about) => titleOf({ summary, about: who });
  const shell = 'bash (pid 4242) has its input and output connected to 203.0.113.7:4444';
  assert.is(said(shell, null), shell);
  assert.is(
    said(shell),
    'bash (pid 4242, user www-data) has its input and output connected to 203.0.113.7:4444',
  );
  assert.is(said('process 4242 (bash) is traced'), 'bash (pid 4242, user www-data) is traced');
  assert.is(
    said('tcp 0.0.0.0:8000 is new, held by /usr/bin/python3.11 (pid 4242)', server),
    'tcp 0.0.0.0:8000 is new, held by python3 -m http.server (pid 4242, user www-data)',
  );
  assert.is(
    said('tcp 0.0.0.0:22 is new, held by /usr/bin/bash (pid 4242)'),
    'tcp 0.0.0.0:22 is new, held by /usr/bin/bash (pid 4242, user www-data)',
  );
  assert.is(
    said('/usr/bin/python3.11 (python3) runs as process 4242 and was never learned', server),
    'python3 -m http.server (pid 4242, user www-data) runs and was never learned',
  );
  assert.is(said('bash (pid 4242) x', { ...about, user: '' }), 'bash (pid 4242, uid 33) x');
  assert.is(said('bash (pid 4242) x', { ...about, user: '', uid: null }), 'bash (pid 4242) x');
  // A process of another user, and text that looks like a replacement pattern.
  assert.is(said('bash (pid 42) x'), 'bash (pid 42) x');
  assert.is(said('bash (pid 4242) x', { ...about, user: '$&' }), 'bash (pid 4242, user $&) x');
});

test('the start of a process is one sentence, with the date if it was another day', () => {
  assert.is(
    startText(about, '2026-01-02T11:00:00.000+01:00'),
    'Started 10:42:07 by php-fpm (pid 911) in /var/www',
  );
  assert.is(
    startText(about, '2026-01-03T11:00:00'),
    'Started 2026-01-02 10:42:07 by php-fpm (pid 911) in /var/www',
  );
  assert.is(startText({ ...about, parent: null, directory: '', started: '' }, ''), '');
});

const shutdown: Shutdown = {
  at: '2026-01-02T10:45:00.000+01:00',
  finding: '00112233aabbccdd',
  protocol: 'tcp',
  address: '0.0.0.0',
  port: 8766,
  executable: '/usr/bin/python3.11',
  uid: 33,
  ended: 'SIGTERM',
  by: 'policy',
  times: 1,
  about: server,
};

test('a shutdown shows the process, how it ended, and the lines that would allow it', () => {
  const { summary, allow } = shutdownOf(shutdown);
  assert.is(
    summary,
    'python3 -m http.server (pid 4242, user www-data) on the banned port tcp 0.0.0.0:8766 was ended by SIGTERM',
  );
  assert.is(
    allow,
    '[[except]]\ncheck = "banned-listener"\nprotocol = "tcp"\nport = 8766\nexecutable = "/usr/bin/python3.11"\nwhy = "say why it may be there"',
  );
  const unknown = shutdownOf({
    ...shutdown,
    about: null,
    executable: '',
    uid: null,
    ended: 'itself',
    times: 3,
  });
  assert.match(unknown.summary, /^a program that could not be read on .* was closed by itself, 3 times$/);
  assert.not.match(unknown.allow, /executable/);
});

test('the process of a finding is in the list of findings, and in none of the three records', () => {
  const state = stateFrom({
    findings: [findingFrom({ about: server, severity: 'critical' })],
    remedies: { shutDown: [shutdown] },
  });
  const record = detection.assemble({ state });
  assert.equal(record.findings[0]?.about, server);
  assert.equal(record.shut_down, [shutdownOf(shutdown)]);
  assert.not.match(JSON.stringify(deskStatus.assemble(state)), /bash -i|\/var\/www|www-data/);
});

test.run();
