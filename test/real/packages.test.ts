/** Files of real packages changed in a private copy of the root. */
import { spawnSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expect } from '../support/expect.ts';
import { inOverlay, OVERLAY_NEEDS } from '../support/overlay.ts';
import { needs } from '../support/require.ts';
import type { Compared } from './packages-inside.ts';

const test = suite('packages of this machine');

/** Files of a package, as dpkg lists them. */
const filesOf = (name: string): string[] =>
  spawnSync('dpkg-query', ['--listfiles', name], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((path) => lstatSync(path || '/', { throwIfNoEntry: false })?.isFile());

needs(...OVERLAY_NEEDS)(
  test,
  'packaged-file: a changed program and library are found with their times as before, and what is missing is not',
  async () => {
    const program = '/usr/bin/factor';
    const library = filesOf('libzstd1').find((path) => path.includes('.so.')) ?? '';
    const text = filesOf('libzstd1').find((path) => path.endsWith('copyright')) ?? '';
    assert.ok(library !== '' && text !== '');
    const words = [program, library, text];
    const printed = await inOverlay('packages-inside.ts', import.meta.url, { words });
    const { files, sealed, steps } = JSON.parse(printed) as Compared;
    assert.ok(files > 1_000 && sealed > 50);
    const real = (path: string) => path.replace(/^\/lib\//, '/usr/lib/');
    expect(steps.nothing).equals([]);
    expect(steps.changed).equals([program, real(library)].sort());
    expect(steps.restored).equals([real(library)]);
    expect(steps.again).equals([real(library)]);
  },
);

test.run();
