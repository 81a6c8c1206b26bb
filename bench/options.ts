/** The arguments of `npm run bench --`. Pure: their meaning, or the error. */
import { parseArgs } from 'node:util';
import type { Case, Point } from './cases/case.ts';

export interface Settings {
  /** The named cases; empty: all that run by default. */
  readonly cases: readonly string[];
  readonly points: readonly Point[];
  readonly rounds: number;
  readonly passes: number;
  readonly full: boolean;
  readonly peers: boolean;
  readonly mark: boolean;
  readonly publish: boolean;
  /** Tests that each case works: once, at a small load, in its shortest form. Its figures are meaningless. */
  readonly smoke: boolean;
  /** The user that runs the cases: `both` has a second pass as an ordinary user, where we are root and that makes sense. */
  readonly user: 'both' | 'root' | 'ordinary';
  /** Folder for the results; undefined: build/bench/results, or bench/results when published. */
  readonly out: string | undefined;
}

export const USAGE = `usage:
  npm run bench -- [CASE…] [options]        measure; without CASE all of them but the long ones
  npm run bench -- compare BEFORE AFTER     what changed beyond noise between two folders or files of results
  npm run bench -- --arch aarch64 [--publish]   correctness and instruction counts under qemu, never times

  --full             more rounds and loads (100, 1,000, 5,000 processes; 0, 2,000, 20,000 connections), slow peers,
                     and the long cases, which else run by their name only; prints an estimate first
  --peers            fetch peers that npm has, and ask those that take seconds
  --mark             compare the builds of this machine with each other
  --user WHO         root, ordinary, or both (default, where we are root)
  --smoke            each case once in its shortest form at a small load, to see that it runs; the long ones by name only
  --rounds N         times each side runs, in turns
  --processes N, --established K   one load instead of several
  --out FOLDER       where the raw values go (default build/bench/results)
  --publish          to bench/results, from which "npm run docs" makes docs/benchmarks.md`;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The load that targets are stated for; others show growth. */
export const BASE: Point = { processes: 1000, listeners: 20, established: 0 };

const at = (change: Partial<Point>): Point => ({ ...BASE, ...change });
const SMALL = at({ processes: 40 });
const QUICK: readonly Point[] = [BASE, at({ established: 2000 })];
const FULL: readonly Point[] = [
  at({ processes: 100 }),
  BASE,
  at({ processes: 5000 }),
  at({ established: 2000 }),
  at({ established: 20_000 }),
];

function whole(text: string, name: string, least: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least)
    throw new UsageError(`--${name} must be a whole number from ${least} on, not ${JSON.stringify(text)}`);
  return number;
}

export function settingsOf(
  words: readonly string[],
  known: readonly string[],
  isRoot = process.geteuid?.() === 0,
): Settings {
  const parsed = parse(words);
  const { values, positionals } = parsed;
  const unknown = positionals.filter((id) => !known.includes(id));
  if (unknown.length > 0)
    throw new UsageError(`there is no case ${unknown.join(', ')}; there are ${known.join(', ')}`);
  const { processes, established, full = false, smoke = false } = values;
  const rounds = values.rounds ?? (smoke ? '1' : undefined);
  if (smoke && (full || values.publish))
    throw new UsageError('--smoke is neither --full nor to be published');
  const fixed = processes !== undefined || established !== undefined;
  const point = at({
    ...(processes === undefined ? {} : { processes: whole(processes, 'processes', 21) }),
    ...(established === undefined ? {} : { established: whole(established, 'established', 0) }),
  });
  return {
    cases: positionals,
    points: fixed ? [point] : smoke ? [SMALL] : full ? FULL : QUICK,
    rounds: rounds === undefined ? (full ? 7 : 3) : whole(rounds, 'rounds', 1),
    passes: full ? 16 : smoke ? 1 : 8,
    full,
    peers: values.peers ?? false,
    mark: values.mark ?? false,
    publish: values.publish ?? false,
    smoke,
    user: userOf(values.user ?? (smoke && isRoot ? 'root' : 'both')),
    out: values.out,
  };
}

function userOf(text: string): Settings['user'] {
  if (text === 'both' || text === 'root' || text === 'ordinary') return text;
  throw new UsageError(`--user must be root, ordinary or both, not ${JSON.stringify(text)}`);
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        full: { type: 'boolean' },
        peers: { type: 'boolean' },
        mark: { type: 'boolean' },
        publish: { type: 'boolean' },
        smoke: { type: 'boolean' },
        out: { type: 'string' },
        user: { type: 'string' },
        rounds: { type: 'string' },
        processes: { type: 'string' },
        established: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Whether a case is run: by default, by name, or in the long form. */
export function isAsked({ id, minutes }: Case, { cases, full, mark }: Settings): boolean {
  if (cases.length > 0) return cases.includes(id);
  return minutes === undefined || full || (mark && id === 'marks');
}

/** About what every load and peer takes in the long form, beside the long cases. */
const LOADS_MINUTES = 60;

/** How long a run with these cases will take, in words; "" if it takes a few minutes. */
export function forecast(asked: readonly Case[], { cases, full }: Settings): string {
  const parts = [
    ...(full && cases.length === 0 ? [{ id: 'every load and peer', minutes: LOADS_MINUTES }] : []),
    ...asked.flatMap(({ id, minutes }) => (minutes === undefined ? [] : [{ id, minutes }])),
  ];
  if (parts.length === 0) return '';
  const all = parts.reduce((sum, { minutes }) => sum + minutes, 0);
  const each = parts.map(({ id, minutes }) => `${id} ${minutes}`).join(', ');
  return `this takes about ${all} minutes on two idle cores: ${each}`;
}

/** Whether a case is measured at a point: at the base always, elsewhere where its work grows, and where it was asked for. */
export function measuredAt(one: Case, point: Point, { points }: Settings): boolean {
  if (points.length === 1) return true;
  const differs = (['processes', 'established'] as const).filter((key) => point[key] !== BASE[key]);
  return differs.every((key) => one.grows.includes(key));
}
