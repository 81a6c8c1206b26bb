/**
 * Makes and tries the packages:
 *
 *   npm run packages [-- TARGET…]           compiles and packs; without a target all of x64-glibc, x64-musl, arm64-glibc, arm64-musl
 *   npm run packages -- --built TARGET      the same of what `npm ci` has built and compiled: to try the packages without doing that again
 *   npm run packages -- deb                 makes Debian packages of what was packed for glibc; --arch arm64: one alone; --fast: without compression
 *   npm run packages -- deb-try             tries them under systemd as pid 1, over the root of this machine (as root); changes nothing of it
 *   npm run packages -- deb-systems [NAME…] tries them in fresh Debian systems, without systemd and booted (as root)
 *   npm run packages -- deb-arm64           tries the one for arm64 in a fresh Debian 12, emulated (as root)
 *   npm run packages -- walk                walks the first ten minutes of README.md in a fresh Debian 12 (as root)
 *   npm run packages -- try [--all]         installs what was packed here, --all: with every Node and npm that is supported
 *   npm run packages -- systems [SYSTEM…]   installs it in fresh Debian systems, bullseye-amd64 to sid-arm64 (as root)
 *
 * build/packages has one folder for each target, with all that an installation without network needs:
 * `npm install -g ./hostess-desk-*.tgz`.
 */
import { parseArgs } from 'node:util';
import { debAll } from './deb.ts';
import { debArm64 } from './deb-arm64.ts';
import { DEB_SYSTEMS, debHere, debSystems } from './deb-systems.ts';
import { packAll } from './pack.ts';
import { SYSTEMS, tryIn } from './systems.ts';
import { TARGETS } from './targets.ts';
import { tryHere } from './try.ts';
import { walk } from './walk.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    arch: { type: 'string' },
    built: { type: 'boolean', default: false },
    fast: { type: 'boolean', default: false },
  },
});

/** Those that are named; without a name, all. Throws for an unknown name. */
function chosen<T extends { readonly name: string }>(
  all: readonly T[],
  names: readonly string[],
): readonly T[] {
  const unknown = names.find((name) => !all.some((one) => one.name === name));
  if (unknown !== undefined)
    throw new Error(`unknown: ${unknown}; there are ${all.map(({ name }) => name).join(', ')}`);
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

const [first = '', ...rest] = positionals;
if (first === 'deb') debAll(values.fast ? { compression: 'none' } : {}, values.arch);
else if (first === 'deb-try') (await debHere()).end();
else if (first === 'deb-systems') (await debSystems(chosen(DEB_SYSTEMS, rest))).end();
else if (first === 'deb-arm64') (await debArm64()).end();
else if (first === 'walk') (await walk()).end();
else if (first === 'try') tryHere(values.all).end();
else if (first === 'systems') tryIn(chosen(SYSTEMS, rest)).end();
else packAll(chosen(TARGETS, positionals), values.built);
