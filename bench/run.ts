/** `npm run bench`: runs the cases, prints the results and stores all raw values. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { aarch64 } from './aarch64.ts';
import { CannotRun, type Case, type Options, type Outcome, type Point } from './cases/case.ts';
import { CASES } from './cases/index.ts';
import { compareFolders } from './compare.ts';
import { project, workshop } from './compiled.ts';
import { type Farm, mayOwnNetwork, startFarm } from './farm/farm.ts';
import { asOrdinary, leashed } from './leash.ts';
import { commit, load, machine } from './machine.ts';
import { forecast, isAsked, measuredAt, type Settings, settingsOf, USAGE, UsageError } from './options.ts';
import { installPeers } from './peers/npm.ts';
import { linesOf } from './print.ts';
import { NoResults, PUBLISHED, type Row, readSomeResults, writeResults } from './results.ts';

const drive = join(project, 'bench/drive.ts');

/** Runs a case in a fresh process that ends with us, inside the farm's network namespace where it belongs there. */
async function runCase(one: Case, options: Options, farm: Farm, user: User): Promise<Outcome> {
  const inside = one.place === 'farm' ? farm.inside : [];
  const node = [process.execPath, '--import', 'tsx', drive, one.id, JSON.stringify(options)];
  const second = user === 'ordinary' && isRoot;
  const [command = '', ...words] = leashed([...inside, ...(second ? asOrdinary(node) : node)]);
  const env = second ? { ...process.env, HOME: '/nonexistent', DESK_BENCH_SECOND: '1' } : process.env;
  const child = spawn(command, words, { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`case ${one.id} ended with ${code}`);
  return JSON.parse(output) as Outcome;
}

type About = Pick<Row, 'commit' | 'machine'>;
type User = Row['machine']['user'];
const isRoot = process.geteuid?.() === 0;

/** The users that measure a case at a load. */
function usersOf(one: Case, point: Point, { user, full }: Settings): User[] {
  if (!isRoot) return user === 'root' ? [] : ['ordinary'];
  const second =
    user === 'ordinary' || one.unprivileged === 'always' || (one.unprivileged === 'full' && full);
  const able = one.unprivileged !== 'never' && second && user !== 'root';
  // Connections are read only by the listeners' case, as root.
  return [
    ...(user === 'ordinary' ? [] : (['root'] as const)),
    ...(able && point.established === 0 ? (['ordinary'] as const) : []),
  ];
}

const text = ({ processes, listeners, established }: Point): string =>
  `${processes} processes, ${listeners} listeners, ${established} connections`;

/** One case at one load; null when it failed, which is printed. */
async function rowOf(
  one: Case,
  farm: Farm,
  settings: Settings,
  { commit: tree, machine: where }: About,
  user: User,
): Promise<Row | null> {
  const { rounds, passes, full, peers, smoke } = settings;
  const started = performance.now();
  const busy = load();
  try {
    const outcome = await runCase(one, { ...farm.point, rounds, passes, full, peers, smoke }, farm, user);
    const { id, target, title } = one;
    const row: Row = {
      case: id,
      target,
      title,
      at: new Date().toISOString(),
      commit: tree,
      machine: { ...where, user },
      load: busy,
      point: farm.point,
      rounds,
      passes,
      ...outcome,
    };
    console.log(linesOf(row, ((performance.now() - started) / 1000).toFixed(0)).join('\n'));
    return row;
  } catch (error) {
    console.log(`${one.target} ${one.id} as ${user}: FAILED: ${(error as Error).message}`);
    return null;
  }
}

async function runAll(settings: Settings): Promise<number> {
  const trouble = settings.peers ? installPeers() : '';
  if (trouble !== '') console.log(`peers from npm are left out: ${trouble}`);
  const about = { commit: commit(), machine: machine() };
  const { cpu, cores, kernel, system, user } = about.machine;
  console.log(
    `${cpu}, ${cores} cores, kernel ${kernel}, ${system}, as ${user}; commit ${about.commit || '?'}`,
  );
  const asked = CASES.filter((one) => isAsked(one, settings));
  const long = forecast(asked, settings);
  if (long !== '') console.log(long);
  const rows: (Row | null)[] = [];
  for (const point of settings.points) {
    const cases = asked.filter((one) => measuredAt(one, point, settings));
    if (cases.length === 0) continue;
    console.log(`\n== ${text(point)}`);
    if (point.established > 0 && !mayOwnNetwork()) {
      console.log('not run: connections are made in a namespace of their own, as root');
      continue;
    }
    await using farm = await startFarm(point);
    for (const one of cases)
      for (const user of usersOf(one, point, settings))
        rows.push(await rowOf(one, farm, settings, about, user));
  }
  const folder = settings.out ?? (settings.publish ? PUBLISHED : join(workshop, 'results'));
  writeResults(
    folder,
    rows.filter((row) => row !== null),
  );
  const then = settings.publish ? '; npm run docs makes docs/benchmarks.md of them' : '';
  console.log(`\nraw values: ${folder}${then}`);
  return rows.includes(null) ? 1 : 0;
}

const idsOf = (long: boolean): string =>
  CASES.filter(({ minutes }) => (minutes !== undefined) === long)
    .map(({ id, minutes }) => (minutes === undefined ? id : `${id} (${minutes} min)`))
    .join(', ');

async function main(words: readonly string[]): Promise<number> {
  const [first, ...rest] = words;
  if (words.includes('--help') || words.includes('-h')) {
    console.log(`${USAGE}\n\ncases: ${idsOf(false)}\nlong cases: ${idsOf(true)}`);
    return 0;
  }
  if (first === 'compare') {
    const [before, after] = rest;
    if (before === undefined || after === undefined || rest.length > 2)
      throw new UsageError('usage: npm run bench -- compare BEFORE AFTER (folders or files of results)');
    console.log(compareFolders(readSomeResults(before), readSomeResults(after)).join('\n'));
    return 0;
  }
  if (first === '--arch') {
    const [arch, ...more] = rest;
    if (arch !== 'aarch64' || more.some((word) => word !== '--publish'))
      throw new UsageError(
        'usage: npm run bench -- --arch aarch64 [--publish]; no other architecture is emulated',
      );
    return aarch64(more.includes('--publish'));
  }
  const settings = settingsOf(
    words,
    CASES.map(({ id }) => id),
  );
  if (!isRoot && settings.user === 'root') throw new UsageError('--user root needs root');
  return runAll(settings);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError || error instanceof CannotRun || error instanceof NoResults)) throw error;
  console.error(`bench: ${error.message}`);
  process.exitCode = 2;
}
