/** File systems and drives of this machine. Nothing here waits: what belongs to other machines is not asked. */

import { LOCAL, type Mount, mountsIn } from '../../base/file-systems.ts';
import { atMost } from '../../base/promises.ts';
import { namesIn, textOf } from '../../base/read-or-empty.ts';
import type { DiskFacts, DriveFacts } from '../../checks/vitals.ts';
import { isRefusal, type NativeAddon, type Refusal } from '../../engine/native/types.ts';
import type { FileSystemSpace } from '../../engine/native/vitals-types.ts';
import { late } from '../../engine/reading.ts';

/** Also local, and written to by this machine. */
const ALSO: readonly string[] = ['vfat', 'exfat', 'msdos', 'ntfs3', 'hfsplus', 'nilfs2', 'udf'];
/** Without a limit of their own, or never written to. */
const WITHOUT_SPACE: readonly string[] = ['devtmpfs', 'ramfs', 'squashfs', 'erofs'];
const ASKED: ReadonlySet<string> = new Set(
  [...LOCAL, ...ALSO].filter((type) => !WITHOUT_SPACE.includes(type)),
);

/** They answer when another machine, or a program, does. */
const WAITING =
  /^(?:nfs4?|cifs|smb3|smbfs|ceph|9p|afs|lustre|gfs2|ocfs2|glusterfs|beegfs|orangefs|coda|virtiofs|davfs|fuse|fuseblk|fuse\..+)$/;

export interface DiskMounts {
  /** Each file system once, at its shortest mount point. */
  readonly asked: readonly Mount[];
  readonly notAsked: readonly { readonly path: string; readonly type: string }[];
}

/** `text` is mountinfo, read as latin1. */
export function diskMounts(text: string): DiskMounts {
  const mounts = mountsIn(text);
  // A later mount at the same point covers an earlier one.
  const visible = mounts.filter(
    ({ point }, at) => !mounts.some((other, number) => number > at && other.point === point),
  );
  const asked = new Map<string, Mount>();
  for (const mount of visible) {
    // Containers make an overlay for each of theirs; that of / is ours.
    if (!ASKED.has(mount.type) || (mount.type === 'overlay' && mount.point !== '/')) continue;
    const known = asked.get(mount.device);
    // A folder that is mounted for itself shows the same space.
    if (known === undefined || mount.point.length < known.point.length) asked.set(mount.device, mount);
  }
  return {
    asked: [...asked.values()].sort((a, b) => (a.point < b.point ? -1 : 1)),
    notAsked: visible
      .filter(({ type }) => WAITING.test(type))
      .map(({ point: path, type }) => ({ path, type })),
  };
}

const percent = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((10_000 * part) / whole) / 100 : null;

function diskOf(mount: Mount, space: FileSystemSpace | Refusal): DiskFacts {
  const { point: path, source: device, type, options, superOptions } = mount;
  const readOnly = superOptions.includes('ro') || superOptions.includes('emergency_ro');
  const parts = {
    ...{ path, device, type, readOnly },
    // A mount that is made read-only says so itself; here only the file system does.
    turnedReadOnly: readOnly && options.includes('rw'),
  };
  if (isRefusal(space)) {
    const reason = space.code === 'ETIMEDOUT' ? 'it does not answer' : space.code;
    const none = { bytes: null, availableBytes: null, availablePercent: null };
    return { ...parts, ...none, inodes: null, freeInodes: null, freeInodesPercent: null, reason };
  }
  const { bytes, freeBytes, availableBytes, inodes, freeInodes } = space;
  const hasInodes = inodes > 0;
  return {
    ...parts,
    bytes,
    availableBytes,
    availablePercent: percent(availableBytes, bytes - freeBytes + availableBytes),
    inodes: hasInodes ? inodes : null,
    freeInodes: hasInodes ? freeInodes : null,
    freeInodesPercent: hasInodes ? percent(freeInodes, inodes) : null,
    reason: '',
  };
}

const PATIENCE_MS = 1000;

/** Asks file systems for their space, each on a thread of its own; one that hangs is not asked again before it has answered. */
export class Disks {
  readonly #native: Pick<NativeAddon, 'fileSystem'>;
  readonly #patienceMs: number;
  readonly #hanging = new Set<string>();

  constructor(native: Pick<NativeAddon, 'fileSystem'>, patienceMs = PATIENCE_MS) {
    this.#native = native;
    this.#patienceMs = patienceMs;
  }

  read({ asked }: DiskMounts): Promise<readonly DiskFacts[]> {
    return Promise.all(asked.map(async (mount) => diskOf(mount, await this.#space(mount.point))));
  }

  async #space(path: string): Promise<FileSystemSpace | Refusal> {
    if (this.#hanging.has(path)) return late('statvfs');
    this.#hanging.add(path);
    let answer: FileSystemSpace | Refusal = late('statvfs');
    const asking = this.#native
      .fileSystem(path)
      .then(
        (space) => {
          answer = space;
        },
        () => undefined,
      )
      .finally(() => this.#hanging.delete(path));
    await atMost(asking, this.#patienceMs);
    return answer;
  }
}

const numberIn = (text: string, base = 10): number | null => {
  const value = Number.parseInt(text, base);
  return Number.isSafeInteger(value) && value >= 0 ? value : null;
};

/** Faults of ext4 by its device, as the superblock has them. */
function ext4Errors(sys: string): ReadonlyMap<string, number> {
  return new Map(
    namesIn(`${sys}/fs/ext4`).flatMap((device) => {
      const errors = numberIn(textOf(`${sys}/fs/ext4/${device}/errors_count`));
      return errors === null ? [] : [[device, errors] as const];
    }),
  );
}

/** What drivers and ext4 keep in memory: no drive is asked. Partitions count for their drive. */
export function drivesIn(sys: string): readonly DriveFacts[] {
  const errors = ext4Errors(sys);
  return namesIn(`${sys}/block`)
    .filter((name) => !/^(?:loop|ram|zram|nbd|sr|fd)\d+$/.test(name))
    .sort()
    .map((name) => {
      const folder = `${sys}/block/${name}`;
      const state = textOf(`${folder}/device/state`).trim();
      const parts = [name, ...namesIn(folder).filter((part) => part.startsWith(name))];
      const known = parts.flatMap((part) => errors.get(part) ?? []);
      return {
        name,
        model: textOf(`${folder}/device/model`).trim(),
        state: state === '' ? null : state,
        errors: numberIn(textOf(`${folder}/device/ioerr_cnt`), 16),
        missing: numberIn(textOf(`${folder}/md/degraded`)),
        fileSystemErrors: known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0),
      };
    });
}
