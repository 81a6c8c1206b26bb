/** kill -9 at any moment loses no acknowledged gate run, and the database stays whole. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openTables } from '../support/baseline.ts';
import { loader, moduleUrl } from '../support/entry.ts';

const test = suite('store under kill -9');
const root = mkdtempSync(join(tmpdir(), 'desk-kill-'));
test.after(() => rmSync(root, { recursive: true, force: true }));

const support = moduleUrl('../support/baseline.ts', import.meta.url);
const script = `
  const { openTables, recordRun, runFrom } = await import(${JSON.stringify(support)});
  const open = openTables(process.argv[1]);
  for (let number = 1; number <= 100000; number += 1) {
    const run = { at: String(number), mode: 'scar', state: 'pass', scarCount: 0, god: 1, steps: [] };
    recordRun(open, runFrom({ run }));
    process.stdout.write(number + '\\n');
  }
`;

/** Runs the writer until it acknowledged \`enough\` runs, kills it, and returns the last number it acknowledged. */
async function writeAndKill(folder: string, enough: number): Promise<number> {
  const writer: ChildProcess = spawn(
    process.execPath,
    [...loader, '--input-type=module', '-e', script, folder],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let text = '';
  const closed = once(writer, 'close');
  writer.stdout?.setEncoding('utf8');
  writer.stdout?.on('data', (part: string) => {
    text += part;
    if (text.split('\n').length > enough) writer.kill('SIGKILL');
  });
  await closed;
  return Number(text.slice(0, text.lastIndexOf('\n')).split('\n').at(-1));
}

for (const enough of [1, 7, 40])
  test(`after ${enough} acknowledged runs`, async () => {
    const folder = mkdtempSync(join(root, 'k-'));
    const acknowledged = await writeAndKill(folder, enough);
    assert.ok(acknowledged >= enough);
    const open = openTables(folder, { recover: false });
    try {
      assert.is(open.access.store.recovered, null);
      const kept = open.gate.list(100_000).map(({ at }) => Number(at));
      assert.ok(kept.includes(acknowledged));
      assert.is(kept.length, kept[0]);
      assert.is(open.baseline.standing().god, 1);
    } finally {
      open.access.store.close();
    }
  });

test.run();
