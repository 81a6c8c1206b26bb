/** What a service holds of its state folder, and what it leaves alone at its end. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Held } from '../src/degraded-start.ts';

const test = suite('degraded start');

for (const foreign of [false, true])
  test(`the end of a service removes its control token, and no other: ${foreign ? 'another' : 'its own'}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'desk-held-'));
    try {
      const held = new Held(folder, pino({ level: 'silent' }));
      const path = join(folder, 'control.token');
      const other = `${'x'.repeat(43)}\n`;
      if (foreign) writeFileSync(path, other);
      held.release();
      assert.is(existsSync(path), foreign);
      if (foreign) assert.is(readFileSync(path, 'utf8'), other);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

test.run();
