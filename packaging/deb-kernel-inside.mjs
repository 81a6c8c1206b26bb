// What the service of the Debian package has of process events on the kernel that runs: `node deb-kernel-inside.mjs`, as root inside the
// machine that deb-kernel.ts boots. With its helper, without it, and with it again. Prints one line of what was seen, after "seen: ".
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const CONTROL = 'http://127.0.0.1:18772';
const SHORT_LIVED = 100;
/** capability.h */
const CAP_NET_ADMIN = 12n;
/** The processor is emulated. */
const WITHIN_MS = 600_000;

const output = (...words) => execFileSync(words[0], words.slice(1), { encoding: 'utf8' }).trim();
const systemctl = (...words) => output('systemctl', ...words);

/** Waits for an answer other than false. */
async function until(what, holds) {
  const untilMs = performance.now() + WITHIN_MS;
  for (let last; performance.now() < untilMs; await delay(1_000)) {
    try {
      const answer = await holds();
      if (answer !== false) return answer;
    } catch (error) {
      last = error;
    }
    if (performance.now() + 2_000 > untilMs) throw new Error(`${what} did not happen: ${last?.message}`);
  }
}

const get = async (path) => {
  const answer = await fetch(CONTROL + path, { signal: AbortSignal.timeout(30_000) });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return answer.text();
};

/** Of the service that runs: the source of process events, the mode of its loop, and what its process may do. */
async function service() {
  const { events } = JSON.parse(await get('/version'));
  const connector = events.find(({ id }) => id === 'proc connector');
  if (connector === undefined) throw new Error('the loop has not started');
  const pid = systemctl('show', 'desk.service', '--property=MainPID', '--value');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const held = BigInt(`0x${/^CapPrm:\t(\w+)/m.exec(status)[1]}`);
  return {
    works: connector.works,
    reason: connector.reason,
    root: /^Uid:\t0\t/m.test(status),
    netAdmin: ((held >> CAP_NET_ADMIN) & 1n) === 1n,
  };
}

const exits = async () => Number(/^desk_events_total\{kind="exit"\} (\d+)/m.exec(await get('/metrics'))?.[1]);

/** As `desk doctor` says it. */
const doctor = () =>
  until('"desk doctor"', () => {
    const { stdout } = spawnSync('desk', ['doctor'], {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
    return /^ +(?:on|off) +proc connector.*$/m.exec(stdout)?.[0].trim() ?? false;
  });

function check(holds, what, seen) {
  if (!holds) throw new Error(`${what}: ${JSON.stringify(seen)}`);
}

/** With process events: processes that lived between two passes were seen. */
async function seesAll() {
  const now = await until('an answer', service);
  check(now.works && !now.root && !now.netAdmin, 'no process events for the account', now);
  const before = await exits();
  for (let one = 0; one < SHORT_LIVED; one++) execFileSync('/bin/true');
  const seen = await until('the ends of short-lived processes', async () => {
    const more = (await exits()) - before;
    return more >= SHORT_LIVED && more;
  });
  const found = { doctor: await doctor(), exits: seen };
  console.log(`with the helper: ${JSON.stringify(found)}`);
  return found;
}

async function tried() {
  await until('the start', () => systemctl('is-active', 'desk.service') === 'active');
  const kernel = readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim();
  const first = await seesAll();

  systemctl('mask', '--runtime', 'desk-namespaces.socket');
  systemctl('stop', 'desk-namespaces.socket', 'desk-namespaces.service');
  systemctl('restart', 'desk.service');
  const without = await until('an answer without the helper', service);
  check(
    !without.works && /^bind.*EPERM.*desk-namespaces/.test(without.reason),
    'it does not say that it has no process events',
    without,
  );
  const off = await doctor();
  check(off.startsWith('off'), 'desk doctor', off);

  systemctl('unmask', '--runtime', 'desk-namespaces.socket');
  systemctl('restart', 'desk.service');
  const again = await seesAll();
  return { kernel, first, off, again };
}

try {
  console.log(`seen: ${JSON.stringify(await tried())}`);
} catch (error) {
  const journal = [
    '-u',
    'desk.service',
    '-u',
    'desk-namespaces.service',
    '-o',
    'cat',
    '--no-pager',
    '-n',
    '40',
  ];
  for (const words of [
    ['systemctl', 'status', '--no-pager', '-n', '0', 'desk.service'],
    ['journalctl', ...journal],
  ])
    console.error(spawnSync(words[0], words.slice(1), { encoding: 'utf8' }).stdout);
  console.error(error.message);
  process.exitCode = 1;
}
