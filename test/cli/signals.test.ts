/** A service whose stop hangs still ends, and removes its token. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectRoot } from '../support/require.ts';

const test = suite('signals');

const SRC = './src';

/** Holds a state folder and never stops by itself. */
const script = (folder: string): string => `
  import pino from 'pino';
  import { Signals } from '${SRC}/cli/signals.ts';
  import { Held } from '${SRC}/service/degraded-start.ts';
  const signals = new Signals();
  new Held(${JSON.stringify(folder)}, pino({ level: 'silent' }));
  void signals.stop.then(() => console.log('stopping'));
  setInterval(() => undefined, 1000);
  console.log('ready');
`;

/** Each signal is sent when the line before it was printed. */
const cases: readonly (readonly [what: string, signals: readonly NodeJS.Signals[], code: number])[] = [
  ['one Ctrl-C', ['SIGINT'], 1],
  ['a second Ctrl-C', ['SIGINT', 'SIGINT'], 130],
  ['SIGTERM, then Ctrl-C', ['SIGTERM', 'SIGINT'], 130],
];

for (const [what, signals, expected] of cases)
  test(`${what} ends a service whose stop hangs; no token is left`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'desk-signals-'));
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script(folder)], {
      cwd: projectRoot,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const ended = once(child, 'exit');
      const left = [...signals];
      let had = false;
      child.stdout.setEncoding('utf8').on('data', () => {
        had ||= existsSync(join(folder, 'control.token'));
        const signal = left.shift();
        if (signal !== undefined) child.kill(signal);
      });
      const [code] = await ended;
      assert.equal([code, left.length, had], [expected, 0, true]);
      assert.not.ok(existsSync(join(folder, 'control.token')));
    } finally {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  });

test.run();
