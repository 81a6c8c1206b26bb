/**
 * Tries the Debian packages in fresh Debian systems without a compiler, and under systemd as pid 1. Needs root; for fresh systems also
 * debootstrap and the archive of Debian. Nothing is written to the systems: changes go to a file system in memory.
 */

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type BootedMachine, bootSystemd, cannotBoot, type Ran } from '../test/support/booted.ts';
import { debOf } from './deb.ts';
import { systemOf } from './systems.ts';
import { TARGETS } from './targets.ts';
import { BUILD, PROJECT, Tally } from './tools.ts';

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
  const folder = mkdtempSync(join(tmpdir(), 'desk-deb-'));
  const script = `set -e
mount --make-rprivate /
mount -t tmpfs tmpfs "$1"
mkdir "$1/changed" "$1/work" "$1/root"
mount -t overlay -o "lowerdir=$2,upperdir=$1/changed,workdir=$1/work" overlay "$1/root"
mkdir -p "$1/root/opt/desk-try"
mount --bind "$3" "$1/root/opt/desk-try"
mount -t proc proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
cp /etc/resolv.conf "$1/root/etc/resolv.conf"
cp "$4" "$1/root/tmp/deb-inside.sh"
exec chroot "$1/root" /tmp/deb-inside.sh "/opt/desk-try/$5" "/opt/desk-try/$6"`;
  const words = [folder, root, TRIAL, join(PROJECT, 'packaging/deb-inside.sh')];
  const alone = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh'];
  const done = spawnSync('unshare', [...alone, ...words, basename(old), basename(newer)], {
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
  if (existsSync('/usr/bin/lintian')) tally.add('lintian', lintian(made.old));
  else console.log('lintian is not installed (Debian package lintian): not checked');
  const reason = cannotBoot();
  tally.add(
    'booted',
    reason === null ? await boots('/', made) : failed(`systemd cannot be booted: ${reason}`),
  );
  return tally;
}

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Without what is said about the missing compression, which only trials have. */
const lintian = (file: string): Outcome =>
  spawnSync(
    'lintian',
    [
      '--allow-root',
      '--fail-on=error,warning',
      '--suppress-tags=uses-no-compression-for-data-tarball,uses-no-compression-for-control-tarball',
      file,
    ],
    { encoding: 'utf8' },
  );

const passed = (stdout: string): Outcome => ({ status: 0, stdout, stderr: '' });
const failed = (stderr: string): Outcome => ({ status: 1, stdout: '', stderr });

const NODE = '/usr/lib/hostess-desk/bin/node';
/** Generous: the machine may be busy. */
const WITHIN_MS = 180_000;

class Machine {
  readonly #machine: BootedMachine;

  constructor(machine: BootedMachine) {
    this.#machine = machine;
  }

  /** What a command prints. Throws unless it ends with 0. */
  async run(...argv: readonly string[]): Promise<string> {
    const { code, stdout, stderr }: Ran = await this.#machine.run(argv);
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${stdout}${stderr}`);
    return stdout.trim();
  }

  start(...argv: readonly string[]): Promise<Ran> {
    return this.#machine.run(argv);
  }

  property(name: string): Promise<string> {
    return this.run('systemctl', 'show', 'desk.service', '--property', name, '--value');
  }

  async until(what: string, holds: () => Promise<boolean>): Promise<number> {
    const startedAt = performance.now();
    while (!(await holds())) {
      if (performance.now() - startedAt > WITHIN_MS)
        throw new Error(
          `${what} did not happen: ${await this.run('systemctl', 'status', '--no-pager', '--lines=30', 'desk.service').catch(String)}`,
        );
      await delay(200);
    }
    return Math.round(performance.now() - startedAt);
  }

  /** Whether the service listens and answers. */
  async answers(): Promise<boolean> {
    const { code } = await this.start('desk', 'status');
    // 1: it answers that something is found.
    return code === 0 || code === 1;
  }
}

/** Installs, starts, freezes, upgrades under load and purges the package under systemd as pid 1. */
async function boots(root: string, { old, new: newer }: ReturnType<typeof debs>): Promise<Outcome> {
  const shared = [[TRIAL, '/mnt']] as const;
  const booted = await bootSystemd({ root, shared });
  const machine = new Machine(booted);
  try {
    const seen = await use(machine, basename(old), basename(newer));
    return { status: 0, stdout: JSON.stringify(seen), stderr: '' };
  } catch (error) {
    return failed((error as Error).message);
  } finally {
    await booted.stop();
  }
}

async function use(machine: Machine, old: string, newer: string): Promise<Record<string, unknown>> {
  // It forbids to start services where images are made; what is tried here is a machine that runs.
  await machine.run('rm', '-f', '/usr/sbin/policy-rc.d');
  await machine.run('dpkg', '--install', `/mnt/${old}`);
  // Installing starts it, and systemd waits for READY=1.
  if ((await machine.property('ActiveState')) !== 'active') throw new Error('the service is not active');
  await machine.until('an answer', () => machine.answers());
  const notify = await machine.property('Type');
  const user = await machine.run('stat', '--format=%U %a', '/var/lib/desk');
  if (user !== 'desk 700') throw new Error(`the state folder: ${user}`);

  const twice = await machine.start('desk', 'install');
  if (twice.code === 0 || !twice.stderr.includes('a package has installed the unit'))
    throw new Error(`desk install does not refuse: ${twice.stdout}${twice.stderr}`);

  const reloaded = await machine.property('MainPID');
  await machine.run('systemctl', 'reload', 'desk.service');
  if ((await machine.property('MainPID')) !== reloaded) throw new Error('a reload restarted the service');

  const frozen = await machine.property('MainPID');
  await machine.run('sh', '-c', 'kill -STOP "$0"', frozen);
  const back = await machine.until('a restart by the watchdog', async () => {
    const pid = await machine.property('MainPID');
    return pid !== '0' && pid !== frozen && (await machine.property('ActiveState')) === 'active';
  });
  const restarts = await machine.property('NRestarts');
  await machine.until('an answer after the restart', () => machine.answers());

  // What is planted before that would be learned, and is no finding then.
  await machine.until('the first learning', async () => {
    return (await machine.start('test', '-e', '/var/lib/desk/desk.first-use')).code !== 0;
  });
  await machine.run('mkdir', '/tmp/load');
  await machine.run('cp', '/mnt/deb-load.mjs', NODE, '/tmp/load');
  const load = machine.start('/tmp/load/node', '/tmp/load/deb-load.mjs', '/tmp/load/work');
  let early: Ran | undefined;
  void load.then((ran) => {
    early = ran;
  });
  await machine.until('ten accepted findings', async () => {
    if (early !== undefined) throw new Error(`the load ended early: ${early.stdout}${early.stderr}`);
    return (await accepted(machine)) > 9;
  });
  const earlier = await machine.property('MainPID');
  await machine.run('dpkg', '--install', `/mnt/${newer}`);
  await machine.run('touch', '/tmp/load/work/upgraded');
  if ((await machine.property('MainPID')) === earlier)
    throw new Error('the upgrade did not restart the service');
  await machine.run('touch', '/tmp/load/work/stop');
  const { code, stdout, stderr } = await load;
  if (code !== 0) throw new Error(`the load: ${stdout}${stderr}`);

  // What an administrator has stopped stays stopped over an upgrade.
  await machine.run('systemctl', 'stop', 'desk.service');
  await machine.run('dpkg', '--install', `/mnt/${newer}`);
  if ((await machine.property('ActiveState')) !== 'inactive')
    throw new Error('an upgrade started a stopped service');
  await machine.run('systemctl', 'start', 'desk.service');
  await machine.run('dpkg', '--remove', 'hostess-desk');
  if ((await machine.property('ActiveState')) === 'active')
    throw new Error('remove left the service running');
  await machine.run('test', '-d', '/var/lib/desk/law.d');
  await machine.run('dpkg', '--purge', 'hostess-desk');
  for (const path of [
    '/var/lib/desk',
    '/etc/desk',
    '/usr/lib/hostess-desk',
    '/etc/systemd/system/desk.service',
  ])
    if ((await machine.start('test', '-e', path)).code === 0) throw new Error(`purge left ${path}`);
  return { type: notify, watchdog_restarted_ms: back, restarts, ...JSON.parse(stdout) };
}

async function accepted(machine: Machine): Promise<number> {
  const { code, stdout } = await machine.start('desk', 'accept', '--list', '--json');
  return code === 0 ? (JSON.parse(stdout) as { entries: readonly unknown[] }).entries.length : 0;
}
