/** The reason why other processes share the uid of the service survives execve(2), and no desk-start is left behind. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadNative } from '../../src/engine/native/load.ts';
import { CLOSED_INSPECTOR } from '../../src/engine/native/no-debugger.ts';
import type { PrivilegeAddon } from '../../src/engine/native/privilege-types.ts';
import type { Refusal } from '../../src/engine/native/types.ts';
import { limitPrivileges } from '../../src/privileges/limit.ts';
import { needs, projectRoot } from '../support/require.ts';

const test = suite<{ folder: string }>('limit', { folder: '' });
test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'desk-limit-'));
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }));

interface Become {
  readonly program: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly starter: readonly string[];
}

/** Executes nothing; records the command. */
function beginAnew(folder: string, refusals: readonly Refusal[]): Become[] {
  const become: Become[] = [];
  const native = {
    becomeLimited: (
      _: Int32Array,
      program: readonly string[],
      words: readonly string[],
      starter: string[],
    ) => {
      const environment = Object.fromEntries(words.map((word) => word.split(/=(.*)/s).slice(0, 2)));
      become.push({ program, environment, starter });
      return refusals[become.length - 1] ?? { errno: 1, code: 'EPERM', source: 'capset' };
    },
    keepMemoryPrivate: () => null,
  } as unknown as PrivilegeAddon;
  assert.is(limitPrivileges(native, folder).trouble, 'capset was refused (EPERM)');
  return become;
}

needs('root')(
  test,
  'the reason why desk-start failed is passed to the program that continues without it',
  (context) => {
    const { folder } = context as { folder: string };
    const [first, second] = beginAnew(folder, [{ errno: 32, code: 'EPIPE', source: 'desk-start' }]);
    assert.is(first?.environment.DESK_SHARED_UID, '');
    for (const become of [first, second]) {
      assert.equal(become?.program.slice(0, 3), [
        process.execPath,
        CLOSED_INSPECTOR,
        '--max-semi-space-size=4',
      ]);
      assert.is(become?.environment.MALLOC_ARENA_MAX, '2');
    }
    assert.ok(Number(first?.starter[4]) > 60_000, 'a uid of its own for the mail process');
    assert.equal(second?.starter, []);
    assert.is(
      second?.environment.DESK_SHARED_UID,
      'desk-peek and the mail process have the uid of the service: desk-start ended before it was ready',
    );
    // It is written as root in this case.
    assert.is(statSync(join(folder, 'people')).uid, 0);
  },
);

needs('root')(
  test,
  'if the folder cannot change its owner, the mail process keeps the uid of the service',
  () => {
    const [first] = beginAnew('/proc/none', []);
    assert.equal([first?.starter[1], first?.starter[4]], ['serve', '0']);
    assert.match(
      first?.environment.DESK_SHARED_UID ?? '',
      /^the mail process has the uid of the service: the folder .* \(ENOENT\)$/,
    );
  },
);

/** Runs `script` with the addon in another process; returns its output. */
function apart(script: string): string {
  const module = new URL('../../src/engine/native/load.ts', import.meta.url).href;
  const text = `const { addon } = (await import('${module}')).loadNative();\n${script}`;
  const words = ['--import', 'tsx', '--input-type=module', '-e', text];
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: projectRoot, encoding: 'utf8' });
  assert.is(stderr, '');
  return stdout;
}

test('a desk-start that ends, or never reports, is refused, killed and reaped', () => {
  assert.ok(loadNative().addon);
  const printed = apart(`import { readFileSync } from 'node:fs';
    const children = () => readFileSync('/proc/self/task/' + process.pid + '/children', 'latin1').trim();
    const before = children();
    const become = (...words) => {
      const { code, source } = addon.becomeLimited(Int32Array.of(), ['/nonexistent'], [], words, []);
      return [source, code, children() === before];
    };
    console.log(JSON.stringify([become('/bin/true'), become('/bin/sleep', '60'), become('/nonexistent')]));`);
  assert.equal(JSON.parse(printed), [
    ['desk-start', 'EPIPE', true],
    ['desk-start', 'ETIMEDOUT', true],
    ['desk-start', 'ENOENT', true],
  ]);
});

test.run();
