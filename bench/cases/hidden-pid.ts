/**
 * P5: the sweep for hidden processes, two probes over the pid space and every suspect confirmed twice, against `unhide quick`
 * (Debian package unhide), in turns. A sweep of ours is timed within a running process, as the service runs it; unhide is a
 * whole process, as it can only be run. 50 processes hidden by test/support/rootkit.cc make the confirmation work; what the
 * rootkit itself costs (it stands in the way of every system call) is in that figure.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { loadNative } from '../../src/native/load.ts';
import { compiled } from '../../test/support/actor.ts';
import { startFarm } from '../../test/support/farm.ts';
import type { Case, Comparison, Options } from './case.ts';

/** unhide takes a quarter of a minute. */
const MOST_ROUNDS = 3;
const PASSES = 15;
const WARM_UP = 5;
const ALL_PASSES = 3;
const HIDDEN = 50;
const BUDGET_US = 15_000;
const round = fileURLToPath(new URL('hidden-pid-round.ts', import.meta.url));

function sweeps(passes: number, space: string, hidden: readonly number[] = []): number[] {
  const rootkit = compiled('rootkit.cc', '-shared', '-fPIC', '-ldl');
  const env =
    hidden.length === 0 ? process.env : { ...process.env, LD_PRELOAD: rootkit, HIDE_PIDS: hidden.join(',') };
  const words = ['--import', 'tsx', round, String(passes), space, String(hidden.length)];
  const times: unknown = JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8', env }));
  if (!Array.isArray(times) || times.length !== passes) throw new Error('the round told no times');
  return times.slice(Math.min(WARM_UP, passes - 1)).map(Number);
}

/** µs of one whole run. Its exit code tells what it found; it found nothing to speak of when it ended. */
function unhide(): number {
  const started = process.hrtime.bigint();
  const { error, signal } = spawnSync('unhide', ['quick'], { stdio: 'ignore' });
  if (error) throw new Error(`unhide does not run (Debian package unhide): ${error.message}`);
  if (signal !== null) throw new Error(`unhide was ended by ${signal}`);
  return Number(process.hrtime.bigint() - started) / 1000;
}

const hiddenPid: Case = {
  id: 'hidden-pid',
  async run(options: Options) {
    const { addon } = loadNative();
    await using farm = await startFarm(options.processes);
    const [pids = []] = farm.pids;
    const clean: number[][] = [];
    const hidden: number[][] = [];
    const whole: number[][] = [];
    const peer: number[][] = [];
    for (let turn = 0; turn < Math.min(MOST_ROUNDS, options.rounds); turn += 1) {
      clean.push(sweeps(PASSES, '32768'));
      peer.push([unhide()]);
      hidden.push(sweeps(PASSES, '32768', pids.slice(0, HIDDEN)));
      whole.push(sweeps(ALL_PASSES, 'all'));
    }
    const budget = clean.map(() => [BUDGET_US]);
    const against = (name: string, rawA: readonly (readonly number[])[]): Comparison => ({
      name: `${name}, against the budget`,
      a: 'one sweep of 32,768 numbers in a running process',
      b: `${BUDGET_US} µs`,
      unit: 'µs',
      rawA,
      rawB: budget,
      target: 1,
    });
    return {
      facts: { mark: addon.mark, farm: pids.length, hidden: HIDDEN, numbers: 32_768 },
      comparisons: [
        against('nothing hidden', clean),
        against(`${HIDDEN} hidden and confirmed twice`, hidden),
        {
          name: 'a thousand sweeps, against one unhide quick',
          a: '1000 times the sweep of 32,768 numbers in a running process',
          b: 'one run of unhide quick, a whole process',
          unit: 'µs',
          rawA: clean.map((passes) => passes.map((us) => us * 1000)),
          rawB: peer,
          target: 1,
        },
        {
          name: 'all 4,194,303 numbers, against one unhide quick',
          a: 'one sweep of every number a kernel can give',
          b: 'one run of unhide quick over pid_max',
          unit: 'µs',
          rawA: whole,
          rawB: peer,
          target: 1,
        },
      ],
    };
  },
};

export default hiddenPid;
