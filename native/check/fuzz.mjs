// Every fuzz target for a bounded time, from its seeds.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { build, configure, inParallel, project, runSanitized, runtime, work } from './tools.mjs';

const targets = join(project, 'native/fuzz');

/** One target per .cc of native/fuzz. */
export const fuzzTargets = () =>
  readdirSync(targets)
    .filter((file) => file.endsWith('.cc'))
    .map((file) => basename(file, '.cc'))
    .sort();

const statistic = (output, name) =>
  Number(new RegExp(`^stat::${name}: +(\\d+)$`, 'm').exec(output)?.[1] ?? 0);

/** Builds the targets that `fuzz` runs; their names and the folder of the build. */
export async function buildFuzzers(chosen) {
  runtime('fuzzer', '.a');
  const folder = await configure('address');
  const names = fuzzTargets().filter((name) => chosen(`native/fuzz/${name}.cc`));
  const all = names.length === fuzzTargets().length;
  await build(folder, all ? ['fuzzers'] : names.map((name) => `fuzz_${name}`));
  return { folder, names };
}

export async function fuzz(tally, chosen, seconds) {
  const { folder, names } = await buildFuzzers(chosen);
  const found = join(work, 'found');
  mkdirSync(found, { recursive: true });
  await inParallel(names, async (name) => {
    const grown = join(work, 'corpus', name);
    mkdirSync(grown, { recursive: true });
    const seeds = join(targets, 'corpus', name);
    const corpora = [grown, ...(existsSync(seeds) ? [seeds] : [])];
    const limits = [
      `-max_total_time=${seconds}`,
      '-timeout=20',
      '-rss_limit_mb=2048',
      '-print_final_stats=1',
    ];
    const result = await runSanitized(
      join(folder, `fuzz_${name}`),
      [...limits, `-artifact_prefix=${join(found, name)}-`, ...corpora],
      { seconds: seconds + 120 },
    );
    const executed = statistic(result.output, 'number_of_executed_units');
    const known = corpora.reduce((sum, corpus) => sum + readdirSync(corpus).length, 0);
    if (!result.ok) {
      const inputs = readdirSync(found).filter((file) => file.startsWith(`${name}-`));
      const keep = `fix it, and keep the input as native/fuzz/corpus/${name}/found-WHAT`;
      result.output += `\ninputs: ${inputs.map((file) => relative(project, join(found, file))).join(', ')}: ${keep}`;
    } else if (executed <= known) {
      result.ok = false;
      result.output += `\n${executed} inputs in ${seconds} s: only the ${known} known ones were tried`;
    }
    const coverage = /cov: (\d+)/.exec(result.output.split('DONE')[1] ?? '')?.[1] ?? '?';
    tally.add(`fuzz ${name}`, result, `${executed} inputs, ${coverage} edges`);
  });
}
