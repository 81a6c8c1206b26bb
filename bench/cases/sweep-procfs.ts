/** The procfs sweep with parsing, hashing and judging, against its bare system calls without any of that. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadNative } from '../../src/native/load.ts';
import { startFarm } from '../../test/support/farm.ts';
import type { Case, Comparison, Options } from './case.ts';

const PASSES = 25;
/** The first passes meet cold dentries and are left out. */
const WARM_UP = 5;
const project = fileURLToPath(new URL('../..', import.meta.url));
const round = fileURLToPath(new URL('sweep-procfs-round.ts', import.meta.url));

function compileBare(): string {
  const folder = join(project, 'build/bench');
  mkdirSync(folder, { recursive: true });
  const program = join(folder, 'bare_sweep');
  const source = join(project, 'bench/native/bare_sweep.cc');
  execFileSync('g++', ['-std=c++20', '-O3', '-Wall', '-Wextra', source, '-o', program]);
  return program;
}

function passes(program: string, args: readonly string[]): number[] {
  const times: unknown = JSON.parse(execFileSync(program, args, { encoding: 'utf8' }));
  if (!Array.isArray(times) || times.length !== PASSES) throw new Error(`${program} told no times`);
  return times.slice(WARM_UP).map(Number);
}

function compare(name: string, bare: string, walk: '0' | '1', options: Options): Comparison {
  const rawA: number[][] = [];
  const rawB: number[][] = [];
  for (let i = 0; i < options.rounds; i++) {
    rawA.push(passes(process.execPath, ['--import', 'tsx', round, String(PASSES), walk]));
    rawB.push(passes(bare, [String(PASSES), walk]));
  }
  return {
    name,
    a:
      walk === '1'
        ? 'listProcesses, sweepShard and ownersWalk, one shard'
        : 'listProcesses and sweepShard, one shard',
    b: 'the same getdents, openat, read, close and readlinkat, no parsing',
    unit: 'µs per pass',
    rawA,
    rawB,
    target: 1.15,
  };
}

const sweepProcfs: Case = {
  id: 'sweep-procfs',
  async run(options) {
    const { addon } = loadNative();
    const bare = compileBare();
    await using farm = await startFarm(options.processes);
    const comparisons = [
      compare('facts', bare, '0', options),
      compare('facts and descriptor walk', bare, '1', options),
    ];
    const started = farm.pids.flat().length;
    return { facts: { backend: 'procfs', mark: addon.mark, farm: started }, comparisons };
  },
};

export default sweepProcfs;
