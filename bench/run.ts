/**
 * `npm run bench [-- CASE…] [--processes N] [--rounds N]`: runs the cases, prints the ratio A/B of each comparison
 * (median over the rounds, with lowest and highest) and keeps all raw values in bench/results/CASE.ndjson, a line per comparison. Ratios of one
 * run can be compared; absolute times belong to the machine and the moment.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { parseArgs } from 'node:util';
import batch from './cases/batch.ts';
import { type Case, type Comparison, median } from './cases/case.ts';
import hiddenPid from './cases/hidden-pid.ts';
import sweepProcfs from './cases/sweep-procfs.ts';

const CASES: readonly Case[] = [sweepProcfs, batch, hiddenPid];

function whole(text: string, name: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} must be a whole number from 1 on`);
  return number;
}

function figures(comparison: Comparison) {
  const a = comparison.rawA.map(median);
  const b = comparison.rawB.map(median);
  const ratios = a.map((value, index) => value / (b[index] as number));
  return {
    medianA: median(a),
    medianB: median(b),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    reached: median(ratios) <= comparison.target,
  };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    processes: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '9' },
  },
});
const options = {
  processes: whole(values.processes, 'processes'),
  rounds: whole(values.rounds, 'rounds'),
};
const unknown = positionals.filter((id) => !CASES.some((one) => one.id === id));
if (unknown.length > 0) {
  throw new Error(`no case ${unknown.join(', ')}; there are: ${CASES.map(({ id }) => id).join(', ')}`);
}

for (const one of CASES) {
  if (positionals.length > 0 && !positionals.includes(one.id)) continue;
  const { facts, comparisons } = await one.run(options);
  const results = comparisons.map((comparison) => ({ ...comparison, figures: figures(comparison) }));
  const machine = {
    cpu: cpus()[0]?.model ?? '',
    cores: cpus().length,
    kernel: release(),
    node: process.version,
  };
  const folder = new URL('results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const run = { case: one.id, at: new Date().toISOString(), machine, options, facts };
  const lines = results.map((result) => `${JSON.stringify({ ...run, ...result })}\n`);
  writeFileSync(new URL(`${one.id}.ndjson`, folder), lines.join(''));
  console.log(`${one.id}  ${JSON.stringify(facts)}`);
  for (const { name, unit, target, figures: found } of results) {
    const spread = `${found.lowest.toFixed(2)}–${found.highest.toFixed(2)}`;
    console.log(
      `  ${name}: A ${found.medianA.toFixed(0)}, B ${found.medianB.toFixed(0)} ${unit}; ` +
        `A/B ${found.ratio.toFixed(2)} (${spread}), target ≤ ${target}: ${found.reached ? 'reached' : 'MISSED'}`,
    );
  }
}
