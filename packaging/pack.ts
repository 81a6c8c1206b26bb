/**
 * The packages. `hostess-desk` holds JavaScript only, with its dependencies inside; `hostess-desk-linux-CPU-LIBC` holds the compiled
 * code. Neither has an install script. To publish, publish all of them.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { changedAt } from '../test/support/built-pages.ts';
import { compile } from './compile.ts';
import { compiledNotices, NOTICES, OF_PAGES, pageNotices } from './notices.ts';
import { filesOf, packageOf, TARGETS, type Target } from './targets.ts';
import { BUILD, PROJECT, run } from './tools.ts';

type Manifest = Record<string, unknown> & {
  name: string;
  version: string;
  dependencies: Record<string, string>;
};
interface Locked {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
interface Lock {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, Locked>>;
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
const writeJson = (file: string, value: unknown): void =>
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

const manifest = readJson<Manifest>(join(PROJECT, 'package.json'));
const lock = readJson<Lock>(join(PROJECT, 'package-lock.json'));

/** Fields that every package has. */
const common = ({ version, license, description }: Manifest = manifest) => ({
  version,
  description,
  license,
});

const folderOf = (target: Target): string => join(BUILD, `linux-${target.name}`);

/**
 * What no program reads: types, source maps, texts, settings of editors and of tools for building. That is more than half of all files,
 * and npm writes each one separately.
 */
const UNREAD = /^\.|\.(?:[cm]?ts|map|md|markdown|html|sh)$/i;
/** The same of a package's own folders. */
const UNREAD_FOLDERS = ['test', 'benchmark', 'benchmarks', 'example', 'examples'];
const LICENCE = /^(?:licen[cs]e|copying)/i;

/** Deletes these, but no licence: of a package without a file for it, it is in the readme. */
function prune(folder: string): void {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of entries.filter((entry) => entry.isDirectory()))
    if (
      name.startsWith('.') ||
      (UNREAD_FOLDERS.includes(name) && existsSync(join(parentPath, 'package.json')))
    )
      rmSync(join(parentPath, name), { recursive: true, force: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !UNREAD.test(entry.name) || LICENCE.test(entry.name)) continue;
    const isReadme = /^readme/i.test(entry.name);
    if (isReadme && !readdirSync(entry.parentPath).some((name) => LICENCE.test(name))) continue;
    rmSync(join(entry.parentPath, entry.name));
  }
}

function emptied(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Installs by a lock file: exactly what was tested, with its digests. Nothing that is optional, no scripts. */
function installLocked(folder: string, ...flags: readonly string[]): void {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
  run('npm', ['ci', '--omit=dev', '--omit=optional', ...quiet, ...flags], { cwd: folder });
  prune(join(folder, 'node_modules'));
}

function locked(name: string): Locked {
  const entry = lock.packages[`node_modules/${name}`];
  if (entry === undefined) throw new Error(`package-lock.json has no ${name}`);
  return entry;
}

const versionOf = (name: string): string => locked(name).version;

function pack(folder: string, into: string): void {
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', into], { cwd: folder });
}

/** Builds dist from nothing, so that it has no files of earlier sources; `built` takes it as it is, and throws when src is newer. */
function readyDist(built: boolean): void {
  const dist = join(PROJECT, 'dist');
  if (!built) {
    rmSync(dist, { recursive: true, force: true });
    run('npm', ['run', 'build']);
    return;
  }
  const builtAt = statSync(join(dist, 'cli/main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changedAt(join(PROJECT, 'src')) > builtAt)
    throw new Error('dist is missing or older than src: run "npm run build" first');
}

/** The folder of the package of JavaScript. */
function stageMain(): string {
  const folder = emptied(join(BUILD, 'work/hostess-desk'));
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(PROJECT, file), join(folder, file));
  installLocked(folder);
  rmSync(join(folder, 'package-lock.json'));
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE'])
    cpSync(join(PROJECT, file), join(folder, file));
  cpSync(join(PROJECT, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (file) => !file.endsWith('.map') && !file.endsWith(OF_PAGES),
  });
  writeFileSync(join(folder, NOTICES), pageNotices());
  // What the hostess answers from, and the manual page.
  mkdirSync(join(folder, 'docs'));
  for (const file of ['knowledge.json', 'desk.1'])
    cpSync(join(PROJECT, 'docs', file), join(folder, 'docs', file));
  const names = Object.keys(manifest.dependencies);
  const { name, type, os, engines, exports, bin, man } = manifest;
  writeJson(join(folder, 'package.json'), {
    name,
    ...common(),
    ...{ type, os, cpu: [...new Set(TARGETS.map(({ cpu }) => cpu))], engines, exports, bin, man },
    files: ['dist', 'docs', 'CHANGELOG.md', NOTICES],
    dependencies: Object.fromEntries(names.map((dependency) => [dependency, versionOf(dependency)])),
    bundleDependencies: names,
  });
  return folder;
}

/**
 * Packs it to be installed with the packages of these targets alone: npm asks the registry for every package that is named and not
 * there, and would install what anyone has published under that name.
 */
function packMain(folder: string, targets: readonly Target[], into: string): void {
  const file = join(folder, 'package.json');
  const named = Object.fromEntries(targets.map((target) => [packageOf(target), manifest.version]));
  writeJson(file, { ...readJson<Manifest>(file), optionalDependencies: named });
  pack(folder, into);
}

/** The package of compiled code for a target. */
function packCompiled(target: Target, compiled: string, into: string, built: boolean): void {
  const folder = emptied(join(BUILD, 'work', packageOf(target)));
  const dependencies = { libsql: versionOf('libsql'), [target.libsql]: versionOf(target.libsql) };
  const own = { name: packageOf(target), ...common(), dependencies };
  writeJson(join(folder, 'package.json'), own);
  // libsql and what it depends on, as locked for the project; npm wants to see the other systems too, which are optional.
  const { dependencies: parts = {}, optionalDependencies: systems = {} } = locked('libsql');
  const entries = ['libsql', ...Object.keys(parts), ...Object.keys(systems)].map((name) => {
    const optional = name !== target.libsql && name in systems;
    return [`node_modules/${name}`, { ...locked(name), dev: undefined, optional }] as const;
  });
  writeJson(join(folder, 'package-lock.json'), {
    ...{ name: own.name, version: own.version, lockfileVersion: lock.lockfileVersion, requires: true },
    packages: { '': own, ...Object.fromEntries(entries) },
  });
  // For a CPU that is not ours npm must be forced.
  installLocked(folder, '--force', `--cpu=${target.cpu}`, `--libc=${target.libc}`);
  rmSync(join(folder, 'package-lock.json'));
  for (const file of filesOf(target)) cpSync(join(compiled, file), join(folder, file));
  cpSync(join(PROJECT, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, NOTICES), compiledNotices(target, built));
  writeJson(join(folder, 'package.json'), {
    ...own,
    description: `The compiled code of hostess-desk for ${target.cpu} and ${target.libc}.`,
    ...{ os: ['linux'], cpu: [target.cpu], libc: [target.libc], files: [...filesOf(target), NOTICES] },
    bundleDependencies: Object.keys(dependencies),
  });
  pack(folder, into);
}

/**
 * Makes the packages of these targets, each with the main one in a folder; beside the folders the main one that names all targets, to publish.
 * `built`: of what `npm ci` has built and compiled for this machine, which may need a newer libc than a package should: not to publish.
 */
export function packAll(targets: readonly Target[], built: boolean): void {
  readyDist(built);
  const main = stageMain();
  for (const target of targets) {
    const folder = emptied(folderOf(target));
    packCompiled(target, built ? join(PROJECT, 'build/Release') : compile(target), folder, built);
    packMain(main, [target], folder);
  }
  if (!built) packMain(main, TARGETS, BUILD);
}
