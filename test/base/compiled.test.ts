/** Where compiled code is looked for: only in the checkout, or in the package of the same version that npm has put beside or below. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findCompiled, packageName } from '../../src/base/compiled.ts';

const test = suite<{ folder: string }>('compiled', { folder: '' });

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'desk-compiled-'));
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }));

/** A folder with a package.json of this version, and an SQLite binding that says where it is. */
function plant(folder: string, version = '1.2.3'): string {
  mkdirSync(join(folder, 'node_modules/libsql'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
  writeFileSync(join(folder, 'node_modules/libsql/index.js'), `module.exports = ${JSON.stringify(folder)};`);
  return folder;
}

const glibc = packageName('x64', 'glibc');
const musl = packageName('x64', 'musl');
const look = (root: string, isGlibc = true) =>
  findCompiled(root, { cpu: 'x64', version: '1.2.3', isGlibc: () => isGlibc });

test('a checkout uses its own, whatever is beside it', ({ folder }) => {
  const root = plant(join(folder, 'hostess-desk'));
  plant(join(folder, glibc));
  mkdirSync(join(root, 'native'));
  writeFileSync(join(root, 'native/build.mjs'), '');
  const found = look(root);
  assert.is(found.folder, join(root, 'build/Release'));
  assert.is(found.loadSqlite(), root);
  assert.is(found.remedy, 'run "node native/build.mjs" in the checkout');
});

test('an installed package uses the one below it or beside it', ({ folder }) => {
  const root = plant(join(folder, 'node_modules/hostess-desk'));
  const beside = plant(join(folder, 'node_modules', musl));
  assert.is(look(root).folder, beside);
  assert.is(look(root).loadSqlite(), beside);
  const below = plant(join(root, 'node_modules', musl));
  assert.is(look(root).folder, below);
});

test('of two the C library in use decides', ({ folder }) => {
  const root = plant(join(folder, 'node_modules/hostess-desk'));
  const packages = [glibc, musl].map((name) => plant(join(folder, 'node_modules', name)));
  assert.equal([look(root, true).folder, look(root, false).folder], packages);
});

test('one of another version, CPU or folder does not count, and the remedy names what is missing', ({
  folder,
}) => {
  const root = plant(join(folder, 'node_modules/hostess-desk'));
  for (const place of [join(folder, 'node_modules', packageName('arm64', 'glibc')), join(folder, glibc)])
    plant(place);
  assert.is(look(root).folder, root);
  assert.match(
    look(root, false).remedy,
    /^install hostess-desk again together with hostess-desk-linux-x64-musl \(/,
  );
  plant(join(folder, 'node_modules', glibc), '1.2.2');
  assert.is(look(root).folder, root);
  assert.match(look(root).remedy, /together with hostess-desk-linux-x64-glibc of this version \(/);
});

test.run();
