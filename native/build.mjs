// Builds the addon and the programs desk-peek and desk-start: `node native/build.mjs [--arch aarch64] [--gyp] [--debug]`; npm runs it at
// install. With cmake it goes through cmake-js and CMakeLists.txt, without it through node-gyp and binding.gyp. Both read
// native/sources.txt and the sources.txt of both programs and leave the same files in build/Release; a cross build leaves its own in build/aarch64/Release.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/** Where the finished files are; src/engine/native/load.ts and src/features/inspection/helper.ts read the same folder. */
const OUTPUT = 'build/Release';
const MARKS = { x64: ['x86_64', 'avx512_mark'], arm64: ['aarch64'] };

class BuildError extends Error {}

const onPath = (program) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && existsSync(join(folder, program)));

function run(program, args, what, environment = {}) {
  const env = { ...process.env, ...environment };
  const done = spawnSync(program, args, { cwd: project, env, encoding: 'utf8', maxBuffer: 64 << 20 });
  if (done.error) throw new BuildError(`${what} did not start: ${done.error.message}`);
  if (done.status !== 0) {
    process.stderr.write(done.stdout + done.stderr);
    throw new BuildError(`${what} failed with exit code ${done.status ?? done.signal}; its output is above.`);
  }
}

/** The bundled node-gyp of npm, or one that the environment names. */
function findNodeGyp() {
  const named = process.env.npm_config_node_gyp;
  if (named && existsSync(named)) return named;
  const beside = 'node_modules/npm/node_modules/node-gyp/bin/node-gyp.js';
  const prefix = dirname(dirname(realpathSync(process.execPath)));
  const npmFolders = [
    join(prefix, 'lib'),
    join(prefix, 'share/nodejs/npm'),
    '/usr/lib',
    '/usr/local/lib',
    '/usr/share/nodejs',
  ];
  const candidates = npmFolders.map((folder) => join(folder, beside));
  const npmCli = process.env.npm_execpath;
  if (npmCli) candidates.unshift(resolve(dirname(npmCli), '../node_modules/node-gyp/bin/node-gyp.js'));
  candidates.push('/usr/share/nodejs/node-gyp/bin/node-gyp.js');
  return candidates.find((file) => existsSync(file));
}

/** A cache made in another folder (a moved or copied tree) would stop cmake. */
function forgetMovedCache(work) {
  const cache = join(work, 'CMakeCache.txt');
  if (!existsSync(cache)) return;
  const home = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(readFileSync(cache, 'utf8'))?.[1];
  if (home !== project) rmSync(work, { recursive: true, force: true });
}

function buildByCmake(arch, debug, warningsAreErrors) {
  const cmakeJs = createRequire(import.meta.url).resolve('cmake-js/bin/cmake-js');
  const cross = arch !== process.arch;
  const top = cross ? join(project, 'build', 'aarch64') : join(project, 'build');
  const output = cross ? join(top, 'Release') : join(project, OUTPUT);
  const work = join(top, debug ? 'cmake-debug' : 'cmake');
  forgetMovedCache(work);
  mkdirSync(output, { recursive: true });
  run(
    process.execPath,
    [
      cmakeJs,
      'build',
      `--out=${work}`,
      `--arch=${arch}`,
      `--parallel=${availableParallelism()}`,
      `--CDDESK_OUTPUT=${output}`,
      `--CDDESK_WERROR=${warningsAreErrors ? 'ON' : 'OFF'}`,
      ...(cross ? [`--CDCMAKE_TOOLCHAIN_FILE=${join(project, 'native/toolchain-aarch64.cmake')}`] : []),
      ...(debug ? ['--debug'] : []),
    ],
    'cmake-js',
  );
  return output;
}

function buildByGyp(arch, debug, warningsAreErrors) {
  if (arch !== process.arch)
    throw new BuildError('A cross build needs cmake: install it (Debian: apt install cmake).');
  const nodeGyp = findNodeGyp();
  if (!nodeGyp) {
    throw new BuildError(
      'Neither cmake nor node-gyp was found: install cmake (Debian: apt install cmake), or npm, which brings node-gyp.',
    );
  }
  if (!onPath('python3')) throw new BuildError('node-gyp needs python3: install it, or install cmake.');
  // Headers that came with this node spare a download.
  const prefix = dirname(dirname(realpathSync(process.execPath)));
  const nodedir = existsSync(join(prefix, 'include/node/node_api.h')) ? [`--nodedir=${prefix}`] : [];
  const defines = `desk_werror=${warningsAreErrors ? 1 : 0} desk_debug=${debug ? 1 : 0}`;
  const jobs = `--jobs=${availableParallelism()}`;
  run(
    process.execPath,
    [nodeGyp, 'configure', 'build', '--silent', '--release', jobs, ...nodedir],
    'node-gyp',
    { GYP_DEFINES: defines },
  );
  return join(project, OUTPUT);
}

function main() {
  const { values } = parseArgs({
    options: { arch: { type: 'string' }, gyp: { type: 'boolean' }, debug: { type: 'boolean' } },
  });
  const arch = { aarch64: 'arm64', arm64: 'arm64', x86_64: 'x64', x64: 'x64' }[values.arch ?? process.arch];
  if (process.platform !== 'linux') throw new BuildError('Hostess Desk runs on Linux only.');
  if (!arch)
    throw new BuildError(
      `There is no build for ${values.arch ?? process.arch}: x86_64 and aarch64 are supported.`,
    );
  if (arch !== process.arch && arch !== 'arm64') throw new BuildError('Only aarch64 can be cross-built.');
  const compiler = arch === process.arch ? (process.env.CXX ?? 'g++') : 'aarch64-linux-gnu-g++';
  const compilers = arch === process.arch ? [compiler, 'c++', 'clang++'] : [compiler];
  if (!compilers.some((name) => existsSync(name) || onPath(name))) {
    const remedy = arch === process.arch ? 'g++' : 'g++-aarch64-linux-gnu';
    throw new BuildError(
      `No C++ compiler (${compilers.join(', ')}): install one (Debian: apt install ${remedy}).`,
    );
  }
  const byCmake = !values.gyp && onPath('cmake');
  if (!byCmake && !onPath('make'))
    throw new BuildError('make was not found: install it (Debian: apt install make).');
  if (byCmake && !onPath('make') && !onPath('ninja')) {
    throw new BuildError('Neither make nor ninja was found: install one (Debian: apt install make).');
  }

  // A newer compiler may warn where ours does not: that must not break an installation of the package.
  const warningsAreErrors = !project.includes(`${sep}node_modules${sep}`);
  const started = performance.now();
  const build = byCmake ? buildByCmake : buildByGyp;
  const output = build(arch, values.debug ?? false, warningsAreErrors);
  const files = [...MARKS[arch].map((mark) => `desk_${mark}.node`), 'desk-peek', 'desk-start'];
  const missing = files.filter((file) => !existsSync(join(output, file)));
  if (missing.length > 0) throw new BuildError(`The build ended without ${missing.join(', ')} in ${output}.`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`built ${files.join(', ')} with ${byCmake ? 'cmake-js' : 'node-gyp'} in ${seconds} s`);
}

try {
  main();
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  console.error(`hostess-desk: ${error.message}`);
  process.exitCode = 1;
}
