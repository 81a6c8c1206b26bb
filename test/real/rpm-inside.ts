/** Run in an overlay (package-managers.test.ts): builds packages, installs them by rpm, changes files, and prints what we and rpm find. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { compare } from '../../src/features/packages/verifier.ts';
import { voucherOf } from '../../src/features/startup/entries.ts';
import { FileReader } from '../../src/features/startup/reader.ts';
import type { Found, Inside } from './package-managers.test.ts';

const BASE = '/var/lib/rpm';
/** rpmcrypto.h: MD5, SHA-256, SHA-512. */
const ALGORITHMS = { md5: 1, sha256: 8, sha512: 10 };

function run(program: string, args: readonly string[], mayFail = false): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0 && !mayFail) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const specOf = (name: string) => `
%global __os_install_post %{nil}
Name: made-${name}
Version: 1.2
Release: 3
Epoch: 7
Summary: made
License: made
BuildArch: noarch
%description
made
%install
mkdir -p %{buildroot}/opt/${name}/doc
cd %{buildroot}/opt/${name}
echo '#!/bin/sh' > tool
echo '#!/bin/sh -e # ${name}' > set
for file in conf cache text gone; do echo $file ${name} > $file; done
echo left out > doc/doc
ln -s tool link
i=0; while [ $i -lt 400 ]; do echo $i > many-$i; i=$((i + 1)); done
%files
%attr(0755, root, root) /opt/${name}/tool
%attr(4755, root, root) /opt/${name}/set
%config(noreplace) /opt/${name}/conf
%verify(not md5 filedigest size mtime) /opt/${name}/cache
/opt/${name}/text
/opt/${name}/gone
/opt/${name}/link
/opt/${name}/many-*
%ghost /opt/${name}/ghost
%doc /opt/${name}/doc/doc
`;

function install(name: string, algorithm: number): void {
  const top = `/tmp/build-${name}`;
  mkdirSync(top);
  writeFileSync(`${top}/spec`, specOf(name));
  const defined = {
    _topdir: top,
    _source_filedigest_algorithm: algorithm,
    _binary_filedigest_algorithm: algorithm,
  };
  const define = Object.entries(defined).flatMap(([key, value]) => ['--define', `${key} ${value}`]);
  run('rpmbuild', ['-bb', ...define, `${top}/spec`]);
  const file = `${top}/RPMS/noarch/made-${name}-1.2-3.noarch.rpm`;
  run('rpm', ['--dbpath', BASE, '--install', '--nodeps', '--excludedocs', file]);
}

/** Appends with the times as before, as an intruder sets them. */
function plant(path: string, text = 'planted'): void {
  const { atime, mtime } = statSync(path);
  appendFileSync(path, text);
  utimesSync(path, atime, mtime);
}

async function foundBy(seals: Map<string, string>): Promise<Found> {
  const { altered, unread, missing, files, packages, trouble } = await compare(seals, {});
  return { altered, unread, missing, files, packages, trouble, sealed: [...seals.keys()].sort() };
}

/** What vouches for each file, and the mode that its package records. */
async function vouched(paths: readonly string[]): Promise<Inside['vouched']> {
  const reader = new FileReader();
  const all: Record<string, string> = {};
  for (const pattern of paths) {
    const scan = await reader.read({ depth: 'digest', viewer: 0, pattern });
    const [file] = typeof scan === 'string' ? [] : scan.files;
    if (file === undefined) throw new Error(`${pattern} was not read: ${JSON.stringify(scan)}`);
    const { kind, package: name, version, database } = voucherOf(file);
    const mode = file.owners?.[0]?.mode?.toString(8) ?? '';
    all[pattern] = `${kind} ${database} ${name} ${version} ${mode}`;
  }
  await reader.close();
  return all;
}

/** The same database as another page size and journal has it; `wal`: with a change that is in its log alone. */
function rewrite(pageSize: number, wal: boolean): void {
  const script = `
import os, sqlite3
base = sqlite3.connect('${BASE}/rpmdb.sqlite', isolation_level=None)
base.execute('PRAGMA journal_mode = DELETE')
base.execute('PRAGMA page_size = ${pageSize}')
base.execute('VACUUM')
if ${wal ? 'True' : 'False'}:
    base.execute('PRAGMA journal_mode = WAL')
    base.execute('PRAGMA wal_autocheckpoint = 0')
    base.execute('DELETE FROM Packages WHERE hnum = (SELECT min(hnum) FROM Packages)')
# Without closing: SQLite would move the log into the database.
os._exit(0)
`;
  run('python3', ['-c', script]);
}

// Only packages of rpm are compared.
renameSync('/var/lib/dpkg/status', '/var/lib/dpkg/away');
for (const [name, algorithm] of Object.entries(ALGORITHMS)) install(name, algorithm);
const seals = new Map<string, string>();
const whole = await foundBy(seals);
const before = await vouched(['/opt/sha256/set', '/opt/md5/set', '/opt/sha512/set', '/opt/sha256/link']);
for (const name of Object.keys(ALGORITHMS)) {
  plant(`/opt/${name}/tool`);
  plant(`/opt/${name}/conf`);
  plant(`/opt/${name}/cache`);
  const text = readFileSync(`/opt/${name}/text`, 'utf8');
  writeFileSync(`/opt/${name}/text`, text.toUpperCase());
  chmodSync(`/opt/${name}/set`, 0o755);
  unlinkSync(`/opt/${name}/gone`);
}
const changed = await foundBy(seals);
const verified = run('rpm', ['--dbpath', BASE, '--verify', '--all'], true);
const after = await vouched(['/opt/sha256/tool', '/opt/sha256/conf', '/opt/sha256/set']);
const rewritten: Found[] = [];
for (const [size, wal] of [
  [512, false],
  [65_536, false],
  [4_096, true],
] as const) {
  rewrite(size, wal);
  rewritten.push(await foundBy(new Map()));
}
rmSync(`${BASE}/rpmdb.sqlite`);
rmSync(`${BASE}/rpmdb.sqlite-wal`, { force: true });
writeFileSync(`${BASE}/Packages.db`, '');
const { trouble } = await foundBy(new Map());
const inside: Inside = { whole, changed, verified, vouched: { ...before, ...after }, rewritten, trouble };
process.stdout.write(JSON.stringify(inside));
