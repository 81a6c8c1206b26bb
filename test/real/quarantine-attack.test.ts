/**
 * A quarantine under attack: another process of the same user exchanges the file, and the quarantine's own folder, in a tight
 * loop. Whatever the result of an attempt, nothing outside the state folder may change.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { programWords } from '../support/entry.ts';
import { isLong, tellFigure } from '../support/long-form.ts';
import { missing, needs, projectRoot } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { patientMs } from '../support/time-limit.ts';

const test = suite('quarantine attack');
const run = promisify(execFile);
const attacker = programWords('../support/quarantine-attack.ts', import.meta.url);
const attempts = isLong ? 200_000 : 2_000;
/**
 * Moves, where permitted, to a pid namespace with only the attack: every attempt searches the descriptors of all processes, and
 * with few processes it is as fast as the attacker.
 */
const ALONE = [
  ...['unshare', '--mount', '--propagation', 'private'],
  ...['--pid', '--fork', '--mount-proc', '--kill-child'],
];
const NAME = 'control.token.4194000.tmp';

/** Everything about a folder that an attempt could have changed: names, types, modes, contents, modification times. */
function portrait(folder: string): string[] {
  return ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()].map((name) => {
    const path = join(folder, name);
    const { mode, uid, size, mtimeMs } = lstatSync(path);
    const content = (mode & 0o170000) === 0o100000 ? readFileSync(path) : '';
    const hash = createHash('sha256').update(content).digest('hex');
    return [name, mode.toString(8), uid, size, mtimeMs, hash].join(' ');
  });
}

interface AttackReport {
  /** Number of attempts by result: `moved`, or the step that stopped them. */
  readonly counts: Readonly<Record<string, number>>;
  /** Iterations of the attacker. */
  readonly turns: number;
}

async function attack(kind: string, under: readonly string[], ...mounts: readonly string[]): Promise<void> {
  const folder = tempFolder('desk-attack-');
  const [state, outside] = [join(folder, 'state'), join(folder, 'outside')];
  for (const path of [state, outside]) mkdirSync(path, { mode: 0o700 });
  const victim = join(outside, 'victim');
  writeFileSync(victim, 'must not be touched\n', { mode: 0o600 });
  const before = portrait(outside);
  const node = [process.execPath, ...attacker, state, NAME, String(attempts), victim, outside];
  const [program = '', ...words] = [...under, ...node, ...mounts];
  const { stdout } = await run(program, words, {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: '/tmp' },
    timeout: isLong ? 0 : patientMs(150_000),
  });
  const { counts, turns } = JSON.parse(stdout) as AttackReport;
  const after = portrait(outside);
  const touched = [
    ...before.filter((line) => !after.includes(line)),
    ...after.filter((line) => !before.includes(line)),
  ];
  tellFigure(
    `attempts, ${kind}`,
    Object.values(counts).reduce((sum, count) => sum + count, 0),
  );
  tellFigure(`turns of the attacker, ${kind}`, turns);
  tellFigure(`moved, ${kind}`, counts.moved ?? 0);
  tellFigure(`touched outside, ${kind}`, touched.length);
  assert.equal(after, before);
  // The attack must have run, and so must the moves.
  assert.ok(turns >= attempts / 2, `${turns} turns`);
  assert.ok((counts.moved ?? 0) > 0, JSON.stringify(counts));
  assert.ok((counts.open ?? 0) + (counts.kind ?? 0) + (counts.links ?? 0) > 0, JSON.stringify(counts));
  // Only regular files with one name may be moved.
  for (const name of readdirSync(join(state, 'quarantine'))) {
    const info = lstatSync(join(state, 'quarantine', name));
    if (name.endsWith('.json')) assert.ok(info.isFile(), name);
  }
}

needs('compiler')(
  test,
  `${attempts} attempts with symbolic links, hard links, fifos, folders and a redirected quarantine change nothing outside`,
  () => attack('links and folders', isLong && missing('root', 'namespaces') === null ? ALONE : []),
);

needs('compiler', 'root', 'namespaces')(
  test,
  `${attempts} attempts against the same and bind mounts, in a mount namespace of the test's own`,
  () => attack('bind mounts too', ALONE, 'mounts'),
);

test.run();
