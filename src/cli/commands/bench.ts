import { dim, good, strong, type Terminal } from '../../base/terminal.ts';
import type { Bench, Figure } from '../bench-measure.ts';
import type { Command } from '../command.ts';
import { exit, Failure } from '../failure.ts';

export const bench: Command = {
  name: 'bench',
  summary: 'Measures the engine on this machine, on every mark it can run, beside ps and ss',
  options: [
    { flags: '--no-peers', meaning: 'start no other program for comparison' },
    { flags: '--turns <number>', meaning: 'times each work is measured, 1 to 1000 (default 15)' },
  ],
  examples: [
    ['desk bench', 'some seconds; the service may run beside it'],
    ['sudo desk bench --json', 'as root, with all raw values'],
  ],
  async run({ out, json, env, withDesk }, { options }) {
    const { measureBench } = await import('../bench-measure.ts');
    const peers = options.peers !== false;
    const turns = turnsOf(options.turns);
    const path = peers ? (env.PATH ?? '') : null;
    const result = await withDesk((desk) => measureBench(desk, { turns, path }));
    if (json) out.json(result);
    else show(out, result, turns);
    return exit.ok;
  },
};

function turnsOf(text: string | boolean | undefined): number {
  const turns = text === undefined ? 15 : Number(text);
  if (Number.isInteger(turns) && turns >= 1 && turns <= 1000) return turns;
  throw new Failure(
    exit.usage,
    `--turns ${text} is not a whole number from 1 to 1000.`,
    '',
    'Leave it out for 15.',
  );
}

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
  out.line(strong(`backend ${engine.backend}, mark ${engine.mark}`), dim(`  ${engine.workers} workers`));
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
      ...marks.map((figure) => row(`mark ${figure.mark}`, figure, figure.does)),
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
