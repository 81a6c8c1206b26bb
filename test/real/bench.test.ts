/** The benchmarks themselves run: farm, fresh processes, results on disk. Nothing about time is asserted. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isMeasured } from '../../bench/print.ts';
import { readResults } from '../../bench/results.ts';
import { needs, projectRoot } from '../support/require.ts';

const test = suite('bench');
const folder = mkdtempSync(join(tmpdir(), 'desk-bench-run-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

const bench = (...words: readonly string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'bench/run.ts', ...words], {
    cwd: projectRoot,
    encoding: 'utf8',
    timeout: 120_000,
  });

needs('compiler')(test, 'a case measures both sides at the load asked for', () => {
  const words = ['sweep-procfs', 'listeners', '--rounds', '2', '--processes', '40', '--out', folder];
  const { status, stdout, stderr } = bench(...words);
  assert.is(status, 0, stdout + stderr);
  const rows = readResults(folder);
  assert.equal(rows.map(({ case: id }) => id).sort(), ['listeners', 'sweep-procfs']);
  for (const { point, machine } of rows) {
    assert.equal(point, { processes: 40, listeners: 20, established: 0 });
    assert.is(machine.user, process.geteuid?.() === 0 ? 'root' : 'ordinary');
  }
  const sweep = rows.find(({ case: id }) => id === 'sweep-procfs');
  const [first] = sweep?.comparisons ?? [];
  assert.ok(first !== undefined && isMeasured(first));
  assert.equal([first.rawA.length, first.rawB?.length], [2, 2]);
  assert.ok([...first.rawA, ...(first.rawB ?? [])].flat().every((us) => us > 0));
  assert.ok(Number(sweep?.facts.rows) >= 40);
});

needs('compiler', 'root')(test, 'connections stand in a namespace of their own', () => {
  const words = ['listeners', '--rounds', '1', '--processes', '30', '--established', '50', '--out', folder];
  const { status, stdout, stderr } = bench(...words);
  assert.is(status, 0, stdout + stderr);
  const [row] = readResults(join(folder, 'listeners.json'));
  assert.is(row?.point.established, 50);
  // Exactly the farm's: the host's own listeners are elsewhere.
  assert.is(row?.facts.listeners, 20);
});

needs('compiler')(test, 'two runs can be compared, and wrong words are refused', () => {
  assert.match(bench('compare', folder, folder).stdout, '0 changed');
  for (const words of [['nothing'], ['--rounds', 'x'], ['compare', folder], ['--arch', 'riscv64']])
    assert.is(bench(...words).status, 2, words.join(' '));
});

test.run();
