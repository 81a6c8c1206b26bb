/** Packages of rpm and pacman, installed by them in a private copy of the root: what we find is what they find. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Compared } from '../../src/features/packages/verifier.ts';
import { expect } from '../support/expect.ts';
import { inOverlay, OVERLAY_NEEDS } from '../support/overlay.ts';
import { needs } from '../support/require.ts';

export interface Found
  extends Pick<Compared, 'altered' | 'unread' | 'missing' | 'files' | 'packages' | 'trouble'> {
  /** Packages that were found whole. */
  readonly sealed: readonly string[];
}

export interface Inside {
  readonly whole: Found;
  readonly changed: Found;
  /** What the package manager printed of the changed files. */
  readonly verified: string;
  /** By path: kind of the voucher, database, package, recorded mode. */
  readonly vouched: Readonly<Record<string, string>>;
  /** With other forms of the same database. */
  readonly rewritten: readonly Found[];
  readonly trouble: string;
}

const test = suite('packages of rpm and pacman');

const pathsOf = ({ altered }: Found) => altered.map(({ path }) => path).sort();

const inside = async (module: string): Promise<Inside> =>
  JSON.parse(await inOverlay(module, import.meta.url)) as Inside;

needs(...OVERLAY_NEEDS, 'rpm', 'python3')(
  test,
  'rpm: files with another digest are those of rpm -V, and one of an unsupported algorithm is unread',
  async () => {
    const { whole, changed, verified, vouched, rewritten, trouble } = await inside('rpm-inside.ts');
    expect(whole.altered).equals([]);
    expect([whole.packages, whole.missing, whole.trouble]).equals([3, 0, '']);
    // tool, set, text, gone and many; the configuration file, the ghost and what is not verified are not compared.
    const own = 404;
    assert.is(whole.files, 3 * own);
    // No SHA-512, never the same, and never silent.
    const [unread, ...others] = whole.unread;
    expect(others).equals([]);
    assert.match(unread?.path ?? '', /^package .*made-sha512/);
    assert.match(unread?.reason ?? '', new RegExp(`^${own} files .* not supported$`));

    // Digest differs, not a configuration file, and missing (rpm(8), verify options).
    const lines = verified.split('\n').filter((line) => !/ c \//.test(line));
    const pathsWith = (pattern: RegExp) =>
      lines.flatMap((line) => (pattern.test(line) ? line.replace(/^[^/]*/, '') : [])).sort();
    const differ = pathsWith(/^..5/).filter((path) => !path.startsWith('/opt/sha512/'));
    expect(differ).equals(['/opt/md5/text', '/opt/md5/tool', '/opt/sha256/text', '/opt/sha256/tool']);
    expect(pathsOf(changed)).equals(differ);
    expect(pathsWith(/^missing/)).equals(['/opt/md5/gone', '/opt/sha256/gone', '/opt/sha512/gone']);
    assert.is(changed.missing, 3);
    const tool = changed.altered.find(({ path }) => path === '/opt/sha256/tool');
    expect([tool?.package, tool?.version, tool?.database]).equals(['made-sha256', '7:1.2-3', 'rpm']);
    assert.match(tool?.expected ?? '', /^sha256:[0-9a-f]{64}$/);
    const text = changed.altered.find(({ path }) => path === '/opt/md5/text');
    assert.match(text?.expected ?? '', /^[0-9a-f]{32}$/);

    expect(vouched).equals({
      '/opt/sha256/set': 'package rpm made-sha256 7:1.2-3 4755',
      '/opt/md5/set': 'package rpm made-md5 7:1.2-3 4755',
      '/opt/sha512/set': 'none    4755',
      '/opt/sha256/link': 'package rpm made-sha256 7:1.2-3 755',
      '/opt/sha256/tool': 'changed rpm made-sha256 7:1.2-3 755',
      '/opt/sha256/conf': 'changed rpm made-sha256 7:1.2-3 644',
    });

    // Pages of 512 and of 65,536 bytes, and a package that was removed in the log alone.
    const [small, large, logged] = rewritten;
    expect(small).equals(large);
    expect([small?.packages, ...(small === undefined ? [] : pathsOf(small))]).equals([3, ...differ]);
    assert.is(logged?.packages, 2);
    assert.match(trouble, /rpm.*ndb/);
  },
);

needs(...OVERLAY_NEEDS, 'pacman')(
  test,
  'pacman: files with another digest are those of pacman -Qkk',
  async () => {
    const { whole, changed, verified, trouble } = await inside('pacman-inside.ts');
    expect(whole.altered).equals([]);
    expect([whole.packages, whole.files, whole.missing, whole.trouble]).equals([1, 404, 0, '']);
    const pathsWith = (words: string) =>
      verified
        .split('\n')
        .flatMap((line) => /^warning: made: (.*) \(([^)]*)\)$/.exec(line)?.slice(1) ?? [])
        .flatMap((part, at, parts) => (part === words && at % 2 === 1 ? (parts[at - 1] ?? []) : []))
        .sort();
    expect(pathsWith('SHA256 checksum mismatch')).equals(['/opt/made/text with a blank', '/opt/made/tool']);
    expect(pathsOf(changed)).equals(pathsWith('SHA256 checksum mismatch'));
    expect(pathsWith('No such file or directory')).equals(['/opt/made/gone']);
    assert.is(changed.missing, 1);
    const [text] = changed.altered;
    expect([text?.package, text?.version, text?.database]).equals(['made', '1.2-3', 'pacman']);
    assert.match(trouble, 'being installed');
  },
);

test.run();
