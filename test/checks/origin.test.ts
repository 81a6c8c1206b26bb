/** What started a process. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ancestorsOf, MOST_ANCESTORS, unitOf } from '../../src/checks/origin.ts';
import { tableFrom } from '../support/table.ts';

const test = suite('origin of processes');

test('the unit of a control group: the first below slices, of the systemd of a user also the one below', () => {
  const units = {
    '/system.slice/ssh.service': 'ssh.service',
    '/system.slice/system-getty.slice/getty@tty1.service': 'getty@tty1.service',
    '/init.scope': 'init.scope',
    '/user.slice/user-1000.slice/session-3.scope': 'session-3.scope',
    '/user.slice/user-1000.slice/user@1000.service': 'user@1000.service',
    '/user.slice/user-1000.slice/user@1000.service/init.scope': 'user@1000.service/init.scope',
    '/user.slice/user-1000.slice/user@1000.service/app.slice/agent.service':
      'user@1000.service/agent.service',
    '/system.slice/docker.service/ssh.service': 'docker.service',
    // The owner of a group names the groups in it.
    '/system.slice/own.scope/ssh.service': 'own.scope',
    '/made/ssh.service': '',
    '/': '',
    '': '',
  };
  for (const [group, unit] of Object.entries(units)) assert.is(unitOf(group), unit, group);
});

test('parents, the nearest first; one that has ended ends the list, and a circle does too', () => {
  const table = tableFrom([
    { pid: 1, ppid: 0, comm: 'systemd' },
    { pid: 5, ppid: 1, comm: 'sshd' },
    { pid: 9, ppid: 5, comm: 'bash' },
    { pid: 12, ppid: 9, comm: 'nc' },
    { pid: 13, ppid: 7, comm: 'orphan' },
    { pid: 14, ppid: 15, comm: 'a' },
    { pid: 15, ppid: 14, comm: 'b' },
    { pid: 16, ppid: 17 },
    { pid: 17, ppid: 1, state: '' },
  ]);
  const namesOf = (pid: number) => ancestorsOf(table, table.rowOf(pid)).map(({ name }) => name);
  assert.equal(namesOf(12), ['bash', 'sshd', 'systemd']);
  assert.equal(namesOf(1), []);
  assert.equal(namesOf(13), []);
  assert.is(namesOf(14).length, MOST_ANCESTORS);
  assert.equal(namesOf(16), []);
});

test.run();
