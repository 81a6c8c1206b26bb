/** `GET /packages`: whether the files of packages are as their packages have them. */
import { z } from 'zod';
import { SEVERITIES } from '../policy/severity.ts';
import { container } from './container.ts';
import { count, done, type RecordOf, text } from './define.ts';
import { unread } from './unread.ts';

export const altered = z.strictObject({
  path: text.describe('the file'),
  package: text.describe('the package that owns it'),
  version: text.describe('its version'),
  database: text.describe('the database that has the package: dpkg, rpm or pacman'),
  severity: z.enum(SEVERITIES).describe('high for files that run or configure what runs; else low'),
  expected: text.describe(
    'the digest that the package recorded: MD5, or with its algorithm, as sha256:…; zeros for a link, which led to a file of a package',
  ),
  found: text.describe('the digest of the file, by the same algorithm'),
  changed: text.describe('when content, rights or name of the file changed last (ctime), RFC 3339'),
  findings: z.array(text).describe('ids of open findings about it'),
});

const group = z.strictObject({
  path: text.describe('the file, or the folder that has all of these'),
  count: count.describe('how many files'),
  example: text.describe('the most severe of them'),
  package: text.describe('the package that owns them'),
  version: text.describe('its version'),
  severity: z.enum(SEVERITIES).describe('that of the most severe file'),
  changed: text.describe('the last change of one of them (ctime), RFC 3339'),
  findings: z.array(text).describe('ids of open findings about them'),
});

export const packages = done(
  'Packages',
  'PACKAGES',
  'Whether the files of packages are as their packages have them',
  {
    compared: text
      .nullable()
      .describe('when the comparison that is shown ended, RFC 3339; null before the first one'),
    packages: count.describe('installed packages'),
    files: count.describe('files with a recorded digest, configuration files apart'),
    missing: count.describe('files that are not there: left out when they were installed, or removed'),
    altered: z.array(altered).describe('files with other content, the most severe first'),
    groups: z
      .array(group)
      .describe(
        'as findings have them: more than three files of one package are one group, and a file that starts something is alone',
      ),
    unread: z.array(unread).describe('what could not be compared: files, or a package as a whole'),
    trouble: text.describe('why nothing could be compared; "" where at least one database was'),
    container,
    took_ms: z.number().nonnegative().describe('how long it took'),
  },
);
export type PackagesAnswer = RecordOf<typeof packages>;
