/** The build files: one list of sources, the same CPU builds in both, clear errors. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('build');
const project = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(project, file), 'utf8');
const sourcesIn = (list: string) =>
  read(list)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
const sources = sourcesIn('native/sources.txt');
const ofStarter = sourcesIn('native/start/sources.txt');

test('the list names every source of the addon once, and nothing else', () => {
  const folders = [
    'core',
    'probe',
    'addon',
    'kernel',
    'bpf',
    'act',
    'apt',
    'mail',
    'privilege',
    'start',
    'table',
    'watch',
  ].filter((name) => existsSync(join(project, 'native', name)));
  const there = folders.flatMap((folder) =>
    readdirSync(join(project, 'native', folder))
      .filter((file) => file.endsWith('.cc'))
      .map((file) => `native/${folder}/${file}`)
      // What only the separate program has.
      .filter((file) => folder !== 'start' || sources.includes(file) || !ofStarter.includes(file)),
  );
  // Of desk-peek, and in the addon too.
  assert.equal([...sources].sort(), [...there, 'native/files/logins.cc'].sort());
});

test('neither build file has its own list of sources', () => {
  for (const file of ['CMakeLists.txt', 'binding.gyp']) {
    assert.not.match(read(file), /\.cc\b/);
    assert.match(read(file), /native\/sources\.txt/);
  }
});

test('both build files have the same CPU builds, instruction sets and definitions', () => {
  const gyp = read('binding.gyp');
  const cmake = read('CMakeLists.txt');
  const marks = [...cmake.matchAll(/add_mark\((\w+) (-march=\S+)\)/g)];
  assert.is(marks.length, 3);
  for (const [, mark, march] of marks) {
    const target = new RegExp(`'target_name': 'desk_${mark}',[^}]*DESK_MARK="${mark}"[^}]*'${march}'`);
    assert.match(gyp, target);
  }
  for (const definition of [
    'NAPI_VERSION=8',
    'NODE_ADDON_API_CPP_EXCEPTIONS_ALL',
    'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
  ]) {
    assert.ok(cmake.includes(definition) && gyp.includes(definition), definition);
  }
});

test('the programs are position-independent, by the flags of both build files and as they were built', () => {
  for (const file of ['CMakeLists.txt', 'binding.gyp']) assert.match(read(file), /-fPIE\b[\s\S]*?\W-pie\b/);
  for (const name of ['desk-peek', 'desk-start']) {
    const program = readFileSync(join(project, 'build/Release', name));
    // elf(5): e_type, ET_DYN.
    assert.is(program.readUInt16LE(16), 3, name);
  }
});

test('the baseline build uses no instruction above its CPU level', () => {
  if (process.arch !== 'x64') return;
  const file = join(project, 'build/Release/desk_x86_64.node');
  const listing = spawnSync('objdump', ['-d', '--no-show-raw-insn', file], {
    encoding: 'utf8',
    maxBuffer: 256 << 20,
  });
  assert.is(listing.status, 0, listing.error?.message ?? listing.stderr);
  assert.match(listing.stdout, /%xmm0/);
  assert.not.match(listing.stdout, /%[yz]mm\d/);
});

/** The build script with only the named programs on its PATH. */
function buildWith(programs: Readonly<Record<string, string>>, ...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'desk-path-'));
  try {
    for (const [name, target] of Object.entries(programs)) symlinkSync(target, join(folder, name));
    const { CXX: _, ...env } = process.env;
    return spawnSync(process.execPath, [join(project, 'native/build.mjs'), ...args], {
      env: { ...env, PATH: folder },
      encoding: 'utf8',
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a missing build tool is named with its remedy', () => {
  const cases: readonly [Readonly<Record<string, string>>, string[], RegExp][] = [
    [{}, [], /No C\+\+ compiler.*apt install g\+\+/],
    [{ 'g++': '/bin/true' }, [], /make was not found.*apt install make/],
    [{ 'g++': '/bin/true', cmake: '/bin/true' }, [], /Neither make nor ninja/],
    [{ 'g++': '/bin/true', make: '/bin/true' }, ['--gyp'], /python3/],
    [{ 'g++': '/bin/true' }, ['--arch', 'sparc'], /There is no build for sparc/],
  ];
  for (const [programs, args, sentence] of cases) {
    const run = buildWith(programs, ...args);
    assert.is(run.status, 1);
    assert.match(run.stderr, sentence);
    assert.not.match(run.stderr, /\n\s+at /);
  }
});

test.run();
