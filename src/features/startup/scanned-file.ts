/** A file as desk-peek reports it (native/files/answer.cc). */
import { z } from 'zod';

const owner = z.strictObject({
  name: z.string(),
  version: z.string(),
  database: z.string(),
  /** When its files were unpacked, ns since the epoch; 0 where that is unknown. */
  installedNs: z.string(),
  /** Removed, and its configuration files kept. */
  removed: z.boolean(),
  /** It is expected to change. */
  configuration: z.boolean(),
  /** What the file should have: MD5, or with its algorithm, as `sha256:…`; "" where the package records none. */
  digest: z.string(),
  /** The package records one of an algorithm that the helper does not compute. */
  unsupported: z.boolean(),
  /** Mode bits that the package records; dpkg does not. */
  mode: z.number().optional(),
});

const scanned = z.strictObject({
  /** Without links in its folders. */
  path: z.string(),
  /** "" where a link leads to nothing. */
  kind: z.string(),
  /** These are of the file behind a link. */
  mode: z.number(),
  uid: z.number(),
  gid: z.number(),
  size: z.number(),
  /** Since the epoch, ns. */
  modifiedNs: z.string(),
  changedNs: z.string(),
  /** "" where it is not a link. */
  link: z.string(),
  /** The path without any link; "" where it leads to nothing. */
  real: z.string(),
  text: z.string().optional(),
  /** `text` is not all of it. */
  cut: z.boolean(),
  /** "" where it was not read. */
  sha256: z.string(),
  md5: z.string(),
  owners: z.array(owner).optional(),
  /** Of a link: a package owns the link itself. */
  owned: z.boolean().optional(),
  /** Name and version of a package that has a file of this content, wherever that lies. */
  copy: z.string().optional(),
  copyDatabase: z.string().optional(),
  /** Of a privileged program: the attribute security.capability, hexadecimal; "" without one. */
  capabilities: z.string().optional(),
  /** Why it was not read, an error code. */
  error: z.string().optional(),
});
export type ScannedFile = Readonly<z.output<typeof scanned>>;

export const fileScan = z.strictObject({
  files: z.array(scanned),
  /** What could not be opened. */
  unread: z.array(z.strictObject({ path: z.string(), error: z.string() })),
  /** There is more than the helper reports. */
  cut: z.boolean(),
  /** The package databases of this machine; `state`: `read`, or why it was not, an error code or a phrase. */
  databases: z.array(z.strictObject({ name: z.string(), state: z.string() })),
  /** Packages are being installed or removed. */
  busy: z.boolean(),
});
export type FileScan = Readonly<z.output<typeof fileScan>>;
