/** `GET /startup`: what this machine starts by itself, and who vouches for it. */
import { z } from 'zod';
import { SEVERITIES } from '../policy/severity.ts';
import { container } from './container.ts';
import { count, done, flag, type RecordOf, text } from './define.ts';

export const vouched = z.enum(['package', 'changed', 'earlier', 'copy', 'none']);

export const entry = z.strictObject({
  place: text.describe('id of the kind of place'),
  title: text.describe('what it is'),
  path: text.describe('the file'),
  link: text.describe('where it leads; "" unless it is a link'),
  runs: text.describe('what would run, or the line that sets it; secrets masked, at most 500 characters'),
  when: text.describe('when'),
  user: text.describe('as whom'),
  name: text.describe('which part of the file; "" where there is one only'),
  severity: z
    .enum(SEVERITIES)
    .describe('how severe it is; low where a package vouches for it, or it is usually harmless'),
  techniques: z.array(text).describe('techniques of MITRE ATT&CK that use the place'),
  vouched: vouched.describe(
    "package: the file is as its package has it; changed: its content differs from the package's; earlier: the file has changed, and this part of it was there before; copy: a package has a file of this content elsewhere; none: no package knows its content, or gave it these rights, or it was not read",
  ),
  package: text.describe('name and version of that package; "" without one'),
  database: text.describe('the database that has this package: dpkg, rpm or pacman; "" without one'),
  expected: text.describe(
    'the digest in the package, where the file has another one: MD5, or with its algorithm, as sha256:…; else ""',
  ),
  configuration: flag.describe('a configuration file: the administrator is expected to change it'),
  sha256: text.describe('digest of the file; "" where it was not read'),
  changed: text.describe(
    'when content, rights or name of the file, or of the link to it, changed last (ctime), RFC 3339',
  ),
  findings: z.array(text).describe('ids of open findings about it'),
});

const unread = z.strictObject({
  place: text.describe('id of the kind of place'),
  path: text.describe('the file, folder or pattern'),
  reason: text.describe('why it could not be read, or not all of it'),
});

export const startup = done(
  'Startup',
  'STARTUP',
  'What this machine starts by itself, and who vouches for it',
  {
    entries: z.array(entry).describe('what matches the question, the most severe first'),
    packaged: count.describe(
      'entries that were left out because a package vouches for them, or did before their file changed',
    ),
    files: count.describe('files that were read'),
    read: text.describe(
      'when all of it was read last, RFC 3339; what changed since was read as it happened, unless `unwatched` says why not',
    ),
    unread: z.array(unread).describe('what could not be read: what is there is not known'),
    packages: text.describe(
      'why packages do not vouch for all files; "" where every package database was read',
    ),
    unwatched: text.describe(
      'why some or all changes are found only by the scheduled scan; "" where all folders that can be watched are: set-user-ID and similar programs, /proc and file systems of other machines never are',
    ),
    container,
    took_ms: z.number().nonnegative().describe('how long reading took'),
  },
);
export type StartupAnswer = RecordOf<typeof startup>;
