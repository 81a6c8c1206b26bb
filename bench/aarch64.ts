/**
 * `npm run bench -- --arch aarch64`: the aarch64 build under qemu. Correctness by the goldens of the tests, and instructions
 * of single pieces of work. Times are never reported: an emulator's times say nothing about the hardware.
 *
 * qemu-user logs a line per translated block (`-d exec`), blocks of one instruction (`-singlestep`, newer
 * `-one-insn-per-tb`), none chained (`nochain`): lines are instructions. The start of the program is subtracted by
 * counting two lengths of the same work.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRun, type Comparison } from './cases/case.ts';
import { project, workshop } from './compiled.ts';
import { commit, load, machine } from './machine.ts';
import { programPath } from './peers/peer.ts';
import { linesOf } from './print.ts';
import { PUBLISHED, type Row, writeResults } from './results.ts';

const QEMU = 'qemu-aarch64-static';
const COMPILER = 'aarch64-linux-gnu-g++';
const SYSROOT = '/usr/aarch64-linux-gnu';
const [FEW, MANY] = [20, 120];

const WORKS = [
  { work: 'stat', does: 'parsing one /proc/PID/stat line' },
  { work: 'status', does: 'parsing one /proc/PID/status file' },
  { work: 'identity', does: 'hashing one identity of 60 bytes' },
] as const;

export async function aarch64(publish: boolean): Promise<number> {
  for (const [name, debianPackage] of [
    [QEMU, 'qemu-user-static'],
    [COMPILER, 'g++-aarch64-linux-gnu'],
  ] as const) {
    if (programPath(name) === undefined)
      throw new CannotRun(`${name} is not installed (Debian package ${debianPackage})`);
  }
  console.log('correctness: the goldens of test/native on the aarch64 build');
  const goldens = spawnSync(process.execPath, [join(project, 'test/native/aarch64.mjs')], {
    cwd: project,
    stdio: 'inherit',
  });
  if (goldens.status !== 0) return 1;
  const program = build();
  const comparisons: Comparison[] = [];
  for (const { work, does } of WORKS) {
    const counted = (await count(program, work, MANY)) - (await count(program, work, FEW));
    comparisons.push({
      name: work,
      goals: [],
      a: `${does}, aarch64 under qemu`,
      unit: 'instructions',
      rawA: [[counted / (MANY - FEW)]],
      warmUp: FEW,
    });
  }
  const row: Row = {
    case: 'instructions',
    target: 'P6',
    title: 'Instructions on aarch64, emulated',
    at: new Date().toISOString(),
    commit: commit(),
    machine: machine(),
    load: load(),
    point: { processes: 0, listeners: 0, established: 0 },
    rounds: 1,
    passes: MANY - FEW,
    facts: { mark: 'aarch64', emulator: version() },
    comparisons,
  };
  console.log(linesOf(row).join('\n'));
  writeResults(publish ? PUBLISHED : join(workshop, 'results'), [row]);
  return 0;
}

const version = (): string =>
  /version ([\d.]+)/.exec(spawnSync(QEMU, ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? '';

/** The flags of the aarch64 build in CMakeLists.txt, without the addon: only that folder uses Node-API. */
function build(): string {
  const program = join(workshop, 'instructions-aarch64');
  const sources = readFileSync(join(project, 'native/sources.txt'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('native/') && !line.startsWith('native/addon/'));
  const words = ['-std=c++20', '-O3', '-march=armv8-a', '-Wall', '-Wextra', '-Inative'];
  const done = spawnSync(
    COMPILER,
    [...words, 'bench/native/instructions.cc', ...sources, '-o', program, '-pthread'],
    { cwd: project, stdio: 'inherit' },
  );
  if (done.status !== 0) throw new Error(`${COMPILER} ended with ${done.status}`);
  return program;
}

/** Instructions of a whole run: lines of the log, which may be long and is not kept. */
async function count(program: string, work: string, times: number): Promise<number> {
  const [major = 0, minor = 0] = version().split('.').map(Number);
  const single = major > 8 || (major === 8 && minor >= 1) ? '-one-insn-per-tb' : '-singlestep';
  const child = spawn(
    QEMU,
    ['-L', SYSROOT, single, '-d', 'nochain,exec', program, work, String(times)],
    // Without -D the log is on stderr.
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let lines = 0;
  let rest = '';
  child.stderr.on('data', (data: Buffer) => {
    const parts = (rest + data.toString('latin1')).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) if (line.startsWith('Trace ')) lines += 1;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${QEMU} ended with ${code}`);
  if (lines === 0) throw new CannotRun(`${QEMU} logs no instructions`);
  return lines;
}
