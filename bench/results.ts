/** Results on disk: a JSON file per case, a row per load, each with the context of its figures. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Comparison } from './cases/case.ts';
import { project } from './compiled.ts';

const finite = z.number();
const goal = z.strictObject({
  of: z.enum(['value', 'ratio', 'speedup']),
  atMost: finite.optional(),
  atLeast: finite.optional(),
});
const raw = z.array(z.array(finite).min(1)).min(1);
const comparison = z.union([
  z.strictObject({ name: z.string(), goals: z.array(goal), notRun: z.string(), unit: z.string().optional() }),
  z.strictObject({
    name: z.string(),
    goals: z.array(goal),
    a: z.string(),
    unit: z.string(),
    rawA: raw,
    b: z.string().optional(),
    rawB: raw.optional(),
    partOf: z.string().optional(),
    warmUp: z.int().nonnegative(),
  }),
]);
const row = z.strictObject({
  case: z.string(),
  target: z.string(),
  title: z.string(),
  /** RFC 3339, UTC. */
  at: z.iso.datetime(),
  /** Short hash; `+` behind it: the tree held changes that were not committed. */
  commit: z.string(),
  machine: z.strictObject({
    cpu: z.string(),
    cores: z.int(),
    memoryGb: finite,
    kernel: z.string(),
    system: z.string(),
    node: z.string(),
    user: z.enum(['root', 'ordinary']),
  }),
  /** Load average of the last minute before the case began: other work on the machine, and the cases before. */
  load: finite,
  point: z.strictObject({ processes: z.int(), listeners: z.int(), established: z.int() }),
  rounds: z.int(),
  passes: z.int(),
  facts: z.record(z.string(), z.union([z.string(), finite])),
  comparisons: z.array(comparison),
});

export interface Row extends Omit<z.output<typeof row>, 'comparisons'> {
  readonly comparisons: readonly Comparison[];
}

/** Where the published results are; `npm run bench -- --publish` writes there, docs/benchmarks.md is made of them. */
export const PUBLISHED = join(project, 'bench/results');

/** A path that holds no results: it does not exist, cannot be read, or holds something else. */
export class NoResults extends Error {
  override readonly name = 'NoResults';
}

/** The rows of one file, or of every file of a folder, by name. @throws NoResults with the file's name when one is malformed. */
export function readResults(path: string): Row[] {
  if (!existsSync(path)) throw new NoResults(`there are no results at ${path}`);
  return filesAt(path).flatMap((file) => {
    const parsed = z.array(row).safeParse(jsonOf(file));
    if (!parsed.success) throw new NoResults(`${file} holds no results: ${z.prettifyError(parsed.error)}`);
    return parsed.data as Row[];
  });
}

/** As `readResults`, but throws if there are no rows: nothing could be compared with it. */
export function readSomeResults(path: string): Row[] {
  const rows = readResults(path);
  if (rows.length === 0) throw new NoResults(`there are no results at ${path}`);
  return rows;
}

function filesAt(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(path, name));
}

function jsonOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new NoResults(`${file} holds no results: ${(error as Error).message}`);
  }
}

/** Replaces the file of each case among the rows: a line per row. */
export function writeResults(folder: string, rows: readonly Row[]): void {
  mkdirSync(folder, { recursive: true });
  for (const id of new Set(rows.map(({ case: name }) => name))) {
    const own = rows.filter(({ case: name }) => name === id).map((each) => JSON.stringify(each));
    writeFileSync(join(folder, `${id}.json`), `[\n${own.join(',\n')}\n]\n`);
  }
}
