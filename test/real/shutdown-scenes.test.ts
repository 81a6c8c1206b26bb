/** Shutdowns in which something happens at one exact point, each in separate namespaces with the stage as pid 1. */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ShutdownOutcome } from '../../src/features/remedies/shutdown.ts';
import { programWords } from '../support/entry.ts';
import { isLong, tellFigure } from '../support/long-form.ts';
import { projectRoot, testsNeeding } from '../support/require.ts';
import { stageProgram } from '../support/stage.ts';
import { patientMs } from '../support/time-limit.ts';

const test = suite('shutdown scenes');
const it = testsNeeding(test, 'compiler', 'root', 'namespaces', 'ip');
const run = promisify(execFile);

/** Plays a scene of `shutdown-scenes.ts` as pid 2 of separate namespaces, with the stage as pid 1. */
async function play<T>(...scene: readonly string[]): Promise<T> {
  const words = ['--pid', '--net', '--mount', '--fork', '--mount-proc', '--kill-child', 'sh', '-c'];
  const program = programWords('../support/shutdown-scenes.ts', import.meta.url);
  const shell = 'ip link set lo up 2>/dev/null; exec "$@"';
  const command = [stageProgram(), '--', process.execPath, ...program, ...scene];
  const { stdout } = await run('unshare', [...words, shell, 'sh', ...command], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: '/tmp' },
    maxBuffer: 1 << 26,
    timeout: isLong ? 0 : patientMs(150_000),
  });
  return JSON.parse(stdout) as T;
}

it('a listener held by pid 1, alone or with its service, is refused with a command to run; one held by the service alone is not', async () => {
  const { alone, beside, before, service, child, after } = await play<{
    readonly alone: ShutdownOutcome;
    readonly beside: ShutdownOutcome;
    readonly before: string;
    readonly service: number;
    readonly child: ShutdownOutcome;
    readonly after: string;
  }>('init');
  for (const { result, text, advice } of [alone, beside]) {
    assert.equal([result, text], ['refused', 'pid 1 holds it, and is never signalled']);
    // If the test runs in a container or unit, that is named instead of the search for one.
    assert.match(advice, /systemctl (--user )?stop \S+\.socket|docker stop/);
  }
  assert.is(before, 'none');
  assert.equal([child.result, after], ['closed', `${service}:15`]);
});

it('when a holder passes its socket on during the shutdown, only the new holder is signalled', async () => {
  const { from, to, outcome, dead } = await play<{
    readonly from: number;
    readonly to: number;
    readonly outcome: ShutdownOutcome;
    readonly dead: string;
  }>('hand-over');
  assert.equal([outcome.result, outcome.text], ['closed', `it is down after SIGTERM to pid ${to}`]);
  assert.is(dead, `${to}:15`);
  assert.is.not(from, to);
});

it('a process that was given a listener of another user, before or during the shutdown, is not signalled', async () => {
  const { bystander, late, early, asked, dead } = await play<{
    readonly bystander: number;
    readonly late: ShutdownOutcome;
    readonly early: ShutdownOutcome;
    readonly asked: readonly string[];
    readonly dead: string;
  }>('planted');
  for (const { result, text } of [late, early]) {
    assert.is(result, 'refused');
    assert.match(text, new RegExp(`^uid 65534 made it and \\S+ \\(pid ${bystander}, uid 0\\) holds it`));
  }
  // The native call checks on its own, whatever the caller concluded.
  assert.equal(asked, ['not-maker', 'not-maker']);
  assert.is(dead, 'none');
});

interface Churn {
  readonly swaps: number;
  readonly shutDown: number;
  readonly bystanders: number;
  /** Rounds with a signal to a wrong process, or without a signal to the victim. */
  readonly wrong: readonly string[];
}

const rounds = isLong ? 100_000 : 500;
/** Stages that run in parallel, each with its own pids. */
const lanes = isLong ? availableParallelism() : 1;
it(`${rounds} rounds in which the victim's pid is reused: never a wrong signal`, async () => {
  const shares = Array.from({ length: lanes }, (_, lane) => Math.floor((rounds + lane) / lanes));
  const played = await Promise.all(shares.map((share) => play<Churn>('churn', String(share))));
  const sum = (count: (churn: Churn) => number) => played.reduce((total, churn) => total + count(churn), 0);
  const real = shares.reduce((total, share) => total + Math.floor(share / 6), 0);
  const [swaps, shutDown] = [sum((churn) => churn.swaps), sum((churn) => churn.shutDown)];
  const wrong = played.flatMap((churn) => churn.wrong);
  tellFigure('rounds', swaps + shutDown);
  tellFigure('numbers that changed hands', swaps);
  tellFigure('shut down where none did', shutDown);
  tellFigure('wrong signals', wrong.length);
  assert.equal(wrong, []);
  assert.equal([swaps, shutDown, sum(({ bystanders }) => bystanders)], [rounds - real, real, 20 * lanes]);
});

test.run();
