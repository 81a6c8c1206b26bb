/** Rounds: each side of a comparison in a fresh process, in turns. */
import { execFileSync } from 'node:child_process';
import { CannotRun } from './cases/case.ts';
import { compiled, project } from './compiled.ts';
import { leashed } from './leash.ts';

/** What a program of bench/rounds prints: µs of each counted call and what it saw, or why it cannot. */
export interface Round {
  readonly us: readonly number[];
  readonly facts: Readonly<Record<string, string | number>>;
}

type RoundResult = Partial<Round> & { readonly notRun?: string };

/** A round that hangs ends here; the slowest peer takes minutes per call. */
const DEADLINE_MS = 300_000;

function run(command: string, words: readonly string[], env: Readonly<Record<string, string>>): string {
  const [first = '', ...rest] = leashed([command, ...words]);
  try {
    return execFileSync(first, rest, {
      cwd: project,
      encoding: 'utf8',
      env: { ...process.env, ...env },
      maxBuffer: 64 << 20,
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: DEADLINE_MS,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ETIMEDOUT') throw error;
    throw new CannotRun(`a round takes more than ${DEADLINE_MS / 1000} s`);
  }
}

/** Runs `bench/rounds/NAME.ts WORDS…` in a fresh process. @throws CannotRun with the reason it gives. */
export function ownRound(
  name: string,
  words: readonly (string | number)[],
  env: Readonly<Record<string, string>> = {},
): Round {
  const program = `${project}/bench/rounds/${name}.ts`;
  return toldBy(run(process.execPath, ['--import', 'tsx', program, ...words.map(String)], env));
}

/** A round of any program that prints what those of bench/rounds print. */
export function foreignRound(command: string, words: readonly (string | number)[]): Round {
  return toldBy(run(command, words.map(String), {}));
}

function toldBy(output: string): Round {
  const result = JSON.parse(output) as RoundResult;
  if (result.notRun !== undefined) throw new CannotRun(result.notRun);
  if (!Array.isArray(result.us) || result.us.length === 0) throw new Error('a round reported no times');
  return { us: result.us.map((us) => Math.round(us * 100) / 100), facts: result.facts ?? {} };
}

/**
 * Times whole runs of a program from the outside, the first `warmUp` left out. `codes` are the exit codes that count as
 * having done the work.
 */
export function wholeRuns(
  words: readonly string[],
  passes: number,
  { warmUp = 1, codes = [0] as readonly number[] } = {},
): Round {
  const output = run(compiled('native/stopwatch.cc'), [String(passes + warmUp), ...words], {});
  const result = JSON.parse(output) as { us: number[]; codes: number[] };
  const failed = result.codes.find((code) => !codes.includes(code));
  if (failed !== undefined) throw new CannotRun(`${words.join(' ')} ends with ${failed}`);
  return { us: result.us.slice(warmUp).map((us) => Math.round(us * 100) / 100), facts: {} };
}

/** Runs the sides one after another, `rounds` times: A B A B. Raw values per side, `[side][round][pass]`. */
export async function alternate(
  rounds: number,
  sides: readonly (() => readonly number[] | Promise<readonly number[]>)[],
): Promise<number[][][]> {
  const raw: number[][][] = sides.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, side] of sides.entries()) raw[index]?.push([...(await side())]);
  }
  return raw;
}
