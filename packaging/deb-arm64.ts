/**
 * Tries the Debian package for arm64 in a fresh Debian 12 for arm64, under emulation: installed by its own dpkg, used, purged. Needs root,
 * debootstrap and qemu-user-static. As in systems.ts nothing of this machine changes: the kernel starts qemu in a user namespace of its own
 * (Linux 6.7 and newer). There every uid is mapped, because packages have files of other users than root.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { debName } from './deb.ts';
import { PRIVATE_DEV, QEMU, systemOf, UNSHARE } from './systems.ts';
import { BUILD, PROJECT, Tally } from './tools.ts';

const NAME = 'bookworm-arm64';

const INSIDE = `read -r mapped
mount --make-rprivate /
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
printf %s "$1" >/proc/sys/fs/binfmt_misc/register
root=$2
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
dev=$root/dev
${PRIVATE_DEV}
shift 2
exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root NO_COLOR=1 "$@"`;

/** Runs a program in the folder of a system for arm64. */
async function emulated(root: string, ...words: readonly string[]) {
  const own = ['--user', '--mount', '--pid', '--fork', '--kill-child'];
  const child = spawn('setpriv', [...UNSHARE, ...own, 'sh', '-ec', INSIDE, 'sh', QEMU, root, ...words]);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const closed = once(child, 'close');
  await once(child, 'spawn');
  await ownNamespace(child.pid as number);
  for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${child.pid}/${map}`, '0 0 65536\n');
  child.stdin.end('mapped\n');
  const [status] = (await closed) as [number | null];
  return { status, stdout, stderr };
}

/** Resolves when a process has left our user namespace. */
async function ownNamespace(pid: number): Promise<void> {
  const userOf = (of: number | 'self') => readlinkSync(`/proc/${of}/ns/user`);
  while (userOf(pid) === userOf('self')) await delay(10);
}

/** The folder of the system with its packages set up, made when first needed: that takes minutes. */
async function wholeSystem(): Promise<string> {
  const root = join(BUILD, 'systems', `${NAME}-whole`);
  if (existsSync(root)) return root;
  const making = `${root}.making`;
  rmSync(making, { recursive: true, force: true });
  cpSync(systemOf({ name: NAME, suite: 'bookworm', arch: 'arm64' }), making, {
    recursive: true,
    verbatimSymlinks: true,
  });
  // A user namespace makes no devices: they are there already.
  const functions = join(making, 'debootstrap/functions');
  const text = readFileSync(functions, 'utf8');
  writeFileSync(
    functions,
    text.replace(/^(?:check_sane_mount|setup_devices|setup_proc) \(\) \{$/gm, '$&\nreturn 0'),
  );
  const { status, stdout, stderr } = await emulated(making, '/debootstrap/debootstrap', '--second-stage');
  if (status !== 0) throw new Error(`debootstrap for arm64: ${stdout}${stderr}`);
  renameSync(making, root);
  return root;
}

/** `npm run packages -- deb-arm64`. */
export async function debArm64(): Promise<Tally> {
  const tally = new Tally();
  const deb = join(BUILD, debName('arm64'));
  if (!existsSync(deb))
    throw new Error(
      `${deb} is missing: run "npm run packages -- arm64-glibc", then "npm run packages -- deb --arch arm64"`,
    );
  const root = await wholeSystem();
  const copies = [
    [deb, 'root/desk.deb'],
    [join(PROJECT, 'packaging/deb-arm64-inside.sh'), 'root/inside.sh'],
  ] as const;
  for (const [from, to] of copies) copyFileSync(from, join(root, to));
  try {
    tally.add(NAME, await emulated(root, 'sh', '/root/inside.sh', '/root/desk.deb'));
  } finally {
    for (const [, to] of copies) rmSync(join(root, to));
  }
  return tally;
}
