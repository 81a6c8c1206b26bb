/**
 * Tries the Debian package on the kernel of Debian 12 (Linux 6.1) in an emulated machine: process events of the service under its account,
 * which that kernel gives to CAP_NET_ADMIN only (deb-kernel-inside.mjs). Needs root, debootstrap, qemu-system-x86, and about ten minutes
 * without KVM. Nothing of this machine changes.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debOfMachine } from './deb-systems.ts';
import { systemOf } from './systems.ts';
import { PROJECT, Tally } from './tools.ts';

const INSIDE = 'deb-kernel-inside.mjs';
const WITHIN_MS = 40 * 60_000;

/** Run by systemd when the machine has booted; its end turns the machine off. */
const UNIT = `[Unit]
After=desk.service
SuccessAction=poweroff-force
FailureAction=poweroff-force

[Service]
Type=oneshot
TimeoutStartSec=infinity
ExecStart=/usr/lib/hostess-desk/bin/node /root/${INSIDE}
StandardOutput=journal+console
StandardError=journal+console

[Install]
WantedBy=multi-user.target
`;

/** Makes the disk of the machine: the system, the package installed by its own dpkg, and the trial. An emulated processor needs minutes to start the service. */
const DISK = `set -e
mount --make-rprivate /
mount -t tmpfs tmpfs "$1"
mkdir "$1/changed" "$1/work" "$1/root"
mount -t overlay -o "lowerdir=$2,upperdir=$1/changed,workdir=$1/work" overlay "$1/root"
cd "$1/root"
cp "$3" root/desk.deb
cp "$4" root
printf %s "$5" >etc/systemd/system/trial.service
mkdir etc/systemd/system/desk.service.d
printf '[Service]\\nTimeoutStartSec=900\\nWatchdogSec=0\\n' >etc/systemd/system/desk.service.d/slow.conf
ln -s ../trial.service etc/systemd/system/multi-user.target.wants/trial.service
mount -t proc proc proc
chroot . dpkg --install /root/desk.deb
umount proc
rm root/desk.deb
mke2fs -q -t ext4 -d . "$6" 2G`;

/** `npm run packages -- deb-kernel`. */
export function debKernel(): Tally {
  const tally = new Tally();
  const root = systemOf({
    name: 'bookworm-kernel',
    suite: 'bookworm',
    arch: 'amd64',
    include: ['systemd-sysv', 'linux-image-cloud-amd64', 'initramfs-tools', 'zstd'],
  });
  const folder = mkdtempSync(join(tmpdir(), 'desk-kernel-'));
  try {
    const [disk, console] = [join(folder, 'disk'), join(folder, 'console')];
    const mounted = mkdtempSync(join(folder, 'mounted-'));
    const words = [mounted, root, debOfMachine(), join(PROJECT, 'packaging', INSIDE), UNIT, disk];
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
    const made = spawnSync('unshare', ['--mount', 'sh', '-c', DISK, 'sh', ...words], {
      encoding: 'utf8',
      env,
    });
    if (made.status !== 0) throw new Error(`the disk cannot be made: ${made.stdout}${made.stderr}`);
    const { error, stderr } = spawnSync(
      'qemu-system-x86_64',
      [
        ...['-cpu', 'max', '-smp', '2', '-m', '1G', '-display', 'none', '-no-reboot', '-nic', 'none'],
        ...['-serial', `file:${console}`],
        ...['-drive', `file=${disk},format=raw,if=virtio,cache=unsafe`],
        ...[
          '-kernel',
          join(root, 'vmlinuz'),
          '-initrd',
          join(root, 'initrd.img'),
          '-append',
          'root=/dev/vda rw console=ttyS0 quiet',
        ],
      ],
      { encoding: 'utf8', env, timeout: WITHIN_MS, killSignal: 'SIGKILL' },
    );
    const printed = existsSync(console) ? readFileSync(console, 'utf8') : '';
    const seen = /seen: (\{.*\})/.exec(printed)?.[1];
    tally.add('bookworm-kernel', {
      status: seen === undefined ? 1 : 0,
      stdout: seen ?? printed,
      stderr: error?.message ?? stderr,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return tally;
}
