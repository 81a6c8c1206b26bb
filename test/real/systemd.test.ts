/** The service under a real systemd, which is pid 1 of a machine of its own (test/support/booted.ts): installed, hung, reloaded, removed. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type BootedMachine, bootSystemd } from '../support/booted.ts';
import { moduleUrl, runScript } from '../support/entry.ts';
import { projectRoot, testsNeeding } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const test = suite('systemd');
const it = testsNeeding(test, 'bootable systemd', 'dist');

const DESK = '/opt/desk/dist/cli/main.js';
/** Of the watchdog, short, so that the test is. */
const PERIOD_SEC = 6;

interface Detection {
  readonly notes: readonly { readonly check: string; readonly reason: string }[];
  readonly findings: readonly { readonly check: string }[];
}

/**
 * What the service judges once it has learned, in two readings that are the same, and each check that found something until then: what
 * is there at the first use is learned.
 */
async function detection(machine: BootedMachine, port = 18_772) {
  const found = new Set<string>();
  const script = `const r = await fetch('http://127.0.0.1:${port}/detection'); console.log(await r.text());`;
  let before = '';
  const notes = await machine.until('it has learned', async () => {
    const { code, stdout } = await machine.run(['node', '--input-type=module', '-e', script]);
    // It does not answer yet.
    if (code !== 0) return false;
    const now = JSON.parse(stdout) as Detection;
    for (const { check } of now.findings) found.add(check);
    const seen = now.notes.map(({ check, reason }) => `${check}: ${reason}`).sort();
    const same = seen.join('\n') === before;
    before = seen.join('\n');
    return same && !now.notes.some(({ check }) => check === 'learning-open') && seen;
  });
  return { notes, found: [...found].sort() };
}

it('it installs, is ready, answers its watchdog, reloads, is started again when it hangs, and is removed', async () => {
  const machine = await bootSystemd({ root: '/', shared: [[projectRoot, '/opt/desk']] });
  try {
    // The same program in a home folder.
    await machine.shell('mkdir -p /root/desk && mount --bind /opt/desk /root/desk');
    const home = await machine.run(['node', '/root/desk/dist/cli/main.js', 'install', '--yes']);
    assert.is(home.code, 4);
    assert.match(home.stderr, /is in a home folder/);
    await machine.shell(
      'umount /root/desk && test ! -e /etc/desk && test ! -e /etc/systemd/system/desk.service',
    );
    await machine.shell(`node ${DESK} install --yes`);
    const started = await machine.shown('desk', 'ActiveState', 'MainPID', 'User', 'StatusText', 'NRestarts');
    assert.is(started.ActiveState, 'active');
    assert.is(started.User, 'desk');
    assert.is(started.NRestarts, '0');
    assert.match(started.StatusText ?? '', /^http:\/\/127\.0\.0\.1:18780\/ /);
    assert.match(await machine.shell(`node ${DESK} install --yes`), /unchanged.*runs/s);
    // The children cannot speak to systemd in the name of the service.
    const children = await machine.shell(
      `for pid in $(pgrep -P ${started.MainPID}); do echo $pid; tr '\\0' '\\n' </proc/$pid/environ | grep -E '^(NOTIFY|WATCHDOG)_' || true; done`,
    );
    assert.match(children, /^\d+(?:\n\d+)*$/);
    await machine.shell(
      `mkdir -p /etc/systemd/system/desk.service.d && printf "[Service]\\nWatchdogSec=${PERIOD_SEC}\\n" >/etc/systemd/system/desk.service.d/test.conf && systemctl daemon-reload && systemctl restart desk`,
    );
    const { MainPID: pid = '' } = await machine.shown('desk', 'MainPID');
    await machine.shell('systemctl reload desk');
    await machine.until('it reloaded', async () =>
      (await machine.shell('journalctl -u desk -o cat')).includes('reloaded: nothing changed'),
    );
    // Its answers span two periods, and it is still the same process.
    const answeredUs = async (): Promise<number> => {
      const { WatchdogTimestampMonotonic: at } = await machine.shown('desk', 'WatchdogTimestampMonotonic');
      return Number(at);
    };
    const fromUs = await answeredUs();
    await machine.until(
      'answers to the watchdog',
      async () => (await answeredUs()) > fromUs + 2 * PERIOD_SEC * 1e6,
    );
    assert.equal(await machine.shown('desk', 'MainPID', 'NRestarts'), { MainPID: pid, NRestarts: '0' });
    await machine.shell(`kill -STOP ${pid}`);
    const again = await machine.until('systemd starts it again', async () => {
      const now = await machine.shown('desk', 'ActiveState', 'MainPID', 'NRestarts');
      return now.ActiveState === 'active' && now.MainPID !== pid && now;
    });
    assert.is(again.NRestarts, '1');
    await machine.shell('systemctl stop desk');
    assert.equal(await machine.shown('desk', 'ActiveState', 'Result'), {
      ActiveState: 'inactive',
      Result: 'success',
    });
    // The socket of desk-namespaces ends with it.
    await machine.shell('test -e /var/lib/desk/desk.db && test ! -e /run/desk-namespaces.sock');
    await machine.shell(`node ${DESK} uninstall --yes --purge`);
    await machine.shell(
      'test -z "$(find /etc/systemd/system -maxdepth 1 -type f -name "desk*")" && test ! -e /var/lib/desk && test -e /etc/desk/desk.toml',
    );
  } finally {
    await machine.stop();
  }
});

/** It waits three seconds for the service, which may be busy. */
const doctorSays = (machine: BootedMachine, words: RegExp): Promise<true> =>
  machine.until(`"desk doctor" with ${words}`, async () => {
    const { stdout } = await machine.run(['node', DESK, 'doctor']);
    return words.test(stdout) && true;
  });

/** Listens on a banned port in a network namespace of its own, as a container does. */
const ELSEWHERE =
  'systemd-run --quiet --unit=elsewhere --property=PrivateNetwork=yes node -e "require(\'node:net\').createServer().listen(8766)"';

it('nothing is blind in the unit that is not blind for root outside of it', async () => {
  const machine = await bootSystemd({ root: '/', shared: [[projectRoot, '/opt/desk']] });
  try {
    // A process of another user, one in a folder that the unit does not show as it is, and a file in /dev that is no device.
    await machine.shell(
      'cp /bin/sleep /tmp/sleeper && cp /bin/sleep /var/tmp/sleeper && cp /bin/sleep /dev/shm/sleeper && echo x >/dev/planted; systemd-run --quiet --uid=65534 /tmp/sleeper 100000; systemd-run --quiet --uid=65534 /var/tmp/sleeper 100000; systemd-run --quiet /dev/shm/sleeper 100000',
    );
    await machine.shell(ELSEWHERE);
    await machine.shell(`node ${DESK} install --yes`);
    const inside = await detection(machine);
    // The helper that opened sockets there has two capabilities, and a user of its own.
    const { MainPID: helper } = await machine.shown('desk-namespaces', 'MainPID');
    const status = await machine.shell(`cat /proc/${helper}/status`);
    assert.match(status, /^CapPrm:\t0000000000201000$/m);
    assert.match(status, /^CapBnd:\t0000000000201000$/m);
    assert.not.match(status, /^Uid:\t0\t/m);
    const { User: account } = await machine.shown('desk', 'User');
    assert.is(await machine.shell('stat --format="%U %a" /run/desk-namespaces.sock'), `${account} 600`);
    await doctorSays(machine, /sees +other namespaces/);
    // Without it the service says what it does not see.
    await machine.shell('systemctl stop desk-namespaces.socket desk-namespaces.service');
    await machine.until('it reports that other namespaces are closed', async () =>
      (await detection(machine)).notes.includes(
        'banned-listener: some other network namespaces could not be read (EPERM)',
      ),
    );
    await doctorSays(machine, /blind +other namespaces +\S*sock/);
    await machine.shell('systemctl stop desk');
    await machine.shell(
      `mkdir -m 700 /var/lib/outside && systemd-run --quiet --unit=outside --setenv=DESK_STATE=/var/lib/outside --setenv=DESK_CONFIG=/etc/desk/desk.toml node --inspect-port=0.0.0.1:9229 ${DESK} boot`,
    );
    const outside = await detection(machine);
    assert.equal(inside.notes, outside.notes);
    for (const check of ['device-node', 'odd-executable-path', 'banned-listener'])
      for (const one of [inside, outside]) assert.ok(one.found.includes(check), `${check}: ${one.found}`);
  } finally {
    await machine.stop();
  }
});

/** Of what is left: the groups of the machine whose pid 1 was started by this process. */
function removeGroups(starter: string): void {
  const groups = execFileSync('findmnt', ['-n', '-o', 'TARGET', '-t', 'cgroup2'], { encoding: 'utf8' });
  const top = join(groups.split('\n')[0] ?? '', `desk-booted-${starter}`);
  execFileSync('find', [top, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
}

for (const [how, ending] of [
  ['ends', 'process.exit()'],
  ['is killed', "process.kill(process.pid, 'SIGKILL')"],
] as const)
  it(`a machine ends when the process that booted it ${how}`, async () => {
    const folder = tempFolder('desk-ends-');
    const script = `process.env.TMPDIR = process.argv[1];
      const { bootSystemd } = await import(${JSON.stringify(moduleUrl('../support/booted.ts', import.meta.url))});
      const { pid } = await bootSystemd({ root: '/' });
      const { readFileSync } = await import('node:fs');
      console.log(pid, readFileSync(\`/proc/\${pid}/status\`, 'utf8').match(/^PPid:\\t(\\d+)$/m)[1]);
      ${ending};`;
    const { out } = await runScript(script, folder);
    const [pid = '', starter = ''] = out.trim().split(' ');
    assert.match(pid, /^\d+$/);
    await until(() => !existsSync(`/proc/${pid}`), 'the end of its pid 1');
    if (how === 'ends') assert.equal(readdirSync(folder), []);
    else removeGroups(starter);
  });

test.run();
