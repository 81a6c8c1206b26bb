/** Notes of helpers: a killed run leaves an orphan or a stale note, a live run leaves neither. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadNative } from '../../../src/engine/native/load.ts';
import { HelperNotes } from '../../../src/features/quarantine/index.ts';
import { programWords } from '../../support/entry.ts';
import { recheckOnce } from '../../support/recheck.ts';
import { projectRoot } from '../../support/require.ts';

interface Context {
  folder: string;
  notes: HelperNotes[];
  children: ChildProcess[];
}

const test = suite<Context>('helper notes', {} as Context);
const { addon } = loadNative();
const program = programWords('../../support/helper-run.ts', import.meta.url);

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'desk-notes-'));
  context.notes = [];
  context.children = [];
});
test.after.each(async ({ folder, notes, children }) => {
  for (const child of children) child.kill('SIGKILL');
  for (const one of notes) one.close();
  rmSync(folder, { recursive: true, force: true });
});

function notesOf({ folder, notes }: Context): HelperNotes {
  const made = new HelperNotes({ folder, native: addon });
  notes.push(made);
  return made;
}

/** Starts a run with a helper and its note; the helper outlives the run unless the run's stdin is closed. */
async function startRun({ folder, children }: Context): Promise<{ run: ChildProcess; helper: number }> {
  const run = spawn(process.execPath, [...program, folder], {
    cwd: projectRoot,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(run);
  let text = '';
  for await (const part of run.stdout?.setEncoding('utf8') ?? []) {
    text += part;
    if (text.includes('\n')) break;
  }
  return { run, helper: Number(text) };
}

/** The result of a recheck of this machine with this residue. */
const judged = async (context: Context) =>
  recheckOnce({ checks: ['orphan-helper', 'stale-runtime-file'], residue: notesOf(context).residue() });

/** Ends a helper left by its killed run; it is a grandchild of this test. */
function endHelper(pid: number): void {
  process.kill(pid, 'SIGKILL');
}

test('while its run lives a helper is neither orphan nor residue; a run that ends well leaves nothing', async (context) => {
  const { run, helper } = await startRun(context);
  assert.is(readdirSync(context.folder).length, 1);
  assert.equal(notesOf(context).residue(), { files: [], orphans: [] });
  assert.equal((await judged(context)).findings, []);
  run.stdin?.end();
  await once(run, 'exit');
  assert.equal(readdirSync(context.folder), []);
  assert.throws(() => readFileSync(`/proc/${helper}/stat`));
});

test('a killed run leaves its helper behind: found with its pid, as a process of the desk without its run', async (context) => {
  const { run, helper } = await startRun(context);
  run.kill('SIGKILL');
  await once(run, 'exit');
  try {
    const { findings } = await judged(context);
    assert.is(findings.length, 1);
    const [found] = findings;
    assert.equal([found?.check, found?.severity, found?.avenue], ['orphan-helper', 'medium', 'scar']);
    assert.ok(found?.subject.kind === 'process' && found.subject.pid === helper);
    assert.is(found?.evidence.run, run.pid);
  } finally {
    endHelper(helper);
  }
  // Once the helper has ended too, only its note is left.
  for (let waited = 0; notesOf(context).residue().orphans.length > 0 && waited < 5_000; waited += 10)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const { findings } = await judged(context);
  assert.equal(
    findings.map(({ check, subject }) => [check, subject.kind === 'file' && subject.path]),
    [['stale-runtime-file', join(context.folder, readdirSync(context.folder)[0] ?? '')]],
  );
});

test('a reused pid does not count as a helper, and other files do not count as notes', (context) => {
  writeFileSync(join(context.folder, `helper-${process.pid}-1-of-4194000-1.pid`), '');
  writeFileSync(join(context.folder, 'helper-x-1-of-2-3.pid'), '');
  writeFileSync(join(context.folder, `helper-${process.pid}-1-of-4194000-1.pid.bak`), '');
  const { files, orphans } = notesOf(context).residue();
  assert.equal(orphans, []);
  assert.equal(
    files.map(({ name, owner }) => [name, owner]),
    [[`helper-${process.pid}-1-of-4194000-1.pid`, 4194000]],
  );
});

test('a helper that ended before it was noted is not noted', (context) => {
  notesOf(context).note(4194000)();
  assert.equal(readdirSync(context.folder), []);
});

test('a helper that starts while the desk stops is not noted', (context) => {
  const notes = notesOf(context);
  notes.close();
  notes.note(process.ppid)();
  assert.equal(readdirSync(context.folder), []);
});

test('a note that cannot be removed does not cause a failure', (context) => {
  const { folder } = context;
  const removeNote = notesOf(context).note(process.ppid);
  const [name = ''] = readdirSync(folder);
  rmSync(join(folder, name));
  // Removing a folder as a file fails for every user.
  mkdirSync(join(folder, name));
  removeNote();
  assert.equal(readdirSync(folder), [name]);
});

test.run();
