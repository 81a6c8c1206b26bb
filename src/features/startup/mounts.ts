/** File systems of this machine whose programs may have set-user-ID, set-group-ID or capabilities (proc_pid_mountinfo(5)). */

/** On a disk or in memory of this machine: they answer, and their users are those of this machine. */
const LOCAL = new Set(
  'ext2 ext3 ext4 xfs btrfs f2fs zfs bcachefs jfs reiserfs overlay tmpfs ramfs devtmpfs squashfs erofs'.split(
    ' ',
  ),
);

/** Have no such programs: made by the kernel, or without owners. */
const WITHOUT_RIGHTS = new Set(
  `autofs binder binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts efivarfs exfat functionfs fusectl hugetlbfs mqueue
   msdos nfsd nsfs pipefs proc pstore resctrl rpc_pipefs securityfs selinuxfs smackfs sockfs sysfs tracefs vfat xenfs`.split(
    /\s+/,
  ),
);

/** Octal escapes of blanks and the like. */
const unescaped = (text: string): string =>
  Buffer.from(
    text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
    'latin1',
  ).toString();

export interface PrivilegedMounts {
  /** Mount points, each part of a file system once. */
  readonly walked: readonly string[];
  /** Not walked although they may have such programs: file systems of other machines, and those that may not answer. */
  readonly others: readonly { readonly path: string; readonly type: string }[];
}

/** `text` is read as latin1. */
export function privilegedMounts(text: string): PrivilegedMounts {
  const found: { device: string; root: string; point: string; type: string }[] = [];
  for (const line of text.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const [, , device = '', root = '', point = '', options = ''] = before.split(' ');
    const [type = ''] = after.split(' ');
    if (!point.startsWith('/') || WITHOUT_RIGHTS.has(type) || options.split(',').includes('nosuid')) continue;
    found.push({ device, root, point: unescaped(point), type });
  }
  // A later mount at the same point covers an earlier one.
  const visible = found.filter(
    ({ point }, at) => !found.some((other, number) => number > at && other.point === point),
  );
  const within = (inner: string, outer: string): boolean =>
    outer === '/' || inner === outer || inner.startsWith(`${outer}/`);
  // What is mounted a second time, whole or a folder of it, is read once.
  const local = visible.filter(({ type }) => LOCAL.has(type));
  const once = local.filter(
    ({ device, root }, at) =>
      !local.some(
        (other, number) =>
          number !== at &&
          other.device === device &&
          within(root, other.root) &&
          (root !== other.root || number < at),
      ),
  );
  return {
    walked: [...new Set(once.map(({ point }) => point))],
    others: visible.filter(({ type }) => !LOCAL.has(type)).map(({ point: path, type }) => ({ path, type })),
  };
}
