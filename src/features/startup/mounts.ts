/** File systems of this machine whose programs may have set-user-ID, set-group-ID or capabilities (proc_pid_mountinfo(5)). */

import { LOCAL, mountsIn, within } from '../../base/file-systems.ts';

/** Have no such programs: made by the kernel, or without owners. */
const WITHOUT_RIGHTS = new Set(
  `autofs binder binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts efivarfs exfat functionfs fusectl hugetlbfs mqueue
   msdos nfsd nsfs pipefs proc pstore resctrl rpc_pipefs securityfs selinuxfs smackfs sockfs sysfs tracefs vfat xenfs`.split(
    /\s+/,
  ),
);

export interface PrivilegedMounts {
  /** Mount points, each part of a file system once. */
  readonly walked: readonly string[];
  /** Not walked although they may have such programs: file systems of other machines, and those that may not answer. */
  readonly others: readonly { readonly path: string; readonly type: string }[];
}

/** `text` is read as latin1. */
export function privilegedMounts(text: string): PrivilegedMounts {
  const found = mountsIn(text).filter(
    ({ type, options }) => !WITHOUT_RIGHTS.has(type) && !options.includes('nosuid'),
  );
  // A later mount at the same point covers an earlier one.
  const visible = found.filter(
    ({ point }, at) => !found.some((other, number) => number > at && other.point === point),
  );
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
