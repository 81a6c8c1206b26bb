import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { within } from '../support/baseline.ts';
import { moduleUrl, runScript } from '../support/entry.ts';
import { memoryFolder } from '../support/temp-folder.ts';

const test = suite('store under kill -9');
const root = memoryFolder('desk-kill-');

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
  const { out } = await runScript(script, folder, (text, writer) => {
    if (text.split('\n').length > enough) writer.kill('SIGKILL');
  });
  return Number(out.slice(0, out.lastIndexOf('\n')).split('\n').at(-1));
}

for (const enough of [1, 7, 40])
  test(`a store killed after ${enough} acknowledged runs has all of them`, async () => {
    const folder = mkdtempSync(join(root, 'k-'));
    const acknowledged = await writeAndKill(folder, enough);
    assert.ok(acknowledged >= enough);
    within(
      folder,
      (open) => {
        assert.is(open.access.store.recovered, null);
        const kept = open.gate.list(100_000).map(({ at }) => Number(at));
        assert.ok(kept.includes(acknowledged));
        assert.is(kept.length, kept[0]);
        assert.is(open.baseline.state().god, 1);
      },
      false,
    );
  });

test.run();
