/**
 * Cases of what must never happen: the long forms of tests, run by the tests' own runner. The test counts and judges, and reports
 * its figures (test/support/long-form.ts); here they are stored, with their goals.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from '../../test/support/long-form.ts';
import { project } from '../compiled.ts';
import { leashed } from '../leash.ts';
import type { Case, Comparison, Goal } from './case.ts';

/** A run that takes this many times longer than stated counts as hung. */
const PATIENCE = 6;

interface LongForm {
  readonly id: string;
  readonly target: string;
  readonly title: string;
  /** Path of the test, below `test/`. */
  readonly test: string;
  /** Approximate, on two otherwise idle cores. */
  readonly minutes: number;
  /** Goals of the figures, by name. */
  readonly goals: Readonly<Record<string, readonly Goal[]>>;
}

export interface Ran {
  readonly figures: readonly Figure[];
  /** Output of the runner, up to its last line `N passed, N failed, N skipped`. */
  readonly output: string;
  readonly seconds: number;
}

const NONE: Goal = { of: 'value', atMost: 0 };

/** Every figure as a comparison without a peer, goals without a figure as not run, and the failed tests. Pure. */
export function comparisonsOf(
  { test, goals }: Pick<LongForm, 'test' | 'goals'>,
  { figures, output, seconds }: Ran,
): Comparison[] {
  const counts = /(\d+) passed, (\d+) failed, \d+ skipped\s*$/.exec(output);
  const skipped = /^skipped {2}\S+: .*: (.+)$/m.exec(output)?.[1];
  const alone = (a: string, { name, value, unit }: Figure, asked: readonly Goal[]): Comparison => ({
    ...{ name, goals: asked, a, unit, rawA: [[value]], warmUp: 0 },
  });
  const comparisons = figures.map((figure) =>
    alone(`as ${test} counts it, long form`, figure, goals[figure.name] ?? []),
  );
  const missing = Object.entries(goals)
    .filter(([name]) => !figures.some((figure) => figure.name === name))
    .map(([name, asked]) => ({
      name,
      goals: asked,
      notRun: skipped ?? 'the test ended before it was reported',
    }));
  const failed = { name: 'failed tests', value: counts === null ? 1 : Number(counts[2]), unit: '' };
  const time = { name: 'time', value: Math.round(seconds), unit: 's' };
  return [
    ...comparisons,
    ...missing,
    ...(counts?.[1] === '0' && failed.value === 0
      ? []
      : [alone(`of ${test}, whatever the reason`, failed, [NONE]), alone('of the whole test', time, [])]),
  ];
}

async function run({ test, minutes }: LongForm): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'desk-long-'));
  const file = join(folder, 'figures');
  const started = performance.now();
  try {
    const words = [process.execPath, '--import', 'tsx', join(project, 'test/run.ts'), test];
    // The runner ends what it started when it is asked to.
    const [command = '', ...rest] = leashed(words, 'TERM');
    const child = spawn(command, rest, {
      cwd: project,
      env: {
        ...process.env,
        DESK_LONG: '1',
        DESK_FIGURES_FILE: file,
        DESK_TEST_TIMEOUT_MS: String(PATIENCE * minutes * 60_000),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await once(child, 'close');
    // The reason of a failure is not in the figures.
    if (/^failed /m.test(output)) process.stderr.write(output);
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
    return {
      figures: lines.map((line) => JSON.parse(line) as Figure),
      output,
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function longForm(form: LongForm): Case {
  const { id, target, title, minutes } = form;
  return {
    id,
    target,
    title,
    minutes,
    place: 'host',
    grows: [],
    unprivileged: 'never',
    run: async () => ({ facts: {}, comparisons: comparisonsOf(form, await run(form)) }),
  };
}
