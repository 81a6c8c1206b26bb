/** The content of a program's file: how contents differ, and whether what runs is what was learned. Pure. */
import { withoutDeleted } from './executables.ts';

/** What stat(2) says of a file. Any change to its bytes changes `changedNs`; so do many things that leave them as they are. */
export interface Image {
  /** `major:minor`. */
  readonly device: string;
  /** 64 bits, as text. */
  readonly inode: string;
  readonly size: number;
  /** Nanoseconds since the epoch, as text: modification and status change. */
  readonly modifiedNs: string;
  readonly changedNs: string;
}

export function isImage(value: unknown): value is Image {
  if (typeof value !== 'object' || value === null) return false;
  const { device, inode, size, modifiedNs, changedNs } = value as Readonly<Record<string, unknown>>;
  const texts = [device, inode, modifiedNs, changedNs];
  return (
    typeof size === 'number' &&
    texts.every((text) => typeof text === 'string' && /^-?\d+(?::\d+)?$/.test(text))
  );
}

export interface Content extends Image {
  /** 64 hex digits; "" when the file could not be read. */
  readonly sha256: string;
}

/** Contents of one program that are kept: an upgrade adds one, and containers bring their own. */
const MOST_CONTENTS = 8;

/** Equal for the same unchanged file. */
export const imageKey = ({ device, inode, size, modifiedNs, changedNs }: Image): string =>
  [device, inode, size, modifiedNs, changedNs].join(' ');

/**
 * `pending`: only a digest can decide. `unread`: it would, and cannot be read. Another size than all that was learned means other
 * bytes: that is `changed` without a digest.
 */
type Comparison = 'same' | 'changed' | 'pending' | 'unread';

/** What runs against what was learned. `sha256`: "" when it cannot be read, undefined when it was not read yet. */
export function compare(image: Image, sha256: string | undefined, learned: readonly Content[]): Comparison {
  const key = imageKey(image);
  if (learned.some((one) => imageKey(one) === key)) return 'same';
  if (learned.every(({ size }) => size !== image.size)) return 'changed';
  if (sha256 === undefined) return 'pending';
  if (sha256 !== '' && learned.some((one) => one.sha256 === sha256)) return 'same';
  const maySame = learned.some((one) => one.size === image.size && (one.sha256 === '' || sha256 === ''));
  return maySame ? 'unread' : 'changed';
}

/** Those of both, each once, the newer ones first, as many as are kept. */
export function mergeContents(older: readonly Content[], newer: readonly Content[]): readonly Content[] {
  const digests = new Map(
    [...older, ...newer].flatMap((one) => (one.sha256 === '' ? [] : [[imageKey(one), one.sha256]])),
  );
  const merged = new Map<string, Content>();
  for (const one of [...newer, ...older]) {
    const sha256 = digests.get(imageKey(one)) ?? '';
    const key = sha256 || imageKey(one);
    if (!merged.has(key)) merged.set(key, { ...one, sha256 });
  }
  return [...merged.values()].slice(0, MOST_CONTENTS);
}

/** The first of `contents` that was not learned; undefined when all were, or when there is nothing to compare with. */
export const newContent = (learned: readonly Content[], contents: readonly Content[]): Content | undefined =>
  learned.length === 0 ? undefined : contents.find((one) => compare(one, one.sha256, learned) === 'changed');

/** What the contents of a program are kept under: its path, marked when it lies in a container. */
export function programKey({ executable, identity }: { executable: string; identity: string }): string {
  if (executable === '') return '';
  const inContainer = identity.slice(executable.length).startsWith('@container');
  return `${withoutDeleted(executable)}${inContainer ? '@container' : ''}`;
}

/** RFC 3339. */
export const modifiedAt = ({ modifiedNs }: Image): string => {
  const time = new Date(Number(BigInt(modifiedNs) / 1_000_000n));
  return Number.isNaN(time.getTime()) ? 'never' : time.toISOString();
};

/** `118192 bytes, modified 2026-01-02T03:04:05.000Z, sha256 …`. */
export const contentText = (content: Content): string =>
  `${content.size} bytes, modified ${modifiedAt(content)}, sha256 ${content.sha256 || 'not read'}`;

/** What accepts other content of a program covers this: its bytes, or while they are unread this very state of its file. */
export const contentClass = (image: Image, sha256: string): string =>
  sha256 === '' ? `unread ${imageKey(image)}` : `sha256 ${sha256}`;
