/** The service under a real systemd, which is pid 1 of a machine of its own (test/support/booted.ts): installed, hung, reloaded, removed. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type BootedMachine, bootSystemd } from '../support/booted.ts';
import { projectRoot, testsNeeding } from '../support/require.ts';
import { until } from './running.ts';

const test = suite('systemd');
const it = testsNeeding(test, 'bootable systemd', 'dist');

const DESK = '/opt/desk/dist/cli/main.js';
const SLOW_MS = 180_000;

/** A shell line inside. @throws with what it printed unless it ends with 0 */
async function shell(machine: BootedMachine, line: string): Promise<string> {
  const { code, stdout, stderr } = await machine.run(['sh', '-c', line]);
  if (code !== 0) throw new Error(`${line} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

/** Properties of the unit: systemctl(1), show. */
async function shown(machine: BootedMachine, ...names: string[]): Promise<Record<string, string>> {
  const { stdout } = await machine.run([
    'systemctl',
    'show',
    'desk',
    ...names.map((name) => `--property=${name}`),
  ]);
  return Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s, 2) as [string, string]),
  );
}

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
  const notes = await until(
    async () => {
      const read = await shell(machine, `node --input-type=module -e "${script}"`);
      const now = JSON.parse(read) as Detection;
      for (const { check } of now.findings) found.add(check);
      const seen = now.notes.map(({ check, reason }) => `${check}: ${reason}`).sort();
      const same = seen.join('\n') === before;
      before = seen.join('\n');
      return same && !now.notes.some(({ check }) => check === 'learning-open') && seen;
    },
    'it has learned',
    SLOW_MS,
  );
  return { notes, found: [...found].sort() };
}

it('it installs, is ready, answers its watchdog, reloads, is started again when it hangs, and is removed', async () => {
  const machine = await bootSystemd({ root: '/', shared: [[projectRoot, '/opt/desk']] });
  try {
    // The same program in a home folder.
    await shell(machine, 'mkdir -p /root/desk && mount --bind /opt/desk /root/desk');
    const home = await machine.run(['node', '/root/desk/dist/cli/main.js', 'install', '--yes']);
    assert.is(home.code, 4);
    assert.match(home.stderr, /is in a home folder/);
    await shell(
      machine,
      'umount /root/desk && test ! -e /etc/desk && test ! -e /etc/systemd/system/desk.service',
    );
    await shell(machine, `node ${DESK} install --yes`);
    const started = await shown(machine, 'ActiveState', 'MainPID', 'User', 'StatusText', 'NRestarts');
    assert.is(started.ActiveState, 'active');
    assert.is(started.User, 'desk');
    assert.is(started.NRestarts, '0');
    assert.match(started.StatusText ?? '', /^http:\/\/127\.0\.0\.1:18780\/ /);
    assert.match(await shell(machine, `node ${DESK} install --yes`), /unchanged.*runs/s);
    // The children cannot speak to systemd in the name of the service.
    const children = await shell(
      machine,
      `for pid in $(pgrep -P ${started.MainPID}); do echo $pid; tr '\\0' '\\n' </proc/$pid/environ | grep -E '^(NOTIFY|WATCHDOG)_' || true; done`,
    );
    assert.match(children, /^(?:\d+\n)+$/);
    // A short watchdog, so that the test is.
    await shell(
      machine,
      'mkdir -p /etc/systemd/system/desk.service.d && printf "[Service]\\nWatchdogSec=6\\n" >/etc/systemd/system/desk.service.d/test.conf && systemctl daemon-reload && systemctl restart desk',
    );
    const { MainPID: pid = '' } = await shown(machine, 'MainPID');
    await shell(machine, 'systemctl reload desk');
    await until(
      async () => (await shell(machine, 'journalctl -u desk -o cat')).includes('reloaded: nothing changed'),
      'it reloaded',
      SLOW_MS,
    );
    // Two watchdog periods pass, and it is still the same process.
    await shell(machine, 'sleep 13');
    assert.equal(await shown(machine, 'MainPID', 'NRestarts'), { MainPID: pid, NRestarts: '0' });
    await shell(machine, `kill -STOP ${pid}`);
    const again = await until(
      async () => {
        const now = await shown(machine, 'ActiveState', 'MainPID', 'NRestarts');
        return now.ActiveState === 'active' && now.MainPID !== pid && now;
      },
      'systemd starts it again',
      SLOW_MS,
    );
    assert.is(again.NRestarts, '1');
    await shell(machine, 'systemctl stop desk');
    assert.equal(await shown(machine, 'ActiveState', 'Result'), {
      ActiveState: 'inactive',
      Result: 'success',
    });
    await shell(machine, 'test -e /var/lib/desk/desk.db');
    await shell(machine, `node ${DESK} uninstall --yes --purge`);
    await shell(
      machine,
      'test ! -e /etc/systemd/system/desk.service && test ! -e /var/lib/desk && test -e /etc/desk/desk.toml',
    );
  } finally {
    await machine.stop();
  }
});

it('nothing is blind in the unit that is not blind for root outside of it', async () => {
  const machine = await bootSystemd({ root: '/', shared: [[projectRoot, '/opt/desk']] });
  try {
    // A process of another user, one in a folder that the unit does not show as it is, and a file in /dev that is no device.
    await shell(
      machine,
      'cp /bin/sleep /tmp/sleeper && cp /bin/sleep /var/tmp/sleeper && cp /bin/sleep /dev/shm/sleeper && echo x >/dev/planted; systemd-run --quiet --uid=65534 /tmp/sleeper 100000; systemd-run --quiet --uid=65534 /var/tmp/sleeper 100000; systemd-run --quiet /dev/shm/sleeper 100000',
    );
    await shell(machine, `node ${DESK} install --yes`);
    const inside = await detection(machine);
    await shell(machine, 'systemctl stop desk');
    await shell(
      machine,
      `mkdir -m 700 /var/lib/outside && systemd-run --quiet --unit=outside --setenv=DESK_STATE=/var/lib/outside --setenv=DESK_CONFIG=/etc/desk/desk.toml node --inspect-port=0.0.0.1:9229 ${DESK} boot`,
    );
    await until(
      async () =>
        (
          await machine.run([
            'sh',
            '-c',
            'node -e "fetch(\'http://127.0.0.1:18772/version\').then(() => process.exit(0), () => process.exit(1))"',
          ])
        ).code === 0,
      'it answers',
      SLOW_MS,
    );
    const outside = await detection(machine);
    assert.equal(inside.notes, outside.notes);
    for (const check of ['device-node', 'odd-executable-path'])
      for (const one of [inside, outside]) assert.ok(one.found.includes(check), `${check}: ${one.found}`);
  } finally {
    await machine.stop();
  }
});

test.run();
