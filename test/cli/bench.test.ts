import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Bench } from '../../src/cli/bench-measure.ts';
import { runnableMarks } from '../../src/engine/native/mark.ts';
import { cli } from '../support/cli.ts';

const test = suite('desk bench');
const folder = mkdtempSync(join(tmpdir(), 'desk-bench-'));
const state = join(folder, 'state');
mkdirSync(state, { mode: 0o700 });
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with programs called ps and ss that do what `like` does. */
function fakePath(name: string, like: string): string {
  const bin = join(folder, name);
  mkdirSync(bin);
  for (const program of ['ps', 'ss']) symlinkSync(like, join(bin, program));
  chmodSync(bin, 0o755);
  return bin;
}

test('every figure is the median of raw values of this run', async () => {
  const env = { DESK_STATE: state, HOME: folder, PATH: fakePath('true', '/bin/true') };
  const { code, out, err } = await cli(['bench', '--json', '--turns', '3'], env);
  assert.is(code, 0, err);
  const result = JSON.parse(out) as Bench;
  assert.equal(
    result.figures.map(({ work }) => work).filter((work) => work !== 'judging'),
    ['recheck', 'sweep', 'listeners'],
  );
  assert.equal(
    result.marks.map(({ mark }) => mark),
    [...runnableMarks()],
  );
  assert.equal(
    result.batches.map(({ mark }) => mark),
    [...runnableMarks()],
  );
  assert.ok(result.batches.every(({ pairs }) => pairs > 65_536));
  assert.match(result.engine.backend, /^(?:bpf|procfs)$/);
  assert.equal(
    result.peers.map(({ work }) => work.split(' ')[0]),
    ['ps', 'ss'],
  );
  for (const { work, us, median_us, lowest_us, highest_us } of [
    ...result.figures,
    ...result.marks,
    ...result.batches,
    ...result.peers,
  ]) {
    assert.ok(us.length >= 1 && us.every((each) => each > 0), work);
    assert.is(lowest_us, Math.min(...us));
    assert.is(highest_us, Math.max(...us));
    const below = us.filter((each) => each <= median_us).length;
    const above = us.filter((each) => each >= median_us).length;
    assert.ok(2 * below >= us.length && 2 * above >= us.length, work);
  }
  for (const { like, times, median_us } of result.peers) {
    const own = result.figures.find(({ work }) => work === like)?.median_us ?? Number.NaN;
    assert.ok(Math.abs(times - median_us / own) <= 0.05 + 1e-9);
  }
  assert.ok(result.seen.processes > 0);
});

test('a peer that fails has no figure, and --no-peers starts no peer', async () => {
  const env = { DESK_STATE: state, HOME: folder, PATH: fakePath('false', '/bin/false') };
  const failing = await cli(['bench', '--turns', '1'], env);
  assert.is(failing.code, 0, failing.err);
  assert.not.match(failing.out, 'whole run');
  assert.match(failing.out, 'recheck');
  assert.not.match(failing.out, 'few turns', 'as many as were asked for');
  const alone = JSON.parse((await cli(['bench', '--no-peers', '--json', '--turns', '1'], env)).out) as Bench;
  assert.equal(alone.peers, []);
  assert.equal(alone.absent, []);
});

test('an invalid --turns is refused before anything is measured', async () => {
  for (const turns of ['0', 'x', '1.5', '1001'])
    assert.is((await cli(['bench', '--turns', turns], { DESK_STATE: state, HOME: folder })).code, 2);
});

test.run();
