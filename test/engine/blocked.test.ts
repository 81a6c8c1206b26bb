/** Files that never answer, among those that a sweep reads: sweeps continue, the fact is unknown, and no threads pile up. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FACT } from '../../src/engine/native/types.ts';
import { Engine } from '../../src/engine/sweep.ts';
import { writeRoot } from '../fixtures/proc/roots.ts';
import { needs } from '../support/require.ts';
import { silentFile } from '../support/wedge.ts';

const test = suite('blocked files');
const withFuse = needs('FUSE', 'compiler', 'namespaces');

/** A fixture machine with one more file, `path`, that never answers. */
async function blockedMachine(path: string) {
  const top = mkdtempSync(join(tmpdir(), 'desk-blocked-'));
  const file = await silentFile();
  const root = writeRoot(top, 'bare');
  const place = join(top, path);
  mkdirSync(dirname(place), { recursive: true });
  rmSync(place, { force: true });
  symlinkSync(file.file, place);
  const engine = new Engine({ root, sys: join(top, 'sys'), top, workers: 2, deadlineMs: 4000 });
  return {
    engine,
    /** Replaces the file with one that answers. */
    async answer(text: string) {
      await file.free();
      unlinkSync(place);
      writeFileSync(place, text);
    },
    async [Symbol.asyncDispose]() {
      await engine.close();
      await file.free();
      rmSync(top, { recursive: true, force: true });
    },
  };
}

const threads = () => readdirSync('/proc/self/task').length;

/** Sweeps until `select` returns a value, and returns that value. */
async function sweptUntil<T>(
  engine: Engine,
  select: (snapshot: Awaited<ReturnType<Engine['sweep']>>) => T | null,
) {
  for (;;) {
    const found = select(await engine.sweep());
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

for (const [what, path] of [
  ['a thermal zone', 'sys/class/thermal/thermal_zone0/temp'],
  ['a hardware monitor', 'sys/class/hwmon/hwmon0/temp1_input'],
] as const)
  withFuse(
    test,
    `${what} that does not answer fails no sweep, is read once, and is unknown until it answers`,
    async () => {
      await using machine = await blockedMachine(path);
      const { engine } = machine;
      const first = await engine.sweep();
      assert.is(first.machine.temperatures, null, 'not "no sensor"');
      assert.match(first.probes.find(({ id }) => id === 'thermal')?.reason ?? '', /ETIMEDOUT/);
      assert.is(first.probes.find(({ id }) => id === 'cameras')?.works, true, 'the others are read');
      assert.is(first.machine.cameras, 0);
      const before = threads();
      for (let sweep = 0; sweep < 20; sweep++) {
        assert.is((await engine.sweep()).machine.temperatures, null);
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
      assert.is(threads(), before, 'no reader is added to the one that hangs');
      await machine.answer('47500\n');
      assert.equal(
        await sweptUntil(engine, ({ machine: { temperatures } }) =>
          temperatures?.length ? temperatures : null,
        ),
        [47.5],
      );
    },
  );

withFuse(
  test,
  'a preload file that does not answer is reported as ETIMEDOUT, and no sweep waits for it',
  async () => {
    await using machine = await blockedMachine('etc/ld.so.preload');
    const { host, counts } = await machine.engine.sweep();
    assert.is('code' in host.preload && host.preload.code, 'ETIMEDOUT');
    assert.ok(counts.processes > 0);
    await machine.engine.sweep(null, { hostAgain: true });
    await machine.answer('/lib/a.so\n');
    const libraries = await sweptUntil(machine.engine, ({ host: { preload } }) =>
      'libraries' in preload ? preload.libraries : null,
    );
    assert.equal(libraries, ['/lib/a.so']);
  },
);

withFuse(
  test,
  'a control group file that does not answer makes one fact unknown; the rest of the process is read',
  async () => {
    await using machine = await blockedMachine('bare/400/cgroup');
    for (let sweep = 0; sweep < 3; sweep++) {
      const { processes } = await machine.engine.sweep();
      const row = processes.rowOf(400);
      assert.is((processes.columns.refused[row] ?? 0) & FACT.cgroup, FACT.cgroup);
      assert.is((processes.columns.seen[row] ?? 0) & FACT.stat, FACT.stat);
    }
  },
);

test.run();
