/**
 * Tries the Debian packages in fresh Debian systems without a compiler, and under systemd as pid 1. Needs root; for fresh systems also
 * debootstrap and the archive of Debian. Nothing is written to the systems: changes go to a file system in memory.
 */

import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type BootedMachine, bootSystemd, cannotBoot, type Ran } from '../test/support/booted.ts';
import { tempFolder } from '../test/support/temp-folder.ts';
import { debOf } from './deb.ts';
import { ALONE, PRIVATE_DEV, systemOf, UNSHARE } from './systems.ts';
import { TARGETS } from './targets.ts';
import { BUILD, exitOnSignals, PROJECT, Tally } from './tools.ts';

export const DEB_SYSTEMS = ['bookworm', 'trixie'].map((suite) => ({ name: `${suite}-amd64`, suite }));
export type DebSystem = (typeof DEB_SYSTEMS)[number];

type Outcome = Pick<SpawnSyncReturns<string>, 'status' | 'stdout' | 'stderr'>;

const TRIAL = join(BUILD, 'deb-trial');
const { version: VERSION } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
  version: string;
};

/** The package of this machine's CPU, uncompressed: that takes seconds instead of minutes. */
function make(version: string): string {
  const target = TARGETS.find(({ name }) => name === `${process.arch}-glibc`);
  if (target === undefined || !existsSync(join(BUILD, `linux-${target.name}`)))
    throw new Error('nothing is packed for this machine: run "npm run packages -- --built x64-glibc" first');
  mkdirSync(TRIAL, { recursive: true });
  return debOf(target, { version, compression: 'none', folder: TRIAL });
}

/** The package, and one of a higher version with the same content. */
function debs(): { readonly old: string; readonly new: string } {
  const made = { old: make(VERSION), new: make(`${VERSION}+1`) };
  copyFileSync(join(PROJECT, 'packaging/deb-load.mjs'), join(TRIAL, 'deb-load.mjs'));
  return made;
}

/** Runs deb-inside.sh in a root file system of which nothing is changed, with processes of its own. */
function triedIn(root: string, { old, new: newer }: ReturnType<typeof debs>): Outcome {
  const folder = tempFolder('desk-deb-');
  const script = `set -e
mount --make-rprivate /
mount -t tmpfs tmpfs "$1"
mkdir "$1/changed" "$1/work" "$1/root"
mount -t overlay -o "lowerdir=$2,upperdir=$1/changed,workdir=$1/work" overlay "$1/root"
mkdir -p "$1/root/opt/desk-try"
mount --bind "$3" "$1/root/opt/desk-try"
mount -t proc proc "$1/root/proc"
dev=$1/root/dev
${PRIVATE_DEV}
cp /etc/resolv.conf "$1/root/etc/resolv.conf"
cp "$4" "$1/root/tmp/deb-inside.sh"
exec chroot "$1/root" /tmp/deb-inside.sh "/opt/desk-try/$5" "/opt/desk-try/$6"`;
  const words = [folder, root, TRIAL, join(PROJECT, 'packaging/deb-inside.sh')];
  const inside = ['sh', '-c', script, 'sh', ...words, basename(old), basename(newer)];
  const done = spawnSync('setpriv', [...UNSHARE, ...ALONE, ...inside], {
    cwd: '/',
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  });
  rmSync(folder, { recursive: true, force: true });
  return done;
}

/** `npm run packages -- deb-systems`: without systemd, then booted. */
export async function debSystems(systems: readonly DebSystem[]): Promise<Tally> {
  const tally = new Tally();
  const made = debs();
  exitOnSignals();
  for (const { name, suite } of systems) {
    tally.add(`${name}, without systemd`, triedIn(systemOf({ name, suite, arch: 'amd64' }), made));
    const booted = systemOf({
      name: `${name}-systemd`,
      suite,
      arch: 'amd64',
      include: ['systemd', 'systemd-sysv'],
    });
    tally.add(`${name}, booted`, await boots(booted, made));
  }
  return tally;
}

/** `npm run packages -- deb-try`: over the root of this machine, which stays as it is. */
export async function debHere(): Promise<Tally> {
  const tally = new Tally();
  const made = debs();
  const first = digestOf(made.old);
  const again = digestOf(make(VERSION));
  tally.add('same bytes twice', first === again ? passed(first) : failed(`${first} and ${again}`));
  const checked = existsSync('/usr/bin/lintian') ? lintian(made.old) : undefined;
  exitOnSignals();
  const reason = cannotBoot();
  tally.add(
    'booted',
    reason === null ? await boots('/', made) : failed(`systemd cannot be booted: ${reason}`),
  );
  if (checked !== undefined) tally.add('lintian', await checked);
  else console.log('lintian is not installed (Debian package lintian): not checked');
  return tally;
}

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Without what is said about the missing compression, which only trials have. It takes what others leave of the processors. */
async function lintian(file: string): Promise<Outcome> {
  const left = 'uses-no-compression-for-data-tarball,uses-no-compression-for-control-tarball';
  const words = ['--allow-root', '--fail-on=error,warning', `--suppress-tags=${left}`, file];
  const child = spawn('chrt', ['--idle', '0', 'lintian', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { status, stdout, stderr };
}

const passed = (stdout: string): Outcome => ({ status: 0, stdout, stderr: '' });
const failed = (stderr: string): Outcome => ({ status: 1, stdout: '', stderr });

/** Banned by default. */
const BANNED = 8766;
const NODE = '/usr/lib/hostess-desk/bin/node';
/** Whether the service listens and answers. */
async function answers(machine: BootedMachine): Promise<boolean> {
  const { code } = await machine.run(['desk', 'status']);
  // 1: it answers that something is found.
  return code === 0 || code === 1;
}

/** Installs, starts, freezes, upgrades under load and purges the package under systemd as pid 1. */
async function boots(root: string, { old, new: newer }: ReturnType<typeof debs>): Promise<Outcome> {
  const shared = [[TRIAL, '/mnt']] as const;
  const machine = await bootSystemd({ root, shared });
  try {
    const seen = await use(machine, basename(old), basename(newer));
    return { status: 0, stdout: JSON.stringify(seen), stderr: '' };
  } catch (error) {
    return failed((error as Error).message);
  } finally {
    await machine.stop();
  }
}

/** A property of the service. */
const property = async (machine: BootedMachine, name: string): Promise<string> =>
  (await machine.shown('desk.service', name))[name] ?? '';

async function use(machine: BootedMachine, old: string, newer: string): Promise<Record<string, unknown>> {
  // It forbids to start services where images are made; what is tried here is a machine that runs.
  await machine.output('rm', '-f', '/usr/sbin/policy-rc.d');
  await machine.output('dpkg', '--install', `/mnt/${old}`);
  // Installing starts it, and systemd waits for READY=1.
  if ((await property(machine, 'ActiveState')) !== 'active') throw new Error('the service is not active');
  await machine.until('an answer', () => answers(machine));
  const notify = await property(machine, 'Type');
  const user = await machine.output('stat', '--format=%U %a', '/var/lib/desk');
  if (user !== 'desk 700') throw new Error(`the state folder: ${user}`);

  // What is planted before that would be learned, and not be a finding then.
  await machine.until('the first learning', async () => {
    return (await machine.run(['test', '-e', '/var/lib/desk/desk.first-use'])).code !== 0;
  });
  await machine.output('systemd-analyze', 'security', '--threshold=25', 'desk.service');
  await machine.output(
    ...['systemd-run', '--quiet', '--unit=elsewhere', '--property=PrivateNetwork=yes'],
    ...[NODE, '-e', `require('node:net').createServer().listen(${BANNED})`],
  );
  // Other namespaces are scanned at the start, then every hour.
  await machine.output('systemctl', 'restart', 'desk.service');
  await machine.until('a finding in another network namespace', async () => {
    const { stdout } = await machine.run(['desk', 'findings', '--json']);
    // The helper that found it was started after the learning, and is known nevertheless.
    if (/"unlearned-process"[^}]*desk-start/.test(stdout))
      throw new Error(`it reports its helper: ${stdout}`);
    return /"check":"banned-listener"[^}]*"namespace":\d/.test(stdout);
  });
  await machine.output('systemctl', 'stop', 'elsewhere.service');

  const twice = await machine.run(['desk', 'install']);
  if (twice.code === 0 || !twice.stderr.includes('a package has installed the unit'))
    throw new Error(`desk install does not refuse: ${twice.stdout}${twice.stderr}`);

  const reloaded = await property(machine, 'MainPID');
  await machine.output('systemctl', 'reload', 'desk.service');
  if ((await property(machine, 'MainPID')) !== reloaded) throw new Error('a reload restarted the service');

  const frozen = await property(machine, 'MainPID');
  await machine.output('sh', '-c', 'kill -STOP "$0"', frozen);
  const frozenAt = performance.now();
  await machine.until('a restart by the watchdog', async () => {
    const pid = await property(machine, 'MainPID');
    return pid !== '0' && pid !== frozen && (await property(machine, 'ActiveState')) === 'active';
  });
  const back = Math.round(performance.now() - frozenAt);
  const restarts = await property(machine, 'NRestarts');
  await machine.until('an answer after the restart', () => answers(machine));

  await machine.output('mkdir', '/tmp/load');
  await machine.output('cp', '/mnt/deb-load.mjs', NODE, '/tmp/load');
  const load = machine.run(['/tmp/load/node', '/tmp/load/deb-load.mjs', '/tmp/load/work']);
  let early: Ran | undefined;
  void load.then((ran) => {
    early = ran;
  });
  await machine.until('ten accepted findings', async () => {
    if (early !== undefined) throw new Error(`the load ended early: ${early.stdout}${early.stderr}`);
    return (await accepted(machine)) > 9;
  });
  const earlier = await property(machine, 'MainPID');
  await machine.output('dpkg', '--install', `/mnt/${newer}`);
  await machine.output('touch', '/tmp/load/work/upgraded');
  if ((await property(machine, 'MainPID')) === earlier)
    throw new Error('the upgrade did not restart the service');
  await machine.output('touch', '/tmp/load/work/stop');
  const { code, stdout, stderr } = await load;
  if (code !== 0) throw new Error(`the load: ${stdout}${stderr}`);

  // What an administrator has stopped stays stopped over an upgrade.
  await machine.output('systemctl', 'stop', 'desk.service');
  await machine.output('dpkg', '--install', `/mnt/${newer}`);
  if ((await property(machine, 'ActiveState')) !== 'inactive')
    throw new Error('an upgrade started a stopped service');
  await machine.output('systemctl', 'start', 'desk.service');
  await machine.output('dpkg', '--remove', 'hostess-desk');
  if ((await property(machine, 'ActiveState')) === 'active')
    throw new Error('remove left the service running');
  await machine.output('test', '-d', '/var/lib/desk/law.d');
  await machine.output('dpkg', '--purge', 'hostess-desk');
  for (const path of [
    '/var/lib/desk',
    '/etc/desk',
    '/usr/lib/hostess-desk',
    '/etc/systemd/system/desk.service',
    '/usr/lib/systemd/system/desk-namespaces.socket',
    '/run/desk-namespaces.sock',
  ])
    if ((await machine.run(['test', '-e', path])).code === 0) throw new Error(`purge left ${path}`);
  return { type: notify, watchdog_restarted_ms: back, restarts, ...JSON.parse(stdout) };
}

async function accepted(machine: BootedMachine): Promise<number> {
  const { code, stdout } = await machine.run(['desk', 'accept', '--list', '--json']);
  return code === 0 ? (JSON.parse(stdout) as { entries: readonly unknown[] }).entries.length : 0;
}
