/** Programs that are overwritten, replaced and deleted while they run, against what was learned of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Known } from '../../src/checks/check.ts';
import type { Content } from '../../src/checks/content.ts';
import { CHECKS } from '../../src/checks/index.ts';
import type { ProcessSubject } from '../../src/checks/judgement.ts';
import { Standing } from '../../src/checks/standing.ts';
import { Contents } from '../../src/peek/contents.ts';
import { type DigestAnswer, Helper } from '../../src/peek/helper.ts';
import { factsFrom, processFrom } from '../support/peek.ts';

const test = suite<{ folder: string; children: ChildProcess[] }>('contents', { folder: '', children: [] });
test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'desk-contents-'));
  context.children = [];
});
test.after.each(({ folder, children }) => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const knownOf = (contents: ReadonlyMap<string, readonly Content[]>): Known => ({
  identities: new Set(),
  listeners: new Set(),
  excused: new Set(),
  contents,
});

/** Contents over the real helper, or over one that says what the test wants. */
function watched(digest?: (subject: { pid: number; start: string }) => DigestAnswer) {
  let known: Known | null = null;
  let learns = true;
  let digests = 0;
  const standing = new Standing();
  const helper = new Helper();
  const contents = new Contents({
    checks: CHECKS,
    known: () => known,
    learns: () => learns,
    standing,
    changed: () => undefined,
    log: pino({ level: 'silent' }),
    helper: () => {
      const reader = digest === undefined ? new Helper() : null;
      return {
        digest: async (pid, start) => {
          digests++;
          return reader?.digest(pid, start) ?? (digest?.({ pid, start }) as DigestAnswer);
        },
        close: async () => reader?.close(),
      };
    },
  });
  contents.compareAgain();
  return {
    contents,
    digests: () => digests,
    look: async (subject: ProcessSubject) => {
      const answer = await helper.ask(subject.pid, subject.start);
      if (answer.kind !== 'facts') throw new Error(`the look failed: ${answer.kind}`);
      contents.saw(subject, answer.facts);
      await contents.settled(10_000);
    },
    /** What runs is what is learned. */
    learn: () => {
      const found = new Map<string, readonly Content[]>();
      for (const [identity, some] of contents.running())
        found.set(identity.replace(/ \(deleted\)/, ''), some);
      known = knownOf(found);
      learns = false;
      contents.compareAgain();
    },
    hold: (one: Known | null) => {
      known = one;
      learns = false;
      contents.compareAgain();
    },
    says: () => {
      const { fails, notes, pass } = standing.verdicts();
      return {
        fails: fails.map(({ subject }) => (subject.kind === 'file' ? subject.path : '')),
        notes,
        pass,
      };
    },
    hides: (path: string) => standing.verdicts().hidden('changed-program', { kind: 'file', path }),
    close: () => Promise.all([helper.close(), contents.close()]),
  };
}

function subjectOf(child: ChildProcess): ProcessSubject {
  const pid = child.pid as number;
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] as string;
  return processFrom({ pid, start, executable: child.spawnfile });
}

async function run(children: ChildProcess[], path: string): Promise<ProcessSubject> {
  const child = spawn(path, ['60'], { stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  return subjectOf(child);
}

for (const how of ['overwritten in place', 'replaced by a rename'])
  test(`a learned program that was ${how} is a finding, and the old process is not`, async ({
    folder,
    children,
  }) => {
    const path = join(folder, 'learned');
    copyFileSync('/bin/sleep', path);
    const first = await run(children, path);
    const one = watched();
    try {
      await one.look(first);
      one.learn();
      assert.equal(one.says().fails, []);
      const other = join(folder, 'other');
      copyFileSync('/bin/sleep', other);
      appendFileSync(other, 'x');
      if (how === 'replaced by a rename') renameSync(other, path);
      else {
        // A file that runs cannot be written.
        children[0]?.kill('SIGKILL');
        await once(children[0] as ChildProcess, 'exit');
        one.contents.saw(first, null);
        copyFileSync(other, path);
      }
      const second = await run(children, path);
      await one.look(second);
      assert.equal(one.says().fails, [path]);
      // The one that started before runs what was learned, whatever lies at its path now.
      if (how === 'replaced by a rename') {
        one.contents.saw(second, null);
        await one.look({ ...first, executable: `${path} (deleted)`, identity: `${path} (deleted)` });
        assert.equal(one.says().fails, []);
        assert.is(one.says().pass, 1);
      }
    } finally {
      await one.close();
    }
  });

test('touched, copied back or installed anew it is what was learned, and no digest is read where nothing changed', async ({
  folder,
  children,
}) => {
  const path = join(folder, 'learned');
  copyFileSync('/bin/sleep', path);
  const one = watched();
  try {
    await one.look(await run(children, path));
    one.learn();
    const read = one.digests();
    await one.look(await run(children, path));
    assert.is(one.digests(), read, 'the same file');
    utimesSync(path, 1, 1);
    await one.look(await run(children, path));
    assert.is(one.digests(), read + 1, 'touched');
    cpSync(path, join(folder, 'copy'));
    renameSync(join(folder, 'copy'), path);
    await one.look(await run(children, path));
    assert.equal(one.says().fails, []);
    assert.is(one.says().pass, 1);
  } finally {
    await one.close();
  }
});

test('what cannot be read is blind; a finding stays while a digest is awaited; who is gone is asked for once', async () => {
  const answers: DigestAnswer[] = [{ kind: 'unread', code: 'EACCES' }, { kind: 'gone' }];
  const one = watched(() => answers.shift() ?? { kind: 'gone' });
  try {
    const { image } = factsFrom();
    if ('errno' in image) throw new Error('no image');
    const learned: Content = { ...image, changedNs: '1', sha256: 'a'.repeat(64) };
    one.hold(knownOf(new Map([['/usr/bin/quiet', [learned]]])));
    assert.ok(one.hides('/usr/bin/quiet'), 'nobody was looked at yet');
    one.contents.saw(processFrom(), factsFrom());
    assert.ok(one.hides('/usr/bin/quiet'));
    await one.contents.settled(1_000);
    one.contents.allSeen();
    assert.equal(one.says().fails, []);
    assert.is(one.says().notes.length, 1, 'the same size, and no digest');
    // Another file, whose process ends before it is read.
    const other = factsFrom({ image: { ...image, inode: '8', size: 9 } });
    one.contents.saw(processFrom({ pid: 701 }), other);
    await one.contents.settled(1_000);
    assert.is(one.digests(), 2);
    assert.equal(one.says().fails, []);
    // An executable that is kept from us is not known to be the same.
    one.contents.saw(processFrom({ pid: 702, executable: '', identity: 'quiet?7' }), factsFrom());
    assert.is(
      one.says().notes.reduce((sum, { subjects }) => sum + subjects, 0),
      2,
    );
  } finally {
    await one.close();
  }
});

test('programs that are not learned are nothing to compare, and a new generation judges at once', async () => {
  const one = watched(() => ({ kind: 'unread', code: 'EIO' }));
  try {
    one.hold(knownOf(new Map()));
    one.contents.saw(processFrom(), factsFrom());
    assert.equal(one.says(), { fails: [], notes: [], pass: 0 });
    assert.is(one.digests(), 0);
    one.hold(knownOf(new Map([['/usr/bin/quiet', []]])));
    assert.match(one.says().notes[0]?.reason ?? '', 'never recorded');
    const { image } = factsFrom();
    if ('errno' in image) throw new Error('no image');
    one.hold(knownOf(new Map([['/usr/bin/quiet', [{ ...image, size: 1, sha256: 'b'.repeat(64) }]]])));
    await one.contents.settled(1_000);
    assert.equal(one.says().fails, ['/usr/bin/quiet'], 'another size is another content');
  } finally {
    await one.close();
  }
});

test.run();
