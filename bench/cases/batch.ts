/**
 * P6, the mega_N batch: the compiled tier-1 checks and single operations over synthetic columns, against the rate at which
 * the same bytes can be read at all, measured beside it in the same process.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileChecks, jobsOf } from '../../src/checks/compile.ts';
import { CHECKS } from '../../src/checks/index.ts';
import { configSchema } from '../../src/config/schema.ts';
import { runnableMarks } from '../../src/engine/native/mark.ts';
import type { Mark } from '../../src/engine/native/types.ts';
import { lawOf } from '../../src/features/law/law.ts';
import { hashText } from '../../test/support/judge.ts';
import { snapshotFrom } from '../../test/support/snapshot.ts';
import { compiled, project, workshop } from '../compiled.ts';
import { leashed } from '../leash.ts';
import { median } from '../stats.ts';
import { atMost, type Case, type Comparison } from './case.ts';

/** The largest tables take seconds to create and tenths of a second to judge. */
const passesOf = (rows: number, full: boolean): number => (rows > 1_000_000 ? 3 : full ? 7 : 4);
/** While these fit the second-level cache: 256 KiB of 64-bit values. */
const CACHED = 32_768;
const SIZES = [1_000, 10_000, CACHED, 100_000, 1_000_000, 10_000_000];
const MARCH: Readonly<Record<Mark, string>> = {
  x86_64: 'x86-64',
  avx512_mark: 'x86-64-v4',
  aarch64: 'armv8-a',
};
const LEARNED = 200;

type Kind =
  | 'read32'
  | 'masked32'
  | 'read64'
  | 'masked64'
  | 'in8'
  | 'readBatch'
  | 'batch'
  | 'batchOne'
  | 'batchTwo'
  | 'lookUp';
type Round = Readonly<Record<Kind, readonly number[]>> & {
  readonly rows: number;
  readonly batchBytes: number;
};

/** The batch kernel as CMakeLists.txt builds it for an ISA level, with the bench around it. */
function compileFor(mark: Mark): string {
  const kernel = 'native/kernel';
  return compiled('native/batch.cc', {
    flags: [`-march=${MARCH[mark]}`, '-pthread', `-I${join(project, 'native')}`],
    others: ['kernel', 'lookups', 'program', 'value_set'].map((name) => `${kernel}/${name}.cc`),
    read: readdirSync(join(project, kernel))
      .filter((name) => name.endsWith('.h'))
      .map((name) => `${kernel}/${name}`),
  });
}

/** The program of the process checks, as numbers in a file. */
function writeProgram(): string {
  const random = (seed: number) => BigInt.asUintN(64, BigInt(seed + 1) * 0x9e37_79b9_7f4a_7c15n);
  const identities = new Set(Array.from({ length: LEARNED }, (_, at) => random(at)));
  const law = lawOf(configSchema.parse({}));
  const checks = compileChecks(
    CHECKS,
    law,
    { identities, listeners: new Set(), classes: new Set() },
    hashText,
  );
  const jobs = jobsOf(checks, snapshotFrom({}));
  const job = jobs.find(({ program }) => program.table === 'processes');
  if (job?.identities === undefined || job.program.bitmaps.length > 0)
    throw new Error('unexpected program of processes');
  const list = (values: Iterable<unknown>) => {
    const all = [...values];
    return `${all.length} ${all.join(' ')}`;
  };
  const { registers, kept, columns, operations, values, sets, outputs } = job.program;
  const file = join(workshop, 'batch.program');
  const parts = [
    `${registers} ${kept}`,
    list(columns),
    list(operations),
    list(values),
    list(job.parameters),
    sets.length,
    ...sets.map(list),
    list(outputs),
    list(job.identities.learned),
  ];
  writeFileSync(file, `${parts.join('\n')}\n`);
  return file;
}

function round(program: string, rows: number, passes: number, file: string): Round {
  const [command = '', ...words] = leashed([program, String(rows), String(passes), file]);
  return JSON.parse(execFileSync(command, words, { encoding: 'utf8' })) as Round;
}

const batch: Case = {
  id: 'batch',
  target: 'P6',
  title: 'All checks in one batch over synthetic columns',
  place: 'host',
  grows: [],
  unprivileged: 'never',
  async run({ rounds, full, smoke }) {
    const file = writeProgram();
    const marks = runnableMarks();
    const programs = new Map(marks.map((mark) => [mark, compileFor(mark)]));
    const best = marks[0] as Mark;
    // The large tables take seconds to make, and need memory.
    const sizes = smoke ? SIZES.filter((rows) => rows <= CACHED) : SIZES;
    const all = new Map<string, Round[]>();
    const of = (mark: Mark, rows: number): Round[] => {
      const key = `${mark} ${rows}`;
      const list = all.get(key) ?? [];
      all.set(key, list);
      return list;
    };
    for (let turn = 0; turn < rounds; turn++) {
      for (const rows of sizes) {
        // The largest tables take seconds to make; a few rounds are enough for growth.
        if (rows > 1_000_000 && turn >= (full ? 3 : 1)) continue;
        for (const mark of marks)
          if (mark === best || rows === CACHED)
            of(mark, rows).push(round(programs.get(mark) as string, rows, passesOf(rows, full), file));
      }
    }
    const compare = (
      name: string,
      a: [string, Mark, Kind, number],
      b: [string, Mark, Kind, number],
      limit: number,
      scale = 1,
    ): Comparison => {
      // Rounds are compared in pairs; the largest tables have fewer.
      const [x, y] = [of(a[1], a[3]), of(b[1], b[3])];
      const pairs = Math.min(x.length, y.length);
      return {
        name,
        a: a[0],
        b: b[0],
        unit: 'ns per 1000 rows',
        rawA: x.slice(0, pairs).map((one) => one[a[2]].map((value) => value * 1000)),
        rawB: y.slice(0, pairs).map((one) => one[b[2]].map((value) => value * 1000 * scale)),
        goals: [atMost('ratio', limit)],
        warmUp: 0,
      };
    };
    const largest = sizes.at(-1) as number;
    const comparisons = [
      ...marks.flatMap((mark) => [
        compare(
          `${mark}: mask-equals u32 against reading`,
          ['mask-equals of u32 in cache', mark, 'masked32', CACHED],
          ['reading the same bytes', mark, 'read32', CACHED],
          1 / 0.45,
        ),
        compare(
          `${mark}: mask-equals u64 against reading`,
          ['mask-equals of u64 in cache', mark, 'masked64', CACHED],
          ['reading the same bytes', mark, 'read64', CACHED],
          1 / 0.45,
        ),
        compare(
          `${mark}: in-set of 8 against reading`,
          ['in-set of 8 u64 in cache', mark, 'in8', CACHED],
          ['reading the same bytes', mark, 'read64', CACHED],
          1 / 0.12,
        ),
      ]),
      ...(marks.includes('avx512_mark')
        ? (['masked32', 'masked64', 'in8', 'batch'] as const).map((kind) =>
            compare(
              `avx512_mark against x86_64: ${kind}`,
              ['avx512_mark', 'avx512_mark', kind, CACHED],
              ['the best form of x86_64', 'x86_64', kind, CACHED],
              1 / 1.8,
            ),
          )
        : []),
      ...[...new Set([CACHED, largest])].map((rows) =>
        compare(
          `${best}: two workers against one, ${rows} rows`,
          ['all checks, two workers', best, 'batchTwo', rows],
          ['all checks, one', best, 'batchOne', rows],
          1 / 1.6,
        ),
      ),
      compare(
        `${best}: all checks against reading, beyond the caches`,
        ['all process checks', best, 'batch', largest],
        ['reading their columns', best, 'readBatch', largest],
        1 / 0.6,
      ),
      ...(smoke
        ? []
        : [
            compare(
              `${best}: growth from 10^6 to 10^7 rows`,
              ['all checks at 10^7', best, 'batch', largest],
              ['all checks at 10^6', best, 'batch', 1_000_000],
              1.25,
            ),
          ]),
    ];
    const facts: Record<string, string | number> = {
      mark: best,
      checks: CHECKS.length,
      passes: passesOf(CACHED, full),
    };
    for (const [key, list] of all) {
      const { batchBytes } = list[0] as Round;
      const middle = (kind: Kind) => median(list.flatMap((one) => one[kind]));
      facts[`${key}: ns per row`] = Number(middle('batch').toFixed(3));
      facts[`${key}: ns per row looked up`] = Number(middle('lookUp').toFixed(3));
      facts[`${key}: batch GB/s`] = Number((batchBytes / middle('batch')).toFixed(1));
      facts[`${key}: read GB/s`] = Number((batchBytes / middle('readBatch')).toFixed(1));
    }
    return { facts, comparisons };
  },
};

export default batch;
