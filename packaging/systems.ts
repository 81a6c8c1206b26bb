/**
 * Tries the packed files in fresh Debian systems, which have no compiler. Needs root, debootstrap, and qemu-user-static for arm64. Each
 * system is made once, in build/packages/systems.
 *
 * For arm64 the kernel starts qemu by binfmt_misc, in a user namespace of its own (Linux 6.7 and newer): nothing of this machine changes.
 * There the first stage of debootstrap must do, which unpacks what is needed without setting it up.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD, fetched, PROJECT, run, Tally } from './tools.ts';

const CPUS = { amd64: 'x64', arm64: 'arm64' } as const;
type Arch = keyof typeof CPUS;

export const SYSTEMS = ['bullseye', 'bookworm', 'trixie', 'sid'].flatMap((suite) =>
  (Object.keys(CPUS) as Arch[]).map((arch) => ({ name: `${suite}-${arch}`, suite, arch })),
);
export type System = (typeof SYSTEMS)[number];

/** qemu(1), scripts/qemu-binfmt-conf.sh: an ELF file of 64 bits for aarch64. F: opened now, so that it is found in every root. */
export const QEMU = String.raw`:desk-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64-static:OCF`;

/** Words of setpriv(1): unshare(1), ended with us. Its `--kill-child` then ends what it has started. */
export const UNSHARE = ['--pdeathsig=KILL', 'unshare'];
/** Runs its words in a root file system with processes and mounts of its own. */
export const ALONE = ['--mount', '--pid', '--fork', '--kill-child'];
const EMULATED = [
  ...['--map-root-user', ...ALONE],
  ...[
    'sh',
    '-ec',
    'mount -t binfmt_misc none /proc/sys/fs/binfmt_misc; printf %s "$0" > /proc/sys/fs/binfmt_misc/register; exec unshare "$@"',
    QEMU,
  ],
];

/**
 * Lines of a shell that give "$dev" the devices that programs need, and none of the others of this machine. A user namespace makes no
 * devices, so those of this machine are bound there, read-only: programs can write to them, and cannot change their owner and mode.
 */
export const PRIVATE_DEV = `mount -t tmpfs -o mode=755,nosuid tmpfs "$dev"
mkdir -m 1777 "$dev/shm"
ln -s /proc/self/fd "$dev/fd"
for stream in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/\${stream%:*}" "$dev/\${stream#*:}"; done
for device in null zero full random urandom; do
  : >"$dev/$device"
  mount --bind "/dev/$device" "$dev/$device"
  mount -o "remount,bind,$(findmnt -n -o VFS-OPTIONS --mountpoint "$dev/$device" | sed 's/^rw/ro/')" "$dev/$device"
done`;

/** The folder of a system, made when first needed. `include`: packages besides the smallest system. */
export function systemOf({
  name,
  suite,
  arch,
  include = [],
}: System & { readonly include?: readonly string[] }): string {
  const root = join(BUILD, 'systems', name);
  if (existsSync(root)) return root;
  const making = `${root}.making`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  const foreign = arch === 'arm64' ? ['--foreign'] : [];
  run('debootstrap', [
    '--variant=minbase',
    `--arch=${arch}`,
    ...foreign,
    ...(include.length > 0 ? [`--include=${include.join(',')}`] : []),
    suite,
    making,
    'http://deb.debian.org/debian',
  ]);
  // Where debootstrap cannot mount, its /proc is a link to ours.
  rmSync(join(making, 'proc'), { recursive: true });
  mkdirSync(join(making, 'proc'));
  renameSync(making, root);
  return root;
}

/** Runs packaging/inside.mjs in it. */
function tried(system: System) {
  const cpu = CPUS[system.arch];
  const root = systemOf(system);
  const work = join(root, 'opt/desk-try');
  rmSync(work, { recursive: true, force: true });
  const copies: readonly (readonly [string, string])[] = [
    [join(BUILD, `linux-${cpu}-glibc`), 'files'],
    [fetched(`node-linux-${cpu}`, '20', cpu), 'node'],
    [fetched('npm', '10'), 'npm'],
    [join(PROJECT, 'packaging/inside.mjs'), 'inside.mjs'],
    [join(PROJECT, 'packaging/examples'), 'examples'],
  ];
  for (const [from, to] of copies) cpSync(from, join(work, to), { recursive: true, dereference: true });
  const at = '/opt/desk-try';
  const inside = [`${at}/node/bin/node`, `${at}/inside.mjs`, `${at}/npm/bin/npm-cli.js`, `${at}/files`];
  const words = [...ALONE, `--root=${root}`, '--mount-proc', ...inside];
  const emulation = cpu === process.arch ? [] : EMULATED;
  const done = spawnSync('setpriv', [...UNSHARE, ...emulation, ...words], {
    cwd: '/',
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  });
  rmSync(work, { recursive: true, force: true });
  return done;
}

export function tryIn(systems: readonly System[]): Tally {
  const tally = new Tally();
  for (const system of systems) tally.add(system.name, tried(system));
  return tally;
}
