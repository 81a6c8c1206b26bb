/** Files of a place → what they start, and who vouches for it. */
import { withoutSecrets } from '../../base/secrets.ts';
import type { Account } from './accounts.ts';
import type { Place, Start } from './place.ts';
import type { ScannedFile } from './scanned-file.ts';

/** Characters of a command that are kept. */
const MOST_SHOWN = 500;
/** Characters in which secrets are looked for: enough for what is kept of them. */
const MOST_MASKED = 2_000;
/** Of one file; a crontab has some ten. */
const MOST_STARTS = 1_000;

/** Whether the content of a file is that of its package. */
export interface Voucher {
  /** `package`: it is; `changed`: it is not; `none`: no package has it, or none knows its content. */
  readonly kind: 'package' | 'changed' | 'none';
  /** "" without one. */
  readonly package: string;
  readonly version: string;
  /** What the package has, MD5; "" unless it has changed. */
  readonly expected: string;
  /** The administrator is expected to change it. */
  readonly configuration: boolean;
}

export interface StartupEntry extends Start {
  readonly place: Place;
  readonly path: string;
  readonly user: string;
  readonly when: string;
  readonly name: string;
  readonly voucher: Voucher;
  /** When content, rights or name of the file changed last (its ctime, which no program sets), ms since the epoch. */
  readonly changedMs: number;
  readonly sha256: string;
  /** "" where it is no link. */
  readonly link: string;
}

const UNKNOWN: Voucher = { kind: 'none', package: '', version: '', expected: '', configuration: false };

export function voucherOf({ owners = [], md5 }: ScannedFile): Voucher {
  if (md5 === '') return UNKNOWN;
  const digested = owners.filter((owner) => owner.md5 !== '');
  const same = digested.find((owner) => owner.md5 === md5);
  const owner = same ?? digested[0];
  if (owner === undefined) return UNKNOWN;
  const { name, version, configuration } = owner;
  const kind = same === undefined ? 'changed' : 'package';
  return { kind, package: name, version, expected: kind === 'changed' ? owner.md5 : '', configuration };
}

function shown({ plain: isPlain }: Place, text: string): string {
  const start = text.slice(0, MOST_MASKED);
  const plain = isPlain ? start : withoutSecrets(start);
  return plain.length > MOST_SHOWN ? `${plain.slice(0, MOST_SHOWN)}…` : plain;
}

export interface Parsed {
  readonly entries: readonly StartupEntry[];
  /** Why it is not all that the file starts; "" where it is. */
  readonly unread: string;
}

/** `home`: the account whose home the file is in; `nameOf` gives the name of a uid. */
export function entriesOf(
  place: Place,
  file: ScannedFile,
  home: Account | null,
  nameOf: (uid: number) => string,
): Parsed {
  const { path, link, sha256, changedNs } = file;
  const text = file.text ?? '';
  const all = place.parse({ text, path, name: path.slice(path.lastIndexOf('/') + 1), file });
  const owner = home?.name ?? nameOf(file.uid);
  const voucher = voucherOf(file);
  const entries = all.slice(0, MOST_STARTS).map(
    (start): StartupEntry => ({
      place,
      path,
      link,
      sha256,
      voucher,
      runs: shown(place, start.runs),
      user: start.user ?? (place.user === 'owner' ? owner : place.user),
      when: start.when ?? place.when,
      name: start.name ?? '',
      changedMs: Number(BigInt(changedNs) / 1_000_000n),
    }),
  );
  // What is not read by its text may be large, and matters only where it starts something.
  const matters = place.depth === undefined || all.length > 0;
  return { entries, unread: matters ? unreadOf(place, file, all.length) : '' };
}

function unreadOf(place: Place, { kind, error, cut, link }: ScannedFile, starts: number): string {
  if (error !== undefined) return error;
  if (cut) return 'only its first 256 KiB were read';
  if (starts > MOST_STARTS) return `it starts more than ${MOST_STARTS} programs`;
  // Something that is read as text by what it belongs to, and would hang or feed it.
  if (
    kind !== 'regular' &&
    kind !== '' &&
    kind !== 'folder' &&
    place.depth === undefined &&
    link !== '/dev/null'
  )
    return `it is a ${kind}`;
  return '';
}
