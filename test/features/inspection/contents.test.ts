/** Programs that are overwritten, replaced or deleted while they run, compared to their learned contents. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
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
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CachedVerdicts } from '../../../src/checks/cached-verdicts.ts';
import { isContent, type Known } from '../../../src/checks/check.ts';
import type { Content } from '../../../src/checks/content.ts';
import { CHECKS } from '../../../src/checks/index.ts';
import type { ProcessSubject } from '../../../src/checks/subjects.ts';
import { Contents } from '../../../src/features/inspection/contents.ts';
import { type DigestAnswer, Helper } from '../../../src/features/inspection/helper.ts';
import { findingId } from '../../../src/findings/finding-id.ts';
import { factsFrom, processFrom } from '../../support/peek.ts';
import { until } from '../../support/until.ts';

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
  classes: new Set(),
  contents,
});

/** Contents over the real helper, or over one whose answers the test chooses. */
function watched(
  digest?: (subject: { pid: number; start: string }) => DigestAnswer | Promise<DigestAnswer>,
  {
    digestAt = (): DigestAnswer => ({ kind: 'unread', code: 'ENOENT' }),
    endedMs = 0,
    closed = (): void => undefined,
  } = {},
) {
  let known: Known | null = null;
  let learns = true;
  let digests = 0;
  let judged = 0;
  const cached = new CachedVerdicts();
  const helper = new Helper();
  const contents = new Contents({
    checks: CHECKS.map((check) =>
      isContent(check)
        ? {
            ...check,
            content: (...args) => {
              judged++;
              check.content(...args);
            },
          }
        : check,
    ),
    known: () => known,
    learns: () => learns,
    cached,
    changed: () => undefined,
    log: pino({ level: 'silent' }),
    endedMs,
    helper: () => {
      const reader = digest === undefined ? new Helper() : null;
      return {
        digest: async (pid, start) => {
          digests++;
          return reader?.digest(pid, start) ?? (digest?.({ pid, start }) as DigestAnswer);
        },
        digestAt: async (path, pid, start) => reader?.digestAt(path, pid, start) ?? digestAt(),
        close: async () => {
          closed();
          await reader?.close();
        },
      };
    },
  });
  contents.compareAgain();
  return {
    contents,
    digests: () => digests,
    judged: () => judged,
    inspect: async (subject: ProcessSubject) => {
      const answer = await helper.ask(subject.pid, subject.start);
      if (answer.kind !== 'facts') throw new Error(`the inspection failed: ${answer.kind}`);
      contents.inspected(subject, answer.facts);
      await contents.settled(10_000);
    },
    /** Learns everything that runs. */
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
      const { fails, notes, pass } = cached.verdicts();
      return {
        fails: fails.map(({ subject }) => (subject.kind === 'file' ? subject.path : '')),
        notes,
        pass,
      };
    },
    classes: () => cached.verdicts().fails.map(({ evidenceClass }) => evidenceClass),
    ids: () => cached.verdicts().fails.map(findingId),
    hides: (path: string) => cached.verdicts().hidden('changed-program', { kind: 'file', path }),
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
  test(`a learned program that was ${how} is a finding, its old process is not`, async ({
    folder,
    children,
  }) => {
    const path = join(folder, 'learned');
    copyFileSync('/bin/sleep', path);
    const first = await run(children, path);
    const one = watched();
    try {
      await one.inspect(first);
      one.learn();
      assert.equal(one.says().fails, []);
      const other = join(folder, 'other');
      copyFileSync('/bin/sleep', other);
      appendFileSync(other, 'x');
      if (how === 'replaced by a rename') renameSync(other, path);
      else {
        // The file of a running program cannot be written.
        children[0]?.kill('SIGKILL');
        await once(children[0] as ChildProcess, 'exit');
        one.contents.inspected(first, null);
        assert.equal(one.says().fails, []);
        copyFileSync(other, path);
      }
      const second = await run(children, path);
      await one.inspect(second);
      assert.equal(one.says().fails, [path]);
      // The older process runs the learned content, whatever is at its path now.
      if (how === 'replaced by a rename') {
        one.contents.inspected(second, null);
        await until(() => one.says().fails.length === 0, 'the contents were read');
        await one.inspect({ ...first, executable: `${path} (deleted)`, identity: `${path} (deleted)` });
        assert.equal(one.says().fails, []);
        assert.is(one.says().pass, 1);
      }
    } finally {
      await one.close();
    }
  });

test('a file that was touched or copied back still matches, and no digest is read if nothing changed', async ({
  folder,
  children,
}) => {
  const path = join(folder, 'learned');
  copyFileSync('/bin/sleep', path);
  const one = watched();
  try {
    await one.inspect(await run(children, path));
    one.learn();
    const read = one.digests();
    await one.inspect(await run(children, path));
    assert.is(one.digests(), read, 'the same file');
    utimesSync(path, 1, 1);
    await one.inspect(await run(children, path));
    assert.is(one.digests(), read + 1, 'touched');
    cpSync(path, join(folder, 'copy'));
    renameSync(join(folder, 'copy'), path);
    await one.inspect(await run(children, path));
    assert.equal(one.says().fails, []);
    assert.is(one.says().pass, 1);
  } finally {
    await one.close();
  }
});

test('an unreadable file is blind, and the digest of an ended process is requested only once', async () => {
  const answers: DigestAnswer[] = [{ kind: 'unread', code: 'EACCES' }, { kind: 'gone' }];
  const one = watched(() => answers.shift() ?? { kind: 'gone' });
  try {
    const { image } = factsFrom();
    if ('errno' in image) throw new Error('no image');
    const learned: Content = { ...image, changedNs: '1', sha256: 'a'.repeat(64) };
    one.hold(knownOf(new Map([['/usr/bin/quiet', [learned]]])));
    assert.ok(one.hides('/usr/bin/quiet'), 'nothing was inspected yet');
    one.contents.inspected(processFrom(), factsFrom());
    assert.ok(one.hides('/usr/bin/quiet'));
    await one.contents.settled(1_000);
    one.contents.allSeen();
    assert.equal(one.says().fails, []);
    assert.is(one.says().notes.length, 1, 'the same size without a digest');
    // Another file whose process ends before it is read.
    const other = factsFrom({ image: { ...image, inode: '8', size: 9 } });
    one.contents.inspected(processFrom({ pid: 701 }), other);
    await one.contents.settled(1_000);
    assert.is(one.digests(), 2);
    await until(() => one.says().fails.length === 0, 'the contents were read');
    // An executable that cannot be read is not known to be the same.
    one.contents.inspected(processFrom({ pid: 702, executable: '', identity: 'quiet?7' }), factsFrom());
    assert.is(
      one.says().notes.reduce((sum, { subjects }) => sum + subjects, 0),
      2,
    );
  } finally {
    await one.close();
  }
});

test('programs that are not learned are not compared, and a new generation is applied at once', async () => {
  const one = watched(() => ({ kind: 'unread', code: 'EIO' }));
  try {
    one.hold(knownOf(new Map()));
    one.contents.inspected(processFrom(), factsFrom());
    assert.equal(one.says(), { fails: [], notes: [], pass: 0 });
    assert.is(one.digests(), 0);
    one.hold(knownOf(new Map([['/usr/bin/quiet', []]])));
    assert.match(one.says().notes[0]?.reason ?? '', 'never recorded');
    const { image } = factsFrom();
    if ('errno' in image) throw new Error('no image');
    one.hold(knownOf(new Map([['/usr/bin/quiet', [{ ...image, size: 1, sha256: 'b'.repeat(64) }]]])));
    await one.contents.settled(1_000);
    assert.equal(one.says().fails, ['/usr/bin/quiet'], 'a different size is a different content');
  } finally {
    await one.close();
  }
});

const { image: quiet } = factsFrom();
if ('errno' in quiet) throw new Error('no image');
const learnedQuiet: Content = { ...quiet, changedNs: '1', sha256: 'a'.repeat(64) };
const learnt = () => knownOf(new Map([['/usr/bin/quiet', [learnedQuiet]]]));
const larger = { ...quiet, inode: '9', size: quiet.size + 1 };

test('without a digest a different size is a finding and the same size is blind, and the digest keeps the finding', async () => {
  const comes = new Map<number, (answer: DigestAnswer) => void>();
  const one = watched(({ pid }) => new Promise((resolve) => comes.set(pid, resolve)));
  try {
    one.hold(learnt());
    one.contents.inspected(processFrom(), factsFrom());
    one.contents.allSeen();
    assert.is(one.says().pass, 0, 'an unknown content does not pass');
    await until(() => one.says().notes.length === 1, 'the contents were read');
    assert.match(one.says().notes[0]?.reason ?? '', 'still being read');
    assert.is(one.says().pass, 0);
    one.contents.inspected(processFrom({ pid: 701 }), factsFrom({ image: larger }));
    await until(() => one.says().fails.length === 1, 'the contents were read');
    const ids = one.ids();
    assert.match(one.classes()[0] as string, /^unread /);
    comes.get(700)?.({ kind: 'digest', content: { ...quiet, sha256: 'a'.repeat(64) } });
    await until(() => comes.has(701), 'the contents were read');
    comes.get(701)?.({ kind: 'digest', content: { ...larger, sha256: 'b'.repeat(64) } });
    await one.contents.settled(30_000);
    assert.equal(one.classes(), [`sha256 ${'b'.repeat(64)}`]);
    assert.equal(one.ids(), ids, 'the same finding');
    assert.equal(one.says().notes, []);
  } finally {
    for (const resolve of comes.values()) resolve({ kind: 'gone' });
    await one.close();
  }
});

test('the file of a changed program that ended early is read by path, and the finding stays open for a while', async ({
  folder,
  children,
}) => {
  const path = join(folder, 'learned');
  copyFileSync('/bin/sleep', path);
  const one = watched(undefined, { endedMs: 600_000 });
  try {
    await one.inspect(await run(children, path));
    one.learn();
    // The same size and other bytes: only the digest shows the change.
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
    rmSync(path);
    writeFileSync(path, bytes, { mode: 0o755 });
    const second = await run(children, path);
    const helper = new Helper();
    const inspected = await helper.ask(second.pid, second.start);
    await helper.close();
    if (inspected.kind !== 'facts') throw new Error('the inspection failed');
    children[1]?.kill('SIGKILL');
    await once(children[1] as ChildProcess, 'exit');
    one.contents.inspected(second, inspected.facts);
    await one.contents.settled(30_000);
    one.contents.inspected(second, null);
    assert.equal(one.says().fails, [path]);
    assert.is(one.classes()[0], `sha256 ${createHash('sha256').update(bytes).digest('hex')}`);
  } finally {
    await one.close();
  }
});

test('if both the process and its file are gone, the finding says that the content was not read', async () => {
  const one = watched(() => ({ kind: 'gone' }), { endedMs: 600_000 });
  try {
    one.hold(learnt());
    one.contents.allSeen();
    one.contents.inspected(processFrom(), factsFrom({ image: larger }));
    one.contents.inspected(processFrom(), null);
    await one.contents.settled(30_000);
    assert.equal(one.says().fails, ['/usr/bin/quiet']);
    assert.match(one.classes()[0] as string, /^unread /);
    // With the same size it may be the learned content: without a digest this is unknown.
    one.contents.inspected(processFrom({ pid: 702 }), factsFrom());
    one.contents.inspected(processFrom({ pid: 702 }), null);
    await one.contents.settled(30_000);
    assert.is(one.says().notes.length, 1);
    assert.match(one.says().notes[0]?.reason ?? '', 'could not be read');
  } finally {
    await one.close();
  }
});

test("digests of root's programs are read first, and one user's many programs do not delay those of another user", async () => {
  const asked: number[] = [];
  let go: () => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    go = resolve;
  });
  const one = watched(async ({ pid }) => {
    asked.push(pid);
    await first;
    return { kind: 'unread', code: 'EIO' };
  });
  try {
    const saw = (pid: number, uid: number) =>
      one.contents.inspected(
        processFrom({ pid, uid, executable: `/opt/${pid}`, identity: `/opt/${pid}` }),
        factsFrom({ image: { ...quiet, inode: String(pid) } }),
      );
    for (let at = 0; at < 400; at++) saw(10_000 + at, 1001);
    saw(2, 1002);
    saw(3, 101);
    saw(4, 0);
    go();
    await one.contents.settled(30_000);
    assert.equal(asked.slice(0, 5), [10_000, 4, 3, 2, 10_001]);
    assert.is(asked.length, 400 + 3, 'what did not fit into the queue at first is read later');
    const unread = [...one.contents.running().values()].flat().filter(({ sha256 }) => sha256 === '');
    assert.is(unread.length, 400 + 3);
  } finally {
    await one.close();
  }
});

test('an open finding stays while its content is unreadable or its new digest is pending', async () => {
  let answer: DigestAnswer | Promise<DigestAnswer> = { kind: 'unread', code: 'EACCES' };
  const one = watched(() => answer);
  try {
    one.hold(learnt());
    one.contents.allSeen();
    one.contents.inspected(processFrom(), factsFrom({ image: larger }));
    await until(() => one.says().fails.length === 1, 'the contents were read');
    assert.not.ok(one.hides('/usr/bin/quiet'));
    one.contents.inspected(processFrom(), factsFrom({ image: { code: 'EACCES', errno: 13, source: 'exe' } }));
    assert.equal(one.says().fails, []);
    assert.ok(one.hides('/usr/bin/quiet'), 'its file cannot be inspected any more');
    let come: (digest: DigestAnswer) => void = () => undefined;
    answer = new Promise((resolve) => {
      come = resolve;
    });
    one.contents.inspected(processFrom(), factsFrom({ image: { ...quiet, changedNs: '77' } }));
    await until(
      () => one.says().notes.some(({ reason }) => /still being read/.test(reason)),
      'the contents were read',
    );
    assert.ok(one.hides('/usr/bin/quiet'));
    come({ kind: 'digest', content: { ...quiet, changedNs: '77', sha256: 'a'.repeat(64) } });
    await one.contents.settled(30_000);
    assert.not.ok(one.hides('/usr/bin/quiet'), 'it is the learned content');
  } finally {
    await one.close();
  }
});

test('an ended process is reported for a while and never learned', async () => {
  const one = watched(() => ({ kind: 'unread', code: 'EIO' }), { endedMs: 600_000 });
  try {
    one.hold(learnt());
    one.contents.allSeen();
    one.contents.inspected(processFrom(), factsFrom({ image: larger }));
    one.contents.inspected(processFrom({ pid: 701 }), factsFrom({ image: quiet }));
    await one.contents.settled(30_000);
    one.contents.inspected(processFrom(), null);
    assert.equal(one.says().fails, ['/usr/bin/quiet']);
    const sizes = [...one.contents.running().values()].flat().map(({ size }) => size);
    assert.equal(sizes, [quiet.size]);
  } finally {
    await one.close();
  }
});

test('thousands of processes of one program are judged together, when they start and when they end', async () => {
  const one = watched(() => ({ kind: 'unread', code: 'EIO' }));
  try {
    one.hold(learnt());
    const processes = Array.from({ length: 5_000 }, (_, at) => processFrom({ pid: 10_000 + at }));
    for (const process of processes) one.contents.inspected(process, factsFrom({ image: larger }));
    await one.contents.settled(30_000);
    assert.equal(one.says().fails, ['/usr/bin/quiet'], 'queued processes are judged');
    for (const process of processes.slice(1)) one.contents.inspected(process, null);
    assert.ok(one.judged() < 300, `${one.judged()} times`);
    one.contents.inspected(processes[0] as ProcessSubject, null);
    await until(() => one.says().fails.length === 0, 'the contents were read');
  } finally {
    await one.close();
  }
});

test('close ends a digest that is being read', async () => {
  let end: (answer: DigestAnswer) => void = () => undefined;
  const held = new Promise<DigestAnswer>((resolve) => {
    end = resolve;
  });
  const one = watched(() => held, { closed: () => end({ kind: 'broken', reason: 'it is closed' }) });
  one.contents.inspected(processFrom(), factsFrom({ image: quiet }));
  await until(() => one.digests() === 1, 'the contents were read');
  await one.close();
});

test('close ends the queue of digests, whatever the current digest returns', async () => {
  for (const answer of [{ kind: 'gone' }, { kind: 'unread', code: 'EIO' }] as const) {
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    const one = watched(() => held.then(() => answer));
    // Two processes of one file: without the close, the second would be asked after the first.
    for (const pid of [801, 802]) one.contents.inspected(processFrom({ pid }), factsFrom({ image: quiet }));
    const closed = one.close();
    go();
    await closed;
    // The event loop runs; in an earlier version it was blocked here.
    await delay(1);
    assert.is(one.digests(), 1);
  }
});

test.run();
