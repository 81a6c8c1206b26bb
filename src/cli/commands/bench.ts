import { dim, good, strong, type Terminal } from '../../base/terminal.ts';
import { wholeNumber } from '../../desk/failure.ts';
import type { Bench, Figure } from '../bench-measure.ts';
import type { CliCommand } from '../command.ts';

export const bench: CliCommand = {
  name: 'bench',
  summary:
    'Measures the engine on this machine, with every CPU build it can run, and compares it with ps and ss',
  options: [
    { flags: '--no-peers', meaning: 'start no other program for comparison' },
    { flags: '--turns <number>', meaning: 'times each work is measured, 1 to 1000 (default 15)' },
  ],
  examples: [
    ['desk bench', 'some seconds; the service may run beside it'],
    ['sudo desk bench --json', 'as root, with all raw values'],
  ],
  async run({ answer, env, withDesk }, { options }) {
    const { measureBench } = await import('../bench-measure.ts');
    const turns = wholeNumber('--turns', options.turns ?? 15, 1, 1000);
    const path = options.peers === false ? null : (env.PATH ?? '');
    const result = await withDesk((desk) => measureBench(desk, { turns, path }));
    return answer(result, (out) => show(out, result, turns));
  },
};

/** µs with three digits that count; ms from a thousand on. */
function time(us: number): string {
  const [value, unit] = us >= 1000 ? [us / 1000, 'ms'] : [us, 'µs'];
  return `${Number(value.toPrecision(3))} ${unit}`;
}

const perPair = ({ median_us, pairs }: Bench['batches'][number]): number =>
  Number(((median_us * 1000) / pairs).toPrecision(2));

function show(
  out: Terminal,
  { machine, engine, seen, figures, peers, absent, marks, batches }: Bench,
  turns: number,
): void {
  const { cpu, cores, kernel } = machine;
  out.line(strong(`backend ${engine.backend}, build ${engine.mark}`), dim(`  ${engine.workers} workers`));
  out.line(dim(`  ${cpu}, ${cores} cores, kernel ${kernel}`));
  out.line(
    dim(
      `  ${seen.processes} processes, ${seen.listeners} listeners, ${seen.pairs} pairs of check and subject`,
    ),
  );
  const row = (name: string, figure: Figure, last: string | ReturnType<typeof good>) => [
    name,
    time(figure.median_us),
    dim(`${time(figure.lowest_us)} to ${time(figure.highest_us)}`),
    last,
  ];
  out.table(
    [{ title: '' }, { title: 'median', align: 'right' }, { title: 'spread' }, { title: '', shrink: 'start' }],
    [
      ...figures.map((figure) => row(figure.work, figure, figure.does)),
      ...marks.map((figure) => row(`build ${figure.mark}`, figure, figure.does)),
      ...batches.map((figure) =>
        row(`batch ${figure.mark}`, figure, `${figure.does}: ${perPair(figure)} ns for a check of a row`),
      ),
      ...peers.map((figure) =>
        row(figure.does, figure, good(`a whole run: ${figure.times} times our ${figure.like}`)),
      ),
    ],
  );
  if (absent.length > 0) out.line(dim(`  not compared, since not installed: ${absent.join(', ')}`));
  if (figures.every(({ us }) => us.length < Math.min(5, turns)))
    out.line(dim('  few turns: this machine is slow or busy'));
}
