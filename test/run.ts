/**
 * `npm test` runs the test files that no group of `groups.ts` leaves out, `npm run test:all` runs all, `npm test -- PATTERN…` those
 * of all whose path contains one of the words. Each file has a fresh process; two run at a time (`DESK_TEST_LANES`), in the phases
 * of `groups.ts`. `--phases=NAME,…` runs only those.
 * The last line is `N passed, N failed, N skipped`.
 *
 * `DESK_TEST_ENTRY=dist` runs them against `dist`, compiled and without a loader: the default without a PATTERN, because each of the
 * many processes starts in a third of the time (`dist` is rebuilt first if it is older than `src`). `DESK_TEST_ENTRY=src` runs the
 * sources through tsx: the default with a PATTERN.
 *
 * `DESK_TEST_SECOND_RUNS=N`: up to N failed files of the groups in `TIMING` run once more, alone, after all others. One that passes then
 * counts as passed and is listed as `unstable`; the output of its first run stays above. With more failed files there is no second run.
 *
 * A file counts as failed when it ends without a summary, times out, exits with a code other than 0, or when a hook swallows tests.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { GROUPS, groupsOf, LONGEST, PHASES, type Phase, phaseOf } from './groups.ts';
import { buildPages } from './support/built-pages.ts';
import { buildTests } from './support/built-tests.ts';
import { missing } from './support/require.ts';
import { fileTimeoutMs } from './support/time-limit.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const mostSecondRuns = Number(process.env.DESK_TEST_SECOND_RUNS ?? 0);
const lanes = Number(process.env.DESK_TEST_LANES ?? Math.min(2, availableParallelism()));
/** Groups whose files wait for real processes, browsers and servers: what else runs on the machine can make them fail. */
const TIMING = ['machine', 'alone', 'systems', 'quiet', 'browser', 'mail', 'services'];
/** A file of the short run that takes longer is named at its end. */
const slowMs = 30_000;

interface Outcome {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  /** One sentence per skipped test. */
  readonly skipped: readonly string[];
  readonly output: string;
  /** Why the file as a whole failed, "" when it did not. */
  readonly trouble: string;
  readonly ms: number;
}

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return ['fixtures', 'golden'].includes(entry.name) ? [] : testFiles(path);
      return entry.name.endsWith('.test.ts') ? [path] : [];
    })
    .sort();
}

/** The counts of uvu's summary (the last one printed); null when there is none. */
function summary(output: string): { total: number; passed: number; skipped: number } | null {
  const found = [...output.matchAll(/^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)$/gm)].at(-1);
  return found ? { total: Number(found[1]), passed: Number(found[2]), skipped: Number(found[3]) } : null;
}

function judge(
  file: string,
  output: string,
  ended: string,
  skipLines: readonly string[],
  ms: number,
): Outcome {
  const counts = summary(stripVTControlCharacters(output));
  if (!counts)
    return { file, passed: 0, failed: 1, skipped: [], output, trouble: ended || 'no test ran', ms };
  // uvu drops what a `before` hook throws: tests that did not pass are failures, whatever the exit code says.
  const failed = Math.max(counts.total - counts.passed, ended ? 1 : 0);
  const nameless = Math.max(0, counts.skipped - skipLines.length);
  const skipped = [...skipLines, ...Array<string>(nameless).fill('skipped without a reason')];
  const dropped = failed > 0 && !ended ? 'a hook failed: tests did not run' : ended;
  const nothing = counts.total === 0 && skipped.length === 0;
  return {
    file,
    passed: counts.passed,
    failed: nothing ? 1 : failed,
    skipped,
    output,
    trouble: nothing ? 'no test ran' : dropped,
    ms,
  };
}

function runFile(path: string, folder: string): Promise<Outcome> {
  const file = relative(root, path);
  const skipFile = join(folder, file.replaceAll('/', '-'));
  const started = performance.now();
  return new Promise((done) => {
    // A process group of its own: what a hung test started ends with it.
    const words = built === null ? ['--import', 'tsx', path] : [join(built, file.replace(/ts$/, 'js'))];
    const child = spawn(process.execPath, words, {
      cwd: root,
      detached: true,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', DESK_SKIPPED_FILE: skipFile },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    let late = '';
    let lingering: NodeJS.Timeout | undefined;
    // Only while the child is ours to reap: afterwards its number may be another's.
    const endGroup = () => {
      if (child.pid && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, 'SIGKILL');
    };
    const timer = setTimeout(() => {
      late = `did not end within ${fileTimeoutMs / 1000} s and was killed (DESK_TEST_TIMEOUT_MS)`;
      endGroup();
    }, fileTimeoutMs);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => chunks.push(data));
    const finish = (ended: string) => {
      clearTimeout(timer);
      clearTimeout(lingering);
      running.delete(endGroup);
      const skipped = existsSync(skipFile) ? readFileSync(skipFile, 'utf8').trimEnd().split('\n') : [];
      const ms = Math.round(performance.now() - started);
      done(judge(file, Buffer.concat(chunks).toString('utf8'), ended, skipped, ms));
    };
    running.add(endGroup);
    child.on('error', (error) => finish(`could not start: ${error.message}`));
    child.on('exit', () => {
      lingering = setTimeout(() => {
        late ||= 'left a process behind that holds its output';
        for (const stream of [child.stdout, child.stderr]) stream.destroy();
      }, 5000);
    });
    child.on('close', (code, signal) =>
      finish(late || (signal ? `killed by ${signal}` : code === 0 ? '' : `exit code ${code}`)),
    );
  });
}

function report(outcome: Outcome): void {
  const { file, passed, failed, skipped, trouble, ms, output } = outcome;
  const counts = `${passed} passed${failed ? `, ${failed} failed` : ''}${skipped.length ? `, ${skipped.length} skipped` : ''}`;
  console.log(
    `${failed ? 'FAIL' : ' ok '} ${file}  ${counts}  ${(ms / 1000).toFixed(1)} s${trouble ? `  ${trouble}` : ''}`,
  );
  if (failed) console.log(output.replace(/^(?=.)/gm, '     '));
}

async function runAll(files: readonly string[], parallel: number, folder: string): Promise<Outcome[]> {
  const queue = [...files];
  const outcomes: Outcome[] = [];
  const lane = async () => {
    for (let path = queue.shift(); path; path = queue.shift()) {
      const outcome = await runFile(path, folder);
      outcomes.push(outcome);
      report(outcome);
    }
  };
  await Promise.all(Array.from({ length: parallel }, lane));
  return outcomes;
}

/** One line: how many tests were left out for which reason, and how to enable them. Each reason follows `name: `. */
function leftOut(lines: readonly string[]): string {
  const reasons = new Map<string, number>();
  for (const line of lines) {
    const reason = line.slice(line.lastIndexOf(': ') + 2);
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const packages = [...reasons.keys()].flatMap(
    (reason) => /\(Debian package ([\w.+-]+)\)$/.exec(reason)?.[1] ?? [],
  );
  const cures = [
    ...(packages.length > 0 ? [`apt install ${[...new Set(packages)].sort().join(' ')}`] : []),
    ...(reasons.has('needs root') ? ['run as root'] : []),
  ];
  const parts = [...reasons].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count} (${reason})`);
  return `left out ${lines.length} tests: ${parts.join(', ')}${cures.length > 0 ? `; to have them: ${cures.join(', ')}` : ''}`;
}

const running = new Set<() => void>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const endGroup of running) endGroup();
    process.exit(1);
  });
}

const words = process.argv.slice(2);
const all = words.includes('--all');
const asked = words.find((word) => word.startsWith('--phases='))?.slice('--phases='.length);
const phases = PHASES.filter((phase) => asked === undefined || asked.split(',').includes(phase));
const patterns = words.filter((word) => !word.startsWith('--'));
const found = testFiles(join(root, 'test')).filter(
  (path) => patterns.length === 0 || patterns.some((pattern) => relative(root, path).includes(pattern)),
);
const groupOf = (path: string): string | undefined =>
  all || patterns.length > 0 ? undefined : groupsOf(relative(root, path))[0];
const files = found.filter((path) => groupOf(path) === undefined);
process.env.DESK_TEST_ENTRY ??= patterns.length === 0 ? 'dist' : 'src';
const ofBuild = process.env.DESK_TEST_ENTRY === 'dist';
if (ofBuild && missing('dist') !== null) {
  // Types are checked by `npm run lint`.
  const compiler = join(root, 'node_modules/typescript/lib/tsc.js');
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--noCheck'], {
    cwd: root,
    stdio: 'inherit',
  });
  chmodSync(join(root, 'dist/cli/main.js'), 0o755);
}
if (ofBuild) buildPages();
const folder = mkdtempSync(join(tmpdir(), 'desk-test-run-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
// Some of their programs run as another user.
chmodSync(folder, 0o755);
const built = ofBuild ? buildTests(root, join(folder, 'project')) : null;
/** Those that begin first have the lowest: the longest, then those of the running machine. */
function turnOf(path: string): number {
  const file = relative(root, path);
  if (LONGEST.includes(file)) return LONGEST.indexOf(file);
  return file.startsWith('test/real/') ? LONGEST.length : LONGEST.length + 1;
}
const parallel: Partial<Record<Phase, number>> = { machine: Math.min(2, lanes), alone: 1 };
const firstOutcomes: Outcome[] = [];
for (const phase of phases) {
  const those = files.filter((path) => phaseOf(relative(root, path)) === phase);
  const ordered = those.toSorted((one, other) => turnOf(one) - turnOf(other));
  firstOutcomes.push(...(await runAll(ordered, parallel[phase] ?? lanes, folder)));
}
const failedFiles = firstOutcomes.filter((outcome) => outcome.failed > 0).map(({ file }) => file);
const again = failedFiles.filter((file) => groupsOf(file).some((group) => TIMING.includes(group)));
const second =
  failedFiles.length <= mostSecondRuns
    ? await runAll(
        again.map((file) => join(root, file)),
        1,
        folder,
      )
    : [];
const outcomes = firstOutcomes.map((first) => second.find(({ file }) => file === first.file) ?? first);
const sum = (count: (outcome: Outcome) => number) =>
  outcomes.reduce((total, outcome) => total + count(outcome), 0);
const [passed, failed, skipped] = [sum((o) => o.passed), sum((o) => o.failed), sum((o) => o.skipped.length)];
for (const outcome of outcomes)
  for (const reason of outcome.skipped) console.log(`skipped  ${outcome.file}: ${reason}`);
for (const { file, failed } of second)
  if (failed === 0) console.log(`unstable  ${file}: failed, then passed when run again alone`);
for (const outcome of outcomes) if (outcome.failed) console.log(`failed  ${outcome.file}`);
if (skipped > 0) console.log(leftOut(outcomes.flatMap((outcome) => outcome.skipped)));
if (files.length < found.length) {
  const slow = outcomes
    .filter(({ ms }) => ms > slowMs)
    .map(({ file, ms }) => `${file} (${Math.round(ms / 1000)} s)`);
  if (slow.length > 0)
    console.log(`slow for this run, consider a group of test/groups.ts for them: ${slow.join(', ')}`);
  const counts = Object.keys(GROUPS).flatMap((name) => {
    const count = found.filter((path) => groupOf(path) === name).length;
    return count > 0 ? `${name} ${count}` : [];
  });
  console.log(
    `not run: ${found.length - files.length} slower files, by group of test/groups.ts: ${counts.join(', ')}; all tests: npm run test:all`,
  );
}
if (files.length === 0) console.log(`no test file matches ${words.join(' ')}`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
