/** The manual page, by the program that shows it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allCommands } from '../../src/cli/commands/index.ts';
import { projectRoot, testsNeeding } from '../support/require.ts';

const test = suite('manual page');
const page = join(projectRoot, 'docs/desk.1');

testsNeeding(test, 'groff')('it is shown without a warning, with every command and option', async () => {
  const words = ['-man', '-Tascii', '-ww', '-rLL=100n', page];
  const { stderr } = spawnSync('groff', words, { encoding: 'utf8' });
  assert.is(stderr, '');
  const shown = execFileSync('groff', [...words, '-P-c', '-P-b', '-P-u'], { encoding: 'utf8' });
  for (const { name, options = [] } of await allCommands()) {
    assert.match(shown, name);
    for (const { flags } of options) assert.match(shown, flags.split(' ')[0] ?? '');
  }
  assert.match(shown, 'EXIT STATUS');
});

test.run();
