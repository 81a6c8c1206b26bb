/** File systems of this machine whose programs may run with rights of others (proc_pid_mountinfo(5)). */

/** On a disk or in memory of this machine: what answers, and whose users its administrator knows. */
const LOCAL = new Set(
  'ext2 ext3 ext4 xfs btrfs f2fs zfs bcachefs jfs reiserfs overlay tmpfs ramfs squashfs erofs'.split(' '),
);

/** Octal escapes of blanks and the like. */
const unescaped = (text: string): string =>
  Buffer.from(
    text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
    'latin1',
  ).toString();

/** Mount points, each part of a file system once; `text` is read as latin1. */
export function privilegedMounts(text: string): string[] {
  const found: { device: string; root: string; point: string }[] = [];
  for (const line of text.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const [, , device = '', root = '', point = '', options = ''] = before.split(' ');
    const [type = ''] = after.split(' ');
    if (!point.startsWith('/') || !LOCAL.has(type) || options.split(',').includes('nosuid')) continue;
    found.push({ device, root, point: unescaped(point) });
  }
  // A later mount at the same point covers an earlier one.
  const visible = found.filter(
    ({ point }, at) => !found.some((other, number) => number > at && other.point === point),
  );
  const within = (inner: string, outer: string): boolean =>
    outer === '/' || inner === outer || inner.startsWith(`${outer}/`);
  // What is mounted a second time, whole or a folder of it, is read once.
  const once = visible.filter(
    ({ device, root }, at) =>
      !visible.some(
        (other, number) =>
          number !== at &&
          other.device === device &&
          within(root, other.root) &&
          (root !== other.root || number < at),
      ),
  );
  return [...new Set(once.map(({ point }) => point))];
}
