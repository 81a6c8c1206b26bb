/** Run in an overlay (package-managers.test.ts): makes a package, installs it by pacman, changes files, and prints what we and pacman find. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { compare } from '../../src/features/packages/verifier.ts';
import type { Found, Inside } from './package-managers.test.ts';

const FOLDER = '/tmp/made';
const BASE = ['--dbpath', '/var/lib/pacman'];
/** As makepkg calls bsdtar. */
const MTREE = '--options=!all,use-set,type,uid,gid,mode,time,size,md5,sha256,link';

function run(program: string, args: readonly string[], mayFail = false): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: FOLDER });
  if (status !== 0 && !mayFail) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout + stderr;
}

function write(path: string, text: string, mode = 0o644): void {
  writeFileSync(join(FOLDER, path), text);
  chmodSync(join(FOLDER, path), mode);
}

async function found(): Promise<Found> {
  const { altered, unread, missing, files, packages, trouble } = await compare(new Map(), {});
  return { altered, unread, missing, files, packages, trouble, sealed: [] };
}

renameSync('/var/lib/dpkg/status', '/var/lib/dpkg/away');
mkdirSync(`${FOLDER}/opt/made`, { recursive: true });
mkdirSync('/var/lib/pacman/sync', { recursive: true });
write('opt/made/tool', '#!/bin/sh\n', 0o755);
write('opt/made/set', '#!/bin/sh -e\n', 0o4755);
write('opt/made/conf', 'conf\n');
write('opt/made/text with a blank', 'text\n');
write('opt/made/gone', 'gone\n');
for (let at = 0; at < 400; at += 1) write(`opt/made/many-${at}`, `${at}\n`);
symlinkSync('tool', `${FOLDER}/opt/made/link`);
const information = {
  ...{
    pkgname: 'made',
    pkgbase: 'made',
    pkgver: '1.2-3',
    pkgdesc: 'made',
    builddate: 1_700_000_000,
    size: 10,
  },
  ...{ arch: 'any', backup: 'opt/made/conf' },
};
write(
  '.PKGINFO',
  Object.entries(information)
    .map(([key, value]) => `${key} = ${value}\n`)
    .join(''),
);
run('bsdtar', ['-czf', '.MTREE', '--format=mtree', MTREE, '.PKGINFO', 'opt']);
run('bsdtar', ['-cf', 'made-1.2-3-any.pkg.tar', '.MTREE', '.PKGINFO', 'opt']);
run('pacman', ['-U', '--noconfirm', ...BASE, '--cachedir', '/tmp', 'made-1.2-3-any.pkg.tar']);
const whole = await found();
for (const name of ['tool', 'conf', 'text with a blank']) appendFileSync(`/opt/made/${name}`, 'planted');
unlinkSync('/opt/made/gone');
const changed = await found();
const verified = run('pacman', ['-Qkk', ...BASE], true);
// It has left a lock, as in a transaction.
writeFileSync('/var/lib/pacman/db.lck', '');
const { trouble } = await found();
const inside: Inside = { whole, changed, verified, vouched: {}, rewritten: [], trouble };
process.stdout.write(JSON.stringify(inside));
