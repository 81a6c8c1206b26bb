/**
 * A busy machine without anything wrong stays quiet: after the desk has learned automatically, each finding has a known reason,
 * and none is above low except a program that a package upgrade has changed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync, rmSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { programWords } from '../support/entry.ts';
import { isLong, tellFigure } from '../support/long-form.ts';
import { type Counts, insideMachine, makeMachineHome } from '../support/quiet-machine.ts';
import { needs, projectRoot } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';
import { packaged } from '../support/upgrades.ts';
import type { Found, Watched } from './quiet-watch.ts';

const test = suite('quiet machine');
/** Seconds watched after the first learning. */
const watchedSec = Number(process.env.DESK_QUIET_SEC ?? (isLong ? 3600 : 15));
/** Time between rechecks: in a pid namespace there are no events, so shorter-lived processes are not seen. */
const periodMs = isLong ? 200 : 50;
/** Time between two upgrades of packages, or two new programs of the user. */
const changeSec = isLong ? 300 : 6;

type Report = Watched & { readonly counts: Counts; readonly without: readonly string[] };

const programOf = ({ subject, evidence }: Found): string =>
  String(subject.kind === 'file' ? subject.path : (evidence.executable ?? ''));
const isPackaged = (found: Found): boolean =>
  Object.values<string>(packaged).some((path) => programOf(found).startsWith(path));

/** Whether a link of the system, such as /usr/bin/c++, leads to the program. */
function leadsTo(link: string, program: string): boolean {
  try {
    return realpathSync(link) === program;
  } catch {
    return false;
  }
}

/** The findings that are allowed, with the reasons. */
const reasons: readonly { check: string; of: (found: Found) => boolean; why: string }[] = [
  { check: 'changed-program', of: isPackaged, why: 'its package was upgraded' },
  { check: 'deleted-executable', of: isPackaged, why: 'runs the old program of an upgraded package' },
  {
    check: 'writable-code',
    of: ({ severity, summary }) => severity === 'low' && summary.includes('callbacks of libffi'),
    why: 'Python calls C with a callback',
  },
  {
    check: 'name-mismatch',
    of: ({ evidence }) => leadsTo(`/usr/bin/${evidence.comm}`, String(evidence.executable)),
    why: 'started by a link of that name',
  },
  { check: 'deleted-library', of: () => true, why: 'uses the old library of an upgraded package' },
  {
    check: 'unlearned-process',
    of: (found) => /^\/home\/desk-quiet-\w+\/tool-\d+$/.test(programOf(found)),
    why: 'a new program of the user',
  },
  {
    check: 'unknown-local-listener',
    of: ({ severity }) => severity === 'low',
    why: 'a test or the browser on a port of the kernel’s choice',
  },
];
const reasonOf = (found: Found): string | undefined =>
  reasons.find(({ check, of }) => check === found.check && of(found))?.why;

async function report(home: string): Promise<Report> {
  const program = programWords('quiet-report.ts', import.meta.url);
  const watch = [process.execPath, ...program, home, ...[watchedSec, periodMs, changeSec].map(String)];
  const [command = '', ...args] = insideMachine(home, watch);
  const child = spawn(command, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const timer = setTimeout(() => child.kill('SIGKILL'), watchedSec * 1000 + patientMs(120_000));
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  assert.is(code, 0, output.stderr);
  return JSON.parse(output.stdout) as Report;
}

needs(
  'root',
  'namespaces',
  'ip',
  'compiler',
  'make',
  'bwrap',
)(
  test,
  'a build, a browser, containers, services, a terminal, jobs and package upgrades: each finding has a reason',
  async () => {
    const home = makeMachineHome();
    try {
      const { counts, found, history, ...watched } = await report(home);
      console.log(JSON.stringify({ counts, found, history, ...watched }, null, 2));
      const perHour = (count: number) => Math.round((count * 3_600_000) / watched.watchedMs);
      tellFigure('findings opened per hour', perHour(history.opened));
      tellFigure('findings closed per hour', perHour(history.closed));
      const byReason = new Map<string, number>();
      for (const one of found) {
        const name = `${one.check}, ${one.severity}: ${reasonOf(one) ?? 'without a reason'}`;
        byReason.set(name, (byReason.get(name) ?? 0) + one.times);
      }
      for (const [name, times] of byReason) tellFigure(name, times);
      const unreasoned = found.filter((one) => reasonOf(one) === undefined);
      tellFigure('findings without a reason', unreasoned.length);
      for (const name of ['born', 'compiles', 'containers', 'jobs', 'upgrades'] as const)
        tellFigure(`in the scene: ${name}`, counts[name]);
      tellFigure('short-lived unlearned processes, counted only', watched.shortLived);
      tellFigure('of one core, the service and its helpers', watched.cpuShare * 100, '%');
      assert.equal(
        unreasoned.map(({ check, severity, times, summary, evidence }) => ({
          ...{ check, severity, times, summary, evidence },
        })),
        [],
      );
      const loud = found.filter(({ severity }) => severity !== 'low');
      assert.ok(loud.every(({ check, severity }) => check === 'changed-program' && severity === 'medium'));
      // The scene must have been busy, and the desk must have seen it.
      for (const [name, least] of Object.entries({
        born: 1000,
        compiles: 5,
        containers: 8,
        jobs: 10,
        tools: 1,
      }))
        assert.ok(counts[name as keyof Counts] >= least, `${name}: ${counts[name as keyof Counts]}`);
      assert.ok(watched.shortLived > 0 && found.length > 0);
      assert.ok(watched.without.length > 0 || (counts.pages > 0 && counts.upgrades > 0));
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
);

test.run();
