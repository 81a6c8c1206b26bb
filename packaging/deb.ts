/**
 * The Debian packages: what is packed for npm, with a Node of its own, as a system service. Made by dpkg-deb(1) alone. The same sources and
 * the same packed files give the same bytes: times are those of the last commit, files are sorted by dpkg-deb.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CLOSED_INSPECTOR } from '../src/engine/native/no-debugger.ts';
import { accountText, DEFAULT_ACCOUNT } from '../src/install/account.ts';
import { NAMESPACES_UNITS, namespacesServiceText, namespacesSocketText } from '../src/install/namespaces.ts';
import { UNIT_NAME, unitText } from '../src/install/unit.ts';
import { UNIT_MARKER } from '../src/install/unit-syntax.ts';
import { copyrightText } from './copyright.ts';
import { dependsOf } from './libraries.ts';
import { packageOf, TARGETS, type Target } from './targets.ts';
import { BUILD, output, PROJECT, run } from './tools.ts';

/** The architecture of Debian for each CPU. */
export const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' } as const;

/** Where the package has its files. */
const HOME = '/usr/lib/hostess-desk';
const MAINTAINER = 'Hostess Desk maintainers <maintainers@hostess-desk.example>';

export interface DebOptions {
  /** Another version than that of package.json: to try an upgrade. */
  readonly version?: string;
  /** As dpkg-deb names it; `none` is fast and large. Default: xz. */
  readonly compression?: 'xz' | 'none';
  /** Where it goes; default: build/packages. */
  readonly folder?: string;
}

interface Manifest {
  readonly version: string;
}

const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as Manifest;

/** Debian's version: a pre-release sorts before its release. */
const debianVersion = (version: string): string => version.replace(/-/, '~');

export const debName = (cpu: Target['cpu'], version = manifest.version): string =>
  `hostess-desk_${debianVersion(version)}_${ARCHITECTURES[cpu]}.deb`;

/** Seconds since 1970 of the last commit, or as SOURCE_DATE_EPOCH has it. */
function sourceDate(): number {
  const { SOURCE_DATE_EPOCH: given } = process.env;
  return Number(given ?? output('git', ['log', '-1', '--format=%ct']));
}

/** Files and folders below it, sorted, relative to it. */
const within = (folder: string): readonly string[] =>
  (readdirSync(folder, { recursive: true, encoding: 'utf8' }) as string[]).sort();

const filesWithin = (folder: string): readonly string[] =>
  within(folder).filter((name) => lstatSync(join(folder, name)).isFile());

/** Unpacks the package of npm in `file`. */
function unpack(file: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  run('tar', ['-xzf', file, '--strip-components=1', '--no-same-owner', '-C', folder]);
}

/** The one packed file of this name. */
function packed(folder: string, name: string): string {
  const found = readdirSync(folder).filter((file) => file.startsWith(`${name}-${manifest.version}`));
  if (found.length !== 1) throw new Error(`${folder} has ${found.length} files of ${name}: pack it first`);
  return join(folder, found[0] as string);
}

/** The folder of the Node for a CPU, as packaging/node/package-lock.json has it. */
function nodeFor(cpu: Target['cpu']): string {
  const folder = join(BUILD, 'tools', `deb-node-${cpu}`);
  const found = join(folder, 'node_modules', `node-linux-${cpu}`);
  for (const file of ['package.json', 'package-lock.json']) {
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(PROJECT, 'packaging/node', file), join(folder, file));
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages[
    `node_modules/node-linux-${cpu}`
  ] as Manifest;
  const installed = join(found, 'package.json');
  if (!existsSync(installed) || JSON.parse(readFileSync(installed, 'utf8')).version !== version) {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', `--cpu=${cpu}`];
    run('npm', ['ci', ...flags], { cwd: folder });
  }
  return found;
}

/** Writes a file of the package; folders are made. */
function put(path: string, content: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

/** gzip -9 without name and time, as Debian's policy wants manuals and changelogs. */
const zipped = (text: string): Uint8Array => gzipSync(text, { level: 9 });

const template = (name: string): string => readFileSync(join(PROJECT, 'packaging/debian', name), 'utf8');

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{([A-Z_]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for {${name}}`);
    return value;
  });
}

/** debian-changelog(5): what changed is in CHANGELOG.md, which is not kept by versions of the package. */
const changelogOf = (version: string, date: number): string =>
  `hostess-desk (${version}) unstable; urgency=medium

  * See CHANGELOG.md.gz.

 -- ${MAINTAINER}  ${new Date(date * 1000).toUTCString().replace('GMT', '+0000')}
`;

/** Folders 0755, files 0644 or 0755, all as old as the commit. */
function settle(root: string, programs: readonly string[], date: number): void {
  for (const name of [...within(root), '.'].reverse()) {
    const path = join(root, name);
    const isProgram = programs.includes(`/${name}`);
    chmodSync(path, lstatSync(path).isDirectory() || isProgram ? 0o755 : 0o644);
    utimesSync(path, date, date);
  }
}

/** What completes the words of the command, as the command itself writes it. */
const completionFor = (home: string, shell: string): string =>
  output(process.execPath, [join(home, 'dist/cli/main.js'), 'completion', shell]);

/** The units of the package, by name. `starter`: where desk-start is. */
export const units = (starter: string): Readonly<Record<string, string>> => ({
  [UNIT_NAME]: unitText({
    manager: 'system',
    command: [`${HOME}/bin/node`, CLOSED_INSPECTOR, `${HOME}/dist/cli/main.js`, 'boot'],
    user: DEFAULT_ACCOUNT,
    passwordFile: '',
    config: '/etc/desk/desk.toml',
  }),
  [NAMESPACES_UNITS.socket]: namespacesSocketText(DEFAULT_ACCOUNT),
  [NAMESPACES_UNITS.service]: namespacesServiceText(starter),
});

/** Everything below / that the package installs. Returns the paths of its programs. */
function stage(root: string, target: Target, version: string, date: number): readonly string[] {
  const home = join(root, HOME);
  const folder = join(BUILD, `linux-${target.name}`);
  const compiled = join(home, 'node_modules', packageOf(target));
  unpack(packed(folder, 'hostess-desk'), home);
  unpack(packed(folder, packageOf(target)), compiled);
  if (version !== manifest.version)
    for (const file of [join(home, 'package.json'), join(compiled, 'package.json')])
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version }));
  const node = nodeFor(target.cpu);
  mkdirSync(join(home, 'bin'));
  copyFileSync(join(node, 'bin/node'), join(home, 'bin/node'));

  const doc = join(root, 'usr/share/doc/hostess-desk');
  put(join(doc, 'copyright'), copyrightText(home, node));
  put(join(doc, 'changelog.gz'), zipped(changelogOf(debianVersion(version), date)));
  put(join(doc, 'CHANGELOG.md.gz'), zipped(readFileSync(join(home, 'CHANGELOG.md'), 'utf8')));
  put(join(doc, 'README.md.gz'), zipped(readFileSync(join(home, 'README.md'), 'utf8')));
  put(join(root, 'usr/share/man/man1/desk.1.gz'), zipped(readFileSync(join(home, 'docs/desk.1'), 'utf8')));
  // They are in the folders of Debian for these; licences are in the file `copyright`.
  for (const name of ['CHANGELOG.md', 'README.md', 'docs/desk.1']) rmSync(join(home, name));
  for (const name of filesWithin(home).filter((file) => /(?:^|\/)licen[cs]e[^/]*$/i.test(file)))
    rmSync(join(home, name));

  put(join(root, 'usr/bin/desk'), template('desk'));
  put(join(root, 'usr/share/bash-completion/completions/desk'), completionFor(home, 'bash'));
  put(join(root, 'usr/share/zsh/vendor-completions/_desk'), completionFor(home, 'zsh'));
  put(join(root, 'usr/share/fish/vendor_completions.d/desk.fish'), completionFor(home, 'fish'));
  put(join(root, 'usr/share/lintian/overrides/hostess-desk'), template('lintian-overrides'));
  put(join(root, 'usr/lib/sysusers.d/hostess-desk.conf'), accountText('# Of the package hostess-desk'));
  put(join(root, 'etc/desk/desk.toml'), template('desk.toml'));
  const programs = [
    'bin/node',
    ...['desk-peek', 'desk-start'].map((name) => relative(home, join(compiled, name))),
  ];
  for (const [name, text] of Object.entries(units(join(HOME, relative(home, compiled), 'desk-start'))))
    put(
      join(root, 'usr/lib/systemd/system', name),
      text.replace(UNIT_MARKER, '# Of the package hostess-desk: put changes into "systemctl edit".'),
    );
  return ['/usr/bin/desk', ...programs.map((name) => join(HOME, name))];
}

/** Kibibytes that it takes when installed, as dpkg-gencontrol(1) counts: each file rounded up, 1 for everything else. */
const installedSize = (root: string): number =>
  within(root)
    .map((name) => lstatSync(join(root, name)))
    .reduce((sum, info) => sum + (info.isFile() ? Math.ceil(info.size / 1024) : 1), 0);

/** Makes the package of a target of glibc from its packed files. Returns the path of the .deb. */
export function debOf(
  target: Target,
  { version = manifest.version, compression = 'xz', folder = BUILD }: DebOptions = {},
): string {
  const architecture = ARCHITECTURES[target.cpu];
  const date = sourceDate();
  const root = join(BUILD, 'work', `deb-${architecture}`);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const programs = stage(root, target, version, date);
  const files = filesWithin(root);
  const sums = files
    .filter((name) => !name.startsWith('etc/'))
    .map(
      (name) =>
        `${createHash('md5')
          .update(readFileSync(join(root, name)))
          .digest('hex')}  ${name}\n`,
    );
  const size = installedSize(root);
  const elf = files
    .map((name) => join(root, name))
    .filter((file) => /(?:\.node|\/bin\/node|\/desk-\w+)$/.test(file));
  const control = join(root, 'DEBIAN');
  put(
    join(control, 'control'),
    filled(template('control.txt'), {
      VERSION: debianVersion(version),
      ARCHITECTURE: architecture,
      MAINTAINER,
      INSTALLED_SIZE: `${size}`,
      DEPENDS: [...dependsOf(elf), 'adduser | systemd-sysusers'].join(', '),
    }),
  );
  put(join(control, 'md5sums'), sums.join(''));
  put(join(control, 'conffiles'), '/etc/desk/desk.toml\n');
  const scripts = ['postinst', 'prerm', 'postrm'];
  for (const name of scripts) put(join(control, name), template(name));
  settle(root, [...programs, ...scripts.map((name) => `/DEBIAN/${name}`)], date);
  mkdirSync(folder, { recursive: true });
  const deb = join(folder, debName(target.cpu, version));
  const flags = ['--root-owner-group', `-Z${compression}`, '--build'];
  run('dpkg-deb', [...flags, root, deb], { env: { SOURCE_DATE_EPOCH: `${date}` } });
  return deb;
}

/** Makes those whose files are packed, or the one for `architecture`, as Debian names it. Throws when there are none. */
export function debAll(options: DebOptions = {}, architecture?: string): readonly string[] {
  const asked = TARGETS.filter(
    ({ libc, cpu }) =>
      libc === 'glibc' && (architecture === undefined || ARCHITECTURES[cpu] === architecture),
  );
  if (asked.length === 0)
    throw new Error(`unknown: ${architecture}; there are ${Object.values(ARCHITECTURES).join(', ')}`);
  const ready = asked.filter(({ name }) =>
    existsSync(join(BUILD, `linux-${name}`, `hostess-desk-${manifest.version}.tgz`)),
  );
  if (ready.length === 0)
    throw new Error(`nothing is packed: run "npm run packages -- ${asked[0]?.name}" first`);
  return ready.map((target) => {
    const deb = debOf(target, options);
    console.log(`${basename(deb)}  ${(statSync(deb).size / 2 ** 20).toFixed(1)} MiB`);
    return deb;
  });
}
