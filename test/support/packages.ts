/** A hand-made comparison: a program and a text of one package are altered. */
import type { AlteredFile } from '../../src/checks/packages.ts';
import type { PackageScan } from '../../src/desk/packages.ts';

export const alteredFile = (parts: Partial<AlteredFile> = {}): AlteredFile => ({
  path: '/usr/bin/made',
  package: 'made',
  version: '1.2-3',
  database: 'dpkg',
  expected: 'a'.repeat(32),
  found: 'b'.repeat(32),
  program: true,
  changedMs: 1_767_323_045_000,
  ...parts,
});

export const packageScan = (parts: Partial<PackageScan> = {}): PackageScan => ({
  altered: [alteredFile({ path: '/usr/share/made/text', program: false }), alteredFile()],
  unread: [],
  endedMs: 1_767_323_046_000,
  packages: 2,
  files: 40,
  missing: 3,
  trouble: '',
  tookMs: 12.6,
  ...parts,
});
