// What the parts of native/check.mjs share: programs that must be there, builds, runs, and the tally.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
/** The folder of all builds and findings. */
export const work = join(project, 'build/check');

/** A wrong request or a missing tool: reported in one sentence, without a stack. */
export class CheckError extends Error {}

const arch = { x64: 'x86_64', arm64: 'aarch64' }[process.arch];
const outputOf = (program, args) => spawnSync(program, args, { encoding: 'utf8' }).stdout ?? '';

export function needs(program, debianPackage) {
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).status !== 0)
    throw new CheckError(`${program} is missing (Debian: apt install ${debianPackage}).`);
}

/** The path of a part of clang's sanitizer runtime, e.g. `asan` and `.so`. */
export function runtime(part, ending) {
  needs('clang++', 'clang');
  const name = `libclang_rt.${part}-${arch}${ending}`;
  const path = outputOf('clang++', [`--print-file-name=${name}`]).trim();
  if (existsSync(path)) return path;
  const major = outputOf('clang++', ['-dumpversion']).split('.')[0];
  throw new CheckError(`${name} of clang is missing (Debian: apt install libclang-rt-${major}-dev).`);
}

const children = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const endGroup of children) endGroup();
    process.exit(1);
  });
}

/**
 * Runs a program to its end: `{ok, output, ended}`, where `ended` says how, "" for an ordinary end with code 0. It has
 * a process group of its own, which is killed after `seconds`.
 */
export function run(program, args, { seconds = 900, env = {}, cwd = project } = {}) {
  return new Promise((done) => {
    const child = spawn(program, args, {
      cwd,
      detached: true,
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks = [];
    let late = '';
    const endGroup = () => {
      if (child.pid && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, 'SIGKILL');
    };
    children.add(endGroup);
    const timer = setTimeout(() => {
      late = `did not end within ${seconds} s`;
      endGroup();
    }, seconds * 1000);
    const finish = (ended) => {
      clearTimeout(timer);
      children.delete(endGroup);
      done({ ok: ended === '', ended, output: Buffer.concat(chunks).toString('utf8') });
    };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => chunks.push(data));
    child.on('error', (error) => finish(`did not start: ${error.message}`));
    child.on('close', (code, signal) =>
      finish(late || (signal ? `killed by ${signal}` : code === 0 ? '' : `exit code ${code}`)),
    );
  });
}

/** Runs `work(item)` for all items, as many at a time as there are processors. */
export async function inParallel(items, work) {
  const queue = [...items];
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}

/**
 * Configures native/check for one sanitizer ("address", "thread", "" for none); the folder of the build. With `single`
 * each source is compiled alone.
 */
export async function configure(sanitizer, { single = false } = {}) {
  needs('cmake', 'cmake');
  needs('clang++', 'clang');
  const require = createRequire(join(project, 'package.json'));
  const include = [require('node-addon-api').include_dir, require('node-api-headers').include_dir];
  const folder = join(work, sanitizer || (single ? 'single' : 'plain'));
  const configured = await run('cmake', [
    ...['-S', join(project, 'native/check'), '-B', folder, '-DCMAKE_CXX_COMPILER=clang++'],
    ...[
      `-DDESK_SANITIZE=${sanitizer}`,
      `-DDESK_UNITY=${single ? 'OFF' : 'ON'}`,
      `-DDESK_NAPI_INCLUDE=${include.map((path) => resolve(project, path)).join(';')}`,
    ],
  ]);
  if (!configured.ok) throw new CheckError(`cmake failed for ${folder}:\n${configured.output}`);
  return folder;
}

/** Builds targets in a configured folder. */
export async function build(folder, targets) {
  const started = performance.now();
  const made = await run(
    'cmake',
    ['--build', folder, '--parallel', String(availableParallelism()), '--target', ...targets],
    { seconds: 2_700 },
  );
  if (!made.ok)
    throw new CheckError(`building ${targets.join(', ')} failed (${made.ended}):\n${made.output}`);
  console.log(`built ${targets.join(', ')} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

// The sanitizers of clang 14 do not start when the kernel randomises mappings by more bits than they support
// (vm.mmap_rnd_bits above 28), so they run without randomisation. A container may forbid that: then they run as they are.
const withoutAslr =
  spawnSync('setarch', ['-R', 'true'], { stdio: 'ignore' }).status === 0 ? ['setarch', '-R'] : [];

/** Runs a sanitized program; see `run`. */
export function runSanitized(program, args, options = {}) {
  const [first, ...rest] = [...withoutAslr, program, ...args];
  const env = {
    ASAN_OPTIONS: 'malloc_context_size=12',
    UBSAN_OPTIONS: 'print_stacktrace=1',
    TSAN_OPTIONS: 'halt_on_error=1:second_deadlock_stack=1',
    ...options.env,
  };
  return run(first, rest, { ...options, env });
}

/** Counts of passed and failed checks. */
export class Tally {
  passed = 0;
  failed = 0;

  /** One check by name, or several at once; of a failed one the output is shown. */
  add(name, { ok, ended, output }, note = '', passed = ok ? 1 : 0, failed = ok ? 0 : 1) {
    this.passed += passed;
    this.failed += failed;
    console.log(
      `${failed ? 'FAIL' : ' ok '} ${name}${note ? `  ${note}` : ''}${failed && ended ? `  ${ended}` : ''}`,
    );
    if (failed) console.log(output.trimEnd().replace(/^(?=.)/gm, '     '));
  }

  /** A program that ends with a line `N passed, N failed`. */
  addSummary(name, result) {
    const line = [...result.output.matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1);
    const [passed, failed] = line ? [Number(line[1]), Number(line[2])] : [0, 0];
    const bad = Math.max(failed, result.ok && passed > 0 ? 0 : 1);
    this.add(name, result, `${passed} passed${bad ? `, ${bad} failed` : ''}`, passed, bad);
  }
}
