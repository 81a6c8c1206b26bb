/** Files of a place → what they start, and who vouches for it. */
import { createHash } from 'node:crypto';
import { withoutSecrets } from '../../base/secrets.ts';
import type { StartupFact, Voucher } from '../../checks/startup.ts';
import type { Account } from './accounts.ts';
import type { Place, PlacedFile, Start } from './place.ts';
import type { ScannedFile } from './scanned-file.ts';

/** Characters of a command that are kept. */
const MOST_SHOWN = 500;
/** Characters in which secrets are looked for: enough for what is kept of them. */
const MOST_MASKED = 2_000;
/** In lines of PAM and of keys, whose other words are shown. */
const ASSIGNED_SECRET = /((?:passwd|password|passphrase|secret|token)=)[^\s"',;]+/gi;
/** Scripts of packages give rights after its files were unpacked, before the last package is configured: one hour. */
const INSTALLING_NS = 3_600_000_000_000n;
const OTHER_ALGORITHM = 'its package has a digest of an algorithm that is not supported';
/** In one file; a crontab has about ten. */
const MOST_STARTS = 1_000;
const LIMIT = 'its first 256 KiB';

/** What the file has, by the algorithm of a digest. */
const foundBy = (digest: string, { md5, sha256 }: ScannedFile): string =>
  digest.startsWith('sha256:') ? `sha256:${sha256}` : md5;

export function voucherOf(file: ScannedFile): Voucher {
  const { owners = [], md5, copy = '', copyDatabase = '' } = file;
  const unknown = { version: '', expected: '', found: md5, configuration: false };
  if (md5 === '') return { ...unknown, kind: 'none', package: '', database: '' };
  const digested = owners.filter(({ digest }) => digest !== '');
  const same = digested.find(({ digest }) => digest === foundBy(digest, file));
  const owner = same ?? digested[0];
  if (owner === undefined)
    return { ...unknown, kind: copy === '' ? 'none' : 'copy', package: copy, database: copyDatabase };
  const { name, version, database, configuration, digest } = owner;
  const known = { package: name, version, database, found: foundBy(digest, file), configuration };
  return same === undefined
    ? { ...known, kind: 'changed', expected: digest }
    : { ...known, kind: 'package', expected: '' };
}

/**
 * A package vouches for the mode that it records, and without one (dpkg, and file capabilities) for rights that the program has had
 * since it was installed. It does not vouch for those of a copy.
 */
function withRights(
  voucher: Voucher,
  { mode, changedNs, capabilities = '', owners = [] }: ScannedFile,
): Voucher {
  const { kind, package: name, version, database } = voucher;
  const owner = owners.find(
    (one) => one.name === name && one.version === version && one.database === database,
  );
  const asInstalled = BigInt(changedNs) <= BigInt(owner?.installedNs ?? 0) + INSTALLING_NS;
  const hasRights =
    owner?.mode === undefined ? asInstalled : owner.mode === mode && (capabilities === '' || asInstalled);
  return kind === 'copy' || (kind === 'package' && !hasRights) ? { ...voucher, kind: 'none' } : voucher;
}

function shown({ plain: isPlain }: Place, text: string): string {
  const start = text.slice(0, MOST_MASKED);
  const plain = isPlain ? start.replace(ASSIGNED_SECRET, '$1***') : withoutSecrets(start);
  return plain.length > MOST_SHOWN ? `${plain.slice(0, MOST_SHOWN)}…` : plain;
}

function keyOf({ runs, user = '', when = '', name = '' }: Start, { path, file }: PlacedFile): string {
  // Of a file that runs as a whole, its content is what runs.
  const content = runs === path ? file.sha256 : '';
  const parts = [runs, user, when, name, content];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** A package has a file at this place, whatever its content is. */
function ownerOf({ owners = [] }: ScannedFile): Voucher {
  const owner = owners.find(({ digest }) => digest !== '');
  const unknown = { expected: '', found: '', configuration: false };
  if (owner === undefined) return { ...unknown, kind: 'none', package: '', version: '', database: '' };
  const { name, version, database } = owner;
  return { ...unknown, kind: 'package', package: name, version, database };
}

function vouched({ depth }: Place, file: ScannedFile): Voucher {
  if (depth === 'facts') return ownerOf(file);
  return depth === 'privileged' ? withRights(voucherOf(file), file) : voucherOf(file);
}

function linkedOf({ link, kind, owned = false }: ScannedFile): StartupFact['linked'] {
  if (link === '') return '';
  if (kind === '') return 'broken';
  return owned ? 'packaged' : 'own';
}

interface Parsed {
  readonly entries: readonly StartupFact[];
  /** Of each entry, as its place has it; "" without one. */
  readonly origins: readonly string[];
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
  const { path, link, sha256, changedNs, text = '' } = file;
  const name = path.slice(path.lastIndexOf('/'));
  const isNamed = place.files.some((pattern) => pattern.endsWith(name));
  const placed: PlacedFile = { text, path, name: name.slice(1), isNamed, file };
  const all = place.parse(placed);
  const hidden = hiddenIn(place, file, all.length);
  const owner = home?.name ?? nameOf(file.uid);
  const voucher = vouched(place, file);
  const linked = place.depth === 'facts' ? '' : linkedOf(file);
  const kept = [...all.slice(0, MOST_STARTS), ...(hidden === '' ? [] : [{ runs: hidden, name: 'unread' }])];
  const entries = kept.map(
    (start): StartupFact => ({
      place,
      path,
      link,
      linked,
      sha256,
      voucher,
      key: keyOf(start, placed),
      runs: shown(place, start.runs),
      user: start.user ?? (place.user === 'owner' || home !== null ? owner : place.user),
      // Fields of cron are separated by blanks or tabs.
      when: (start.when ?? place.when).replace(/\s+/g, ' '),
      name: start.name ?? '',
      expected: place.expected?.(start, placed) ?? false,
      changedMs: Number(BigInt(changedNs) / 1_000_000n),
    }),
  );
  // A file that is not read as text may be large, and matters only if it starts something.
  const matters = place.depth === undefined || all.length > 0;
  const origins = kept.map((start) => place.origin?.(start, placed) ?? '');
  return { entries, origins, unread: matters ? unreadOf(place, file, all.length, voucher) : '' };
}

/** The part of a text beyond the limits, which may start anything; "" without such a part. */
function hiddenIn({ depth }: Place, { text, cut, error }: ScannedFile, starts: number): string {
  if (depth !== undefined || text === undefined) return '';
  if (cut || error === 'EFBIG') return `what is behind ${LIMIT}`;
  return starts > MOST_STARTS ? `more than ${MOST_STARTS} programs` : '';
}

function unreadOf(
  place: Place,
  { kind, error, cut, link, owners = [] }: ScannedFile,
  starts: number,
  voucher: Voucher,
): string {
  if (error !== undefined) return error;
  if (voucher.kind !== 'package' && owners.some(({ unsupported }) => unsupported)) return OTHER_ALGORITHM;
  // What is behind the limit is vouched for too.
  if (cut && voucher.kind !== 'package') return `only ${LIMIT} were read`;
  if (starts > MOST_STARTS) return `it starts more than ${MOST_STARTS} programs`;
  // A pipe or device in place of a text would hang its reader or feed it.
  const read = kind === 'regular' || kind === '' || kind === 'folder' || link === '/dev/null';
  return read || place.depth !== undefined ? '' : `it is a ${kind}`;
}
