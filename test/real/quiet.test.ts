/** A quiet machine stays quiet: nothing above low after the desk has learned by itself, while all of it goes on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { programWords } from '../support/entry.ts';
import { type Counts, insideMachine, makeMachineHome } from '../support/quiet-machine.ts';
import { needs, projectRoot } from '../support/require.ts';
import type { Watched } from './quiet-watch.ts';

const test = suite('quiet machine');
const long = process.env.DESK_LONG === '1';
/** Seconds watched after the first learning. */
const watchedSec = Number(process.env.DESK_QUIET_SEC ?? (long ? 900 : 15));
/** Between rechecks: in a pid namespace there are no events, and what lives for less is not seen. */
const periodMs = long ? 200 : 50;

type Report = Watched & { readonly counts: Counts; readonly without: readonly string[] };

async function report(home: string): Promise<Report> {
  const program = programWords('quiet-report.ts', import.meta.url);
  const watch = [process.execPath, ...program, home, String(watchedSec), String(periodMs)];
  const [command = '', ...args] = insideMachine(home, watch);
  const child = spawn(command, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const timer = setTimeout(() => child.kill('SIGKILL'), (watchedSec + 120) * 1000);
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
  'a build, a browser, containers, services and a terminal: no finding above low after first learning',
  async () => {
    const home = makeMachineHome();
    try {
      const { counts, loud, ...told } = await report(home);
      console.log(JSON.stringify({ counts, ...told }, null, 2));
      assert.equal(
        loud.map(({ check, severity, times, summary, evidence }) => ({
          ...{ check, severity, times, summary, evidence },
        })),
        [],
      );
      // The scene was no empty one, and the desk saw it.
      for (const [name, least] of Object.entries({ born: 1000, compiles: 5, containers: 8, jobs: 10 }))
        assert.ok(counts[name as keyof Counts] >= least, `${name}: ${counts[name as keyof Counts]}`);
      assert.ok(told.shortLived > 0);
      assert.ok(told.without.length > 0 || counts.pages > 0);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
);

test.run();
